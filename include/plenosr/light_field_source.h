#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/io.h"
#include "plenosr/view_order.h"

namespace plenosr PLENOSR_EXPORT {

// ---- a light field in files or in memory --------------------------------------------------------
struct LightFieldSource {
    LightFieldIndex index;
    // Entry::part is the number of the view in it. Not set: the views are in the files of the
    // index.
    std::optional<LightFieldView> in_memory;
    std::vector<std::string> notes;  // what the user should know about the input
};

// index_light_field() and unread_file_notes().
LightFieldSource open_light_field(const std::filesystem::path& path,
                                  const OpenOptions& options = {});
// Its path is "<array>". Throws as LightField::validate() does.
// A view without an owner must outlive the source.
LightFieldSource in_memory(LightFieldView light_field);

// Every file of a light field, and its folder. Those of its layout that do not exist are listed
// too.
std::vector<std::filesystem::path> files_of(const LightFieldIndex& index);

// The views at `positions`, all if empty. Views in memory are not copied.
LightFieldView read_views(const LightFieldSource& source,
                          const std::vector<ViewPosition>& positions = {},
                          const Progress& progress = {});

// Puts the views in the order that their parallax shows, unless options.check_order is false. Adds
// a note if the order was wrong, or if it cannot be determined. Returns what was corrected. It
// reads views, so arguments are checked first.
ViewOrder put_in_order(LightFieldSource& source, const OpenOptions& options,
                       const Progress& progress = {});

// The position of --view, or the centre of the grid if it is empty. Error(input) if the light field
// has no such view.
ViewPosition reference_for(const std::string& view, const LightFieldIndex& index);

// ---- the disparity of one view ------------------------------------------------------------------
// The map of the reference view and its source: "file", "lowres", "full", or "estimate" if there is
// none and it has to be estimated from the views.
struct DisparityChoice {
    std::filesystem::path file;
    std::string from;
    Image map;  // as read_disparity() returns it; empty for "estimate"
};
// `given` is --disparity: a map, or a folder of maps as `plenosr disparity --all` writes them;
// `from` is --disparity-from; `order` is what was corrected in `index`, which holds for the light
// field that it was made from as well. Throws Error(input) if the map is missing.
DisparityChoice choose_disparity(const LightFieldIndex& index, ViewPosition reference,
                                 const std::filesystem::path& given, const std::string& from,
                                 const ViewOrder& order = {});

}  // namespace PLENOSR_EXPORT
