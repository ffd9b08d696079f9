#include <fmt/format.h>

#include <system_error>

#include "plenosr/error.h"
#include "plenosr/jobs.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

// Where the centre of the grid is after the correction; another view if the numbers are even.
ViewPosition corrected_centre(const LightFieldIndex& index, const ViewOrder& order) {
    LightFieldIndex centre;
    centre.grid = index.stored_grid();
    centre.views.push_back({centre.grid.centre(), {}, 0, {}});
    return in_right_order(std::move(centre), order).views.front().position;
}

// The record names the full-size map of the centre; maps of other views are beside the original.
DisparityChoice recorded_map(const LightFieldIndex& index, ViewPosition reference,
                             const ViewOrder& order) {
    const DegradationRecord& record = *index.degradation;
    std::error_code error;
    if (reference == corrected_centre(index, order) &&
        !fs::equivalent(record.source, record.full_disparity, error)) {
        Image map = read_disparity(record.full_disparity);
        if (order.map_inverted)
            for (float& d : map.values)
                d = -d;
        return {record.full_disparity, "full", std::move(map)};
    }
    if (!fs::exists(record.source, error)) return {};
    const LightFieldIndex source = in_right_order(index_light_field(record.source), order);
    const fs::path file = source.disparity_of(reference);
    if (file.empty()) return {};
    return {file, "full", read_disparity(source, reference)};
}

// `given` is a map, or a folder with maps of several views, estimated or not.
fs::path map_in(const fs::path& given, const LightFieldIndex& index, ViewPosition reference) {
    std::error_code error;
    if (!fs::is_directory(given, error)) return given;
    const fs::path own = given / view_disparity_name(index, reference);
    const fs::path estimated = given / estimated_disparity_name(index, reference);
    if (!fs::exists(own, error) && !fs::exists(estimated, error))
        throw Error(ErrorKind::input,
                    fmt::format("The folder {} has no disparity map of the view {}; {} or {} is "
                                "expected.",
                                given.string(), to_string(reference), own.filename().string(),
                                estimated.filename().string()));
    return fs::exists(own, error) ? own : estimated;
}

}  // namespace

DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const fs::path& given, const std::string& from,
                                 const ViewOrder& order) {
    require_one_of("disparity-from", from, "auto|lowres|full|estimate");
    if (!given.empty()) {
        const fs::path file = map_in(given, index, reference);
        const std::string name = "the disparity map " + file.string();
        return {file, "file", part_of(index, read_disparity(file), name)};
    }
    if (from == "estimate") return {{}, "estimate", {}};

    const bool full = from == "full";
    const fs::path recorded = index.degradation ? index.degradation->full_disparity : fs::path();
    if (full && recorded.empty())
        throw Error(ErrorKind::input,
                    fmt::format("The light field {} has no record of a full-size disparity map "
                                "(full_disparity in lightfield.json); give one with --disparity "
                                "FILE.pfm.",
                                index.path.string()));
    if (full) {
        DisparityChoice choice = recorded_map(index, reference, order);
        const std::string name = "the disparity map " + choice.file.string();
        if (!choice.file.empty())
            return {choice.file, choice.from, part_of(index, std::move(choice.map), name)};
    } else if (const fs::path file = index.disparity_of(reference); !file.empty()) {
        return {file, "lowres", read_disparity(index, reference)};
    }
    if (from == "auto") return {{}, "estimate", {}};

    if (reference != index.grid.centre() && (full || !index.disparity.empty()))
        throw Error(
            ErrorKind::input,
            fmt::format("The disparity map {} belongs to the centre view {}, not to the view "
                        "{}; give that view's own map with --disparity FILE.pfm.",
                        (full ? recorded : index.disparity).string(),
                        to_string(index.grid.centre()), to_string(reference)));
    throw Error(
        ErrorKind::input,
        fmt::format("The light field {} holds no disparity map of the view {}; give one with "
                    "--disparity FILE.pfm{}.",
                    index.path.string(), to_string(reference),
                    recorded.empty() ? "" : ", or use the original's with --disparity-from full"));
}

}  // namespace plenosr
