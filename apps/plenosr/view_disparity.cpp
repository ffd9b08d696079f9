#include "view_disparity.h"

#include <fmt/format.h>

#include <cmath>
#include <system_error>

#include "output_checks.h"
#include "plenosr/error.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& sentence) {
    throw Error(ErrorKind::input, sentence);
}

fs::path if_there(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) ? file : fs::path();
}

// The centre's map, or the map that the layout keeps for the view alone.
fs::path map_of(const LightFieldIndex& index, const fs::path& folder, const fs::path& centre_map,
                ViewPosition reference) {
    if (reference == index.grid.centre() && !centre_map.empty()) return centre_map;
    return view_disparity_file(index, folder, reference);
}

}  // namespace

fs::path view_disparity_file(const LightFieldIndex& index, const fs::path& folder,
                             ViewPosition position) {
    const ViewGrid& grid = index.grid;
    const int row = int(std::lround(position.row));
    const int col = int(std::lround(position.col));
    if (index.format == "hci")
        return if_there(folder /
                        fmt::format("gt_disp_lowres_Cam{:03}.pfm",
                                    grid.cols * (row - grid.first_row) + col - grid.first_col));
    return if_there(folder / fmt::format("disparity_{:03}_{:03}.pfm", row, col));
}

DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const fs::path& given, const std::string& from) {
    require_one_of("disparity-from", from, "lowres|full");
    if (!given.empty()) return {given, "file"};

    const bool full = from == "full";
    const fs::path recorded = index.degradation ? index.degradation->full_disparity : fs::path();
    if (full && recorded.empty())
        refuse(
            fmt::format("The light field {} has no record of a full-size disparity map "
                        "(full_disparity in lightfield.json); give one with --disparity "
                        "FILE.pfm.",
                        index.path.string()));
    const fs::path map = full ? map_of(index, recorded.parent_path(), recorded, reference)
                              : map_of(index, index.path, index.disparity, reference);
    if (!map.empty()) return {map, from};

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
