#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/manifest.h"
#include "io/parameters_cfg.h"
#include "plenosr/io.h"

namespace plenosr::io {

// What a format knows besides the path.
struct IndexHints {
    OpenOptions options;               // from the user
    std::optional<Manifest> manifest;  // lightfield.json
    Parameters parameters;             // parameters.cfg
};

struct IndexedViews {
    ViewGrid grid;
    std::vector<LightFieldIndex::Entry> views;  // in any order
    std::filesystem::path disparity;            // of the centre view; empty if none
    std::optional<ImageInfo> image;             // of one view, if views are not files of their own
    Parameters parameters;                      // stored in the file itself
};

// File names of a folder layout that can be written. The extension of a view depends on its
// encoding.
struct Naming {
    struct Place {
        std::size_t number = 0;  // of the view in the light field, from 0
        ViewPosition position;
        ViewGrid grid;
        std::string pattern;  // WriteLightField::pattern
    };
    std::function<std::string(const Place&)> view;            // "input_Cam040"
    std::function<std::string(const Place&)> view_disparity;  // "gt_disp_lowres_Cam040.pfm"
    std::string centre_disparity;
    // True if the layout writes files of this name. The manifest is that of the folder.
    std::function<bool(const std::string&, const Manifest&)> owns;
};

// Called by several threads at once.
using ViewReader = std::function<Image(const LightFieldIndex::Entry&)>;

// One format of light fields. To add one: write its file beside hci.cpp, declare its function
// below, and list it in formats.cpp.
struct LightFieldFormat {
    std::string name;
    std::string description;  // for help texts: what the path holds
    std::string disparity;    // for help texts: where disparity maps come from
    std::function<bool(const std::filesystem::path&, const IndexHints&)> detect;
    std::function<IndexedViews(const std::filesystem::path&, const IndexHints&)> index;

    // Empty if every view and every map is a file of its own.
    std::function<ViewReader(const LightFieldIndex&)> open = {};
    std::function<Image(const LightFieldIndex&, const LightFieldIndex::Entry&)> read_disparity = {};

    // At most one of naming and write; without both the format is only read.
    std::optional<Naming> naming = {};
    std::function<void(const std::filesystem::path&, const LightField&, const WriteLightField&)>
        write = {};
    std::vector<std::string> extensions = {};  // of the file; empty for a folder

    bool writable() const { return naming || write; }
};

// "gt_disp_lowres.pfm" becomes "estimated_disp_lowres.pfm", "disparity.pfm"
// "estimated_disparity.pfm".
std::string estimated_map_name(const std::string& map_name);
bool is_estimated_map_name(const std::string& file);

LightFieldFormat hci_format();
LightFieldFormat inria_format();
LightFieldFormat stanford_format();
LightFieldFormat row_col_format();
LightFieldFormat lfbm5d_format();
LightFieldFormat list_format();
LightFieldFormat frames_format();
LightFieldFormat basiclfsr_format();
LightFieldFormat basiclfsr_hr_format();
LightFieldFormat hdf5_format();
LightFieldFormat mat_format();
LightFieldFormat npy_format();
LightFieldFormat npz_format();
LightFieldFormat pages_format();
LightFieldFormat eslf_format();
LightFieldFormat mosaic_format();

// All formats, in the order in which they are tried.
const std::vector<LightFieldFormat>& formats();
const LightFieldFormat* find_format(const std::string& name);  // nullptr if unknown
std::string format_names();                                    // "hci, inria, ..."
std::string folder_format_names();

// Reads the views of an indexed light field in any format. Errors name the file and the view.
ViewReader view_reader(const LightFieldIndex& index);

// Error(input) that names the file and the view.
[[noreturn]] void refuse_view(const LightFieldIndex::Entry& entry, const std::string& reason);

}  // namespace plenosr::io
