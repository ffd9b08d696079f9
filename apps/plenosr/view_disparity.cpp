#include "view_disparity.h"

#include <fmt/format.h>

#include <system_error>

#include "output_checks.h"
#include "plenosr/error.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& sentence) {
    throw Error(ErrorKind::input, sentence);
}

// The full-size map that the record names is the centre's; others are with the original.
DisparityChoice recorded_map(const LightFieldIndex& index, ViewPosition reference) {
    const DegradationRecord& record = *index.degradation;
    std::error_code error;
    if (reference == index.grid.centre()) {
        const bool own_file = !fs::equivalent(record.source, record.full_disparity, error);
        return {record.full_disparity, "full",
                own_file ? read_disparity(record.full_disparity)
                         : read_disparity(index_light_field(record.source), reference)};
    }
    if (!fs::exists(record.source, error)) return {};
    const LightFieldIndex source = index_light_field(record.source);
    const fs::path file = source.disparity_of(reference);
    if (file.empty()) return {};
    return {file, "full", read_disparity(source, reference)};
}

}  // namespace

DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const fs::path& given, const std::string& from) {
    require_one_of("disparity-from", from, "auto|lowres|full|estimate");
    std::error_code error;
    if (!given.empty()) {
        const fs::path file =
            fs::is_directory(given, error) ? given / view_disparity_name(index, reference) : given;
        return {file, "file", read_disparity(file)};
    }
    if (from == "estimate") return {{}, "estimate", {}};

    const bool full = from == "full";
    const fs::path recorded = index.degradation ? index.degradation->full_disparity : fs::path();
    if (full && recorded.empty())
        refuse(
            fmt::format("The light field {} has no record of a full-size disparity map "
                        "(full_disparity in lightfield.json); give one with --disparity "
                        "FILE.pfm.",
                        index.path.string()));
    if (full) {
        DisparityChoice choice = recorded_map(index, reference);
        if (!choice.file.empty()) return choice;
    } else if (const fs::path file = index.disparity_of(reference); !file.empty()) {
        return {file, "lowres", read_disparity(index, reference)};
    }
    if (from == "auto") return {{}, "estimate", {}};

    if (reference != index.grid.centre() && (full || !index.disparity.empty()))
        refuse(
            fmt::format("The disparity map {} belongs to the centre view {}, not to the view "
                        "{}; give that view's own map with --disparity FILE.pfm.",
                        (full ? recorded : index.disparity).string(),
                        to_string(index.grid.centre()), to_string(reference)));
    refuse(
        fmt::format("The light field {} holds no disparity map of the view {}; give one with "
                    "--disparity FILE.pfm{}.",
                    index.path.string(), to_string(reference),
                    recorded.empty() ? "" : ", or use the original's with --disparity-from full"));
}

}  // namespace plenosr::app
