#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/formats.h"
#include "io/name_pattern.h"

// Shared by the formats that are folders of pictures.

namespace plenosr::io {

// Regular files of a folder, sorted by name. Error(input) if the folder cannot be listed.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

// True if `folder` is a folder that has a file for which `is_view` is true.
bool any_file(const std::filesystem::path& folder,
              const std::function<bool(const std::filesystem::path&)>& is_view);

// The number that `digits` stand for, if it is from 0 to `largest`; nothing for other text.
std::optional<int> parse_count(const std::string& digits, int largest);

// True if row and column are whole numbers.
bool is_whole(ViewPosition position);

// folder / name if that is a regular file, else empty.
std::filesystem::path file_if_there(const std::filesystem::path& folder, const std::string& name);

// Row and column of a position on the grid, counted from 0. Error(output) if the position is not
// on the grid, because `layout` has no name for it.
struct GridCell {
    int row = 0;
    int col = 0;
};
GridCell cell_of(ViewPosition position, const ViewGrid& grid, const std::string& layout);

// The smallest grid that holds the positions, rounded to whole numbers.
ViewGrid bounding_box(const std::vector<LightFieldIndex::Entry>& views);

// Error(input) if the grid has more than most_places places.
void require_few_places(const std::filesystem::path& path, const ViewGrid& grid,
                        const char* kind = "light field");

// The grid for a list of `count` views: the one that the user gave, else one row. Error(input) if
// the grid has a different number of places.
ViewGrid grid_of_list(const std::filesystem::path& path, std::size_t count,
                      const OpenOptions& options);
ViewPosition place_in_list(const ViewGrid& grid, std::size_t number);

// Names of disparity maps that several layouts share.
inline constexpr const char* centre_map_name = "disparity.pfm";
inline constexpr const char* view_map_pattern = "disparity_{row:3}_{col:3}.pfm";

// The map of the centre view, under our name or that of the HCI benchmark; empty if there is none.
std::filesystem::path centre_map(const std::filesystem::path& folder);

// The views whose names match one of the patterns, each with the map whose name matches `map` with
// the same row and column.
IndexedViews index_by_names(const std::filesystem::path& folder, const IndexHints& hints,
                            const std::vector<NamePattern>& views, const NamePattern& map);

}  // namespace plenosr::io
