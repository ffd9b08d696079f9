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

// What a format needs to know besides the path.
struct IndexHints {
    OpenOptions options;               // from the user
    std::optional<Manifest> manifest;  // lightfield.json
    Parameters parameters;             // parameters.cfg
};

struct IndexedViews {
    ViewGrid grid;
    std::vector<LightFieldIndex::Entry> views;  // in any order
    std::filesystem::path disparity;            // of the centre view; empty if none
    std::optional<ImageInfo> image;             // of one view, where views are no files
    Parameters parameters;                      // that the file itself holds
};

// File names of a folder layout that can be written. Views get the extension of their encoding.
struct Naming {
    struct Place {
        std::size_t number = 0;  // of the view in the light field, from 0
        ViewPosition position;
        ViewGrid grid;
        std::string pattern;  // WriteLightField::pattern
    };
    std::function<std::string(const Place&)> view;            // "input_Cam040"
    std::function<std::string(const Place&)> view_disparity;  // "….pfm"
    std::string centre_disparity;
    // Is this a name that the layout writes? The manifest is the one of the folder.
    std::function<bool(const std::string&, const Manifest&)> owns;
};

using ViewReader = std::function<Image(const LightFieldIndex::Entry&)>;  // by several threads

// One format of light fields. To add one: write its file beside hci.cpp, declare its function
// below, and list it in formats.cpp.
struct LightFieldFormat {
    std::string name;
    std::string description;  // for help texts: what the path holds
    std::string disparity;    // … and where maps come from
    std::function<bool(const std::filesystem::path&, const IndexHints&)> detect;
    std::function<IndexedViews(const std::filesystem::path&, const IndexHints&)> index;

    // Nothing: every view is a picture of its own, and every map a file of its own.
    std::function<ViewReader(const LightFieldIndex&)> open = {};
    std::function<Image(const LightFieldIndex&, const LightFieldIndex::Entry&)> read_disparity = {};

    // At most one of these; none: the format is only read.
    std::optional<Naming> naming = {};
    std::function<void(const std::filesystem::path&, const LightField&, const WriteLightField&)>
        write = {};
    std::vector<std::string> extensions = {};  // of the one file; empty: a folder

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
LightFieldFormat hdf5_format();
LightFieldFormat mat_format();
LightFieldFormat npy_format();
LightFieldFormat npz_format();
LightFieldFormat pages_format();
LightFieldFormat eslf_format();
LightFieldFormat mosaic_format();

// In the order in which a path is tried.
const std::vector<LightFieldFormat>& formats();
const LightFieldFormat* find_format(const std::string& name);  // nullptr if there is none
std::string format_names();                                    // "hci, inria, …"

// The machine's memory in bytes, or the limit that the user gave.
std::uint64_t memory_limit(const OpenOptions& options);

// Error(input) if `bytes` for `what` of the file are more than the limit.
void require_memory(const std::filesystem::path& file, const std::string& what, double bytes,
                    std::uint64_t limit);

}  // namespace plenosr::io
