#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/psf.h"

namespace plenosr {

// Every function here throws Error(input) or Error(output) with one sentence that names the file.
// Files are written under a temporary name beside their place and renamed when complete; folders
// on the way to them are created. Jobs that take a Progress throw Cancelled when it says stop.

enum class PixelFormat { bits8, bits16, float32 };

// What the stored numbers mean. Reading never converts: to_linear() and to_srgb() of image.h do.
enum class ColourSpace { srgb, linear };

// ---- pictures -----------------------------------------------------------------------------------
struct ImageInfo {
    int width = 0;
    int height = 0;
    int channels = 0;  // as in the file, before alpha is dropped
    PixelFormat format = PixelFormat::bits8;
};
ImageInfo image_info(const std::filesystem::path& file);  // header only
// Alpha is dropped and the file's range becomes 0-255; a PFM's values are kept as they are.
Image read_image(const std::filesystem::path& file);
// By the end of the name: .png of 8 or 16 bit, .tif of 8 or 16 bit or float, .exr and .pfm of
// float. Whole numbers are rounded and clipped; in .tif and .exr a float of 1 is white.
void write_image(const std::filesystem::path& file, const Image& image,
                 PixelFormat format = PixelFormat::bits8);

// ---- PFM, the format of disparity maps: values are kept as they are -----------------------------
Image read_pfm(const std::filesystem::path& file);
void write_pfm(const std::filesystem::path& file, const Image& image);

// ---- disparity maps (disparity.h says what their values mean) -----------------------------------
// PFM; NPY of two axes; PNG of 16 bit with the note "d = SCALE * v + OFFSET" that write_disparity
// leaves in it.
Image read_disparity(const std::filesystem::path& file);
// By the end of the name: .pfm and .npy keep every bit, .png has 65536 levels from the least to the
// largest value.
void write_disparity(const std::filesystem::path& file, const Image& map);
// For the eye: from the farthest (dark blue) to the nearest (yellow), values not finite black.
Image disparity_preview(const Image& map);

// ---- point spread functions that change over the image ------------------------------------------
// A NumPy array [row, col, y, x], or JSON with rows, cols and what `--blur` says for each node
// (docs/formats.md). `scale` is for those that say `gaussian`.
PsfGrid read_psf_grid(const std::filesystem::path& file, int scale);

// ---- text, e.g. JSON reports --------------------------------------------------------------------
void write_text_file(const std::filesystem::path& file, const std::string& text);

// ---- light fields -------------------------------------------------------------------------------
// How a light field was made from a better one, as `degrade` records it (lightfield.json).
struct DegradationRecord {
    DegradeOptions options;
    std::filesystem::path source;          // the original light field
    std::filesystem::path full_disparity;  // the original's full-size map, empty if it had none
};

// What the user knows about a path and its content does not tell.
struct OpenOptions {
    std::string format = "auto";     // a name of the registry
    std::string pattern;             // of row_col names: "SAI_{row}_{col}.png"
    int rows = 0;                    // of views in a mosaic, a lenslet picture or a plain list;
    int cols = 0;                    // 0: not given
    std::uint64_t memory_limit = 0;  // bytes that the views may take; 0: the machine's memory
};

// What a path holds, found without decoding pixels.
struct LightFieldIndex {
    struct Entry {
        ViewPosition position;
        std::filesystem::path file;
        int part = 0;                     // which view of a file that holds several
        std::filesystem::path disparity;  // the view's own map; empty if none
    };
    struct Crop {  // pixels of the files that count; width 0: all
        int x = 0;
        int y = 0;
        int width = 0;
        int height = 0;
    };
    std::filesystem::path path;
    std::string format;  // name in the registry: "hci", "row_col" …
    ViewGrid grid;
    std::vector<Entry> views;  // by row, then column
    ImageInfo image;           // of the first view, cropped
    Crop crop;
    ColourSpace colour_space = ColourSpace::srgb;
    // Which map belongs to the centre view; empty if none. A file that holds views and maps
    // stands for its maps too.
    std::filesystem::path disparity;
    double disparity_factor = 1;       // brings stored values to the library's sign and unit …
    bool disparity_per_width = false;  // … after those in fractions of the width became pixels
    std::map<std::string, std::string> parameters;  // e.g. parameters.cfg, "section.key"
    std::optional<DegradationRecord> degradation;
    std::uint64_t memory_limit = 0;

    std::vector<ViewPosition> positions() const;
    // Where the map of the view at `position` is; empty if there is none.
    std::filesystem::path disparity_of(ViewPosition position) const;
};

LightFieldIndex index_light_field(const std::filesystem::path& path,
                                  const OpenOptions& options = {});

// Files of a folder that are skipped because their format is not read (WebP, HEIC, video …): one
// note for each extension, with a program that converts them. Empty for other paths.
std::vector<std::string> unread_file_notes(const std::filesystem::path& folder);

// Reads the views at `positions` (all, if empty), several at once. Refused before anything is
// decoded if they would take more memory than the limit.
LightField read_light_field(const LightFieldIndex& index,
                            const std::vector<ViewPosition>& positions = {},
                            const Progress& progress = {});

// The map of one view, in the library's sign and unit; Error(input) if it has none.
Image read_disparity(const LightFieldIndex& index, ViewPosition position);

// The file name under which the light field's layout looks for the map of a view: "….pfm".
std::string view_disparity_name(const LightFieldIndex& index, ViewPosition position);
// The file name of an estimated map of that view, "estimated_….pfm". No layout reads it, so that an
// estimate is never taken for the ground truth of the scene.
std::string estimated_disparity_name(const LightFieldIndex& index, ViewPosition position);

// Writes a folder, or one file, in the layout `format`. It appears complete or not at all. A folder
// that is already there is replaced if it is empty, or if it holds a lightfield.json and nothing
// but files of that layout; anything else is refused.
struct WriteLightField {
    std::string format = "hci";
    PixelFormat pixels = PixelFormat::bits8;
    std::string extension;  // of a folder's views; empty: .png, or .pfm for float
    std::string pattern;    // of row_col names; empty: {row:3}_{col:3}
    ColourSpace colour_space = ColourSpace::srgb;
    Image disparity;                    // of the centre view; empty: none is written
    std::vector<Image> view_disparity;  // per view, or empty
    bool estimated_disparity = false;   // the maps of a folder get estimated_disparity_name()
    std::map<std::string, std::string> parameters;
    std::optional<DegradationRecord> degradation;
};
void write_light_field(const std::filesystem::path& path, const LightField& light_field,
                       const WriteLightField& options, const Progress& progress = {});

// The formats, for help texts and documents.
struct FormatDescription {
    std::string name;
    std::string description;
    std::string disparity;  // where maps come from, e.g. "gt_disp_lowres.pfm"; empty: none
    bool writable = false;
    bool one_file = false;                // else a folder
    std::vector<std::string> extensions;  // of the file, e.g. ".npy"
};
const std::vector<FormatDescription>& light_field_formats();
// As a table in Markdown, one row per format: docs/formats.md holds it.
std::string format_table();
// The writable format that the name of an output stands for: by its extension, else a folder.
std::string format_for_output(const std::filesystem::path& path, const LightField& light_field);

}  // namespace plenosr
