#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/formats.h"
#include "io/name_pattern.h"

// For formats that are folders of pictures.

namespace plenosr::io {

// Regular files of a folder, by name. Error(input) if the folder cannot be listed.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

// Does the path lead to a folder with a file whose name this is true for?
bool any_file(const std::filesystem::path& folder,
              const std::function<bool(const std::filesystem::path&)>& is_view);

// Digits as a number from 0 to `largest`; nothing for other text.
std::optional<int> parse_count(const std::string& digits, int largest);

// folder / name if that is a regular file, else empty.
std::filesystem::path file_if_there(const std::filesystem::path& folder, const std::string& name);

// Where a position lies on the grid, counted from 0; Error(output) if it is between positions
// or outside: `layout` cannot name it.
struct GridCell {
    int row = 0;
    int col = 0;
};
GridCell cell_of(ViewPosition position, const ViewGrid& grid, const std::string& layout);

// The smallest grid around the positions, rounded to whole numbers.
ViewGrid bounding_box(const std::vector<LightFieldIndex::Entry>& views);

// A list of `count` views in rows of the grid that the user gave, else in one row. Error(input) if
// the grid has another number of places.
ViewGrid grid_of_list(const std::filesystem::path& path, std::size_t count,
                      const OpenOptions& options);
ViewPosition place_in_list(const ViewGrid& grid, std::size_t number);

// Views whose names match one of the patterns, and their maps, of names that match `map` with the
// same row and column.
IndexedViews index_by_names(const std::filesystem::path& folder, const IndexHints& hints,
                            const std::vector<NamePattern>& views, const NamePattern& map);

}  // namespace plenosr::io
