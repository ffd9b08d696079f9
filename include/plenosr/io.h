#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/psf.h"

namespace plenosr PLENOSR_EXPORT {

// Every function here throws Error(input) or Error(output) with one sentence that names the file.
// Files are written under a temporary name beside their final path and renamed when complete.
// Missing folders are created. Functions that take a Progress throw Error(cancelled) if it returns
// false.

enum class PixelFormat { bits8, bits16, float32 };

// The meaning of the stored numbers. Reading does not convert; to_linear() and to_srgb() do.
enum class ColourSpace { srgb, linear };

// ---- pictures -----------------------------------------------------------------------------------
struct ImageInfo {
    int width = 0;
    int height = 0;
    int channels = 0;  // as in the file, before alpha is dropped
    PixelFormat format = PixelFormat::bits8;
};
ImageInfo image_info(const std::filesystem::path& file);  // header only
// Alpha is dropped, and the range of the file becomes 0-255. Values of a PFM are kept as they are.
// The picture is upright: the orientation in EXIF or TIFF tags is applied, here and in every
// other function that reads pictures.
Image read_image(const std::filesystem::path& file);

// What a file holds about its picture besides the pixels; docs/formats.md, "Metadata", lists the
// tags. Sizes and structure are checked when they are read. Values are kept as they are.
struct Metadata {
    std::string exif;         // a block of EXIF tags on camera, lens and exposure; empty: none
    std::string icc_profile;  // of the colours; empty: none

    bool operator==(const Metadata&) const = default;
};
// `page` of a TIFF, counted from 0. Damaged metadata are left out.
Metadata read_metadata(const std::filesystem::path& file, int page = 0);

// How a picture is stored.
struct ImageEncoding {
    PixelFormat format = PixelFormat::bits8;
    int quality = 95;        // of .jpg and .webp, 1 to 100
    Metadata metadata = {};  // .pfm and .exr have none
};
// The extension selects the encoding: .png for 8 or 16 bits, .tif for 8 or 16 bits or float, .jpg
// and .webp for 8 bits, .exr and .pfm for float. Integers are rounded and clipped. In .tif and .exr
// a float of 1 is white. The file "-" is standard output: PNG, or PFM for float.
void write_image(const std::filesystem::path& file, const Image& image,
                 PixelFormat format = PixelFormat::bits8);
void write_image(const std::filesystem::path& file, const Image& image,
                 const ImageEncoding& encoding);
// The format that the extension allows, or 8 bits if it allows several.
PixelFormat usual_format(const std::filesystem::path& file);
// Error(output) unless the extension allows the format and, if they are not 0, the sides in pixels.
void require_encoding(const std::filesystem::path& file, PixelFormat format, int width = 0,
                      int height = 0);
// True if the picture is not stored exactly: .jpg, .webp.
bool is_lossy(const std::filesystem::path& file);

// ---- PFM, the format of disparity maps: values are kept as they are -----------------------------
Image read_pfm(const std::filesystem::path& file);
void write_pfm(const std::filesystem::path& file, const Image& image);

// ---- disparity maps (disparity.h defines their values) ------------------------------------------
// PFM, NPY with two axes, or 16-bit PNG with the description "d = SCALE * v + OFFSET", which
// write_disparity() stores.
Image read_disparity(const std::filesystem::path& file);
// The extension selects the encoding: .pfm and .npy are exact, .png has 65536 levels from the
// smallest to the largest value.
void write_disparity(const std::filesystem::path& file, const Image& map);
// A colour picture for people: from dark blue (farthest) to yellow (nearest). Values that are not
// finite are black.
Image disparity_preview(const Image& map);

// ---- point spread functions that change over the image ------------------------------------------
// A NumPy array [row, col, y, x], or JSON with rows, cols and a `--blur` text for each node
// (docs/formats.md). The scale is used by the texts `gaussian` and `bicubic`.
PsfGrid read_psf_grid(const std::filesystem::path& file, const SamplingGrid& sampling);

// ---- text, e.g. JSON reports --------------------------------------------------------------------
void write_text_file(const std::filesystem::path& file, const std::string& text);

// ---- light fields -------------------------------------------------------------------------------
// How `degrade` made a light field from a better one; stored in lightfield.json.
struct DegradationRecord {
    DegradeOptions options;        // blur.text is empty if the record does not give the blur
    std::filesystem::path source;  // the original light field
    std::filesystem::path full_disparity;  // the full-size map of the original; empty if none
    // A JSON object that describes the simulated camera (describe_camera()); empty if there was
    // none. Then blur and noise are recorded there alone. Only `plenosr evaluate` reads it: a
    // reconstruction must estimate what a real camera would not record.
    std::string simulated_camera = {};
};

// What the user knows about a path, if its content does not show it.
struct OpenOptions {
    std::string format = "auto";  // a name of the registry
    std::string pattern;          // of row_col names: "SAI_{row}_{col}.png"
    int rows = 0;                 // of views in a mosaic, a lenslet picture or a list; 0: unknown
    int cols = 0;                 // as rows
    Box crop;                     // the part of each view that is used, in pixels; width 0: all
    bool check_order = true;  // correct the order of the views if their parallax contradicts it;
                              // used by the program (view_order.h)
    std::uint64_t memory_limit = 0;  // bytes for the views; 0: what this process may use
};

// The content of a path, found without decoding pixels.
struct LightFieldIndex {
    struct Entry {
        ViewPosition position;
        std::filesystem::path file;
        int part = 0;                     // index of the view in a file with several views
        std::filesystem::path disparity;  // the view's own map; empty if none
    };
    std::filesystem::path path;
    std::string format;  // name in the registry, e.g. "hci" or "row_col"
    ViewGrid grid;
    // The grid by which a file with several views counts its parts, if the order of the views was
    // corrected (view_order.h); rows = 0: `grid`.
    ViewGrid grid_in_file;
    std::vector<Entry> views;  // by row, then column
    ImageInfo image;           // of the first view, cropped
    Box crop;                  // the part of each file that the manifest names; width 0: all
    Box part;                  // OpenOptions::crop, a part of that; width 0: all
    ImageInfo whole;           // `image` without `part`
    ColourSpace colour_space = ColourSpace::srgb;
    // The map of the centre view; empty if there is none. For a file that holds views and maps, it
    // is that file.
    std::filesystem::path disparity;
    bool disparity_per_width = false;  // stored values are fractions of the map's width, not pixels
    double disparity_factor = 1;       // multiplies stored values: the library's sign
    std::map<std::string, std::string> parameters;  // e.g. parameters.cfg, "section.key"
    std::optional<DegradationRecord> degradation;
    std::uint64_t memory_limit = 0;

    std::vector<ViewPosition> positions() const;
    const Entry* find(ViewPosition position) const;  // nullptr if the view is missing
    Box used_part() const;  // `crop` and `part`: of each file; width 0: all
    ViewGrid stored_grid() const { return grid_in_file.rows > 0 ? grid_in_file : grid; }
    // The file with the map of the view at `position`; empty if there is none.
    std::filesystem::path disparity_of(ViewPosition position) const;
};

LightFieldIndex index_light_field(const std::filesystem::path& path,
                                  const OpenOptions& options = {});

// Notes about the files of a folder whose format is not read (e.g. WebP, HEIC, video): one note per
// extension, with a program that converts them. Empty for other paths.
std::vector<std::string> unread_file_notes(const std::filesystem::path& folder);

// Reads the views at `positions` (all if empty) in parallel. Error(input) before anything is
// decoded if they would take more memory than the limit.
LightField read_light_field(const LightFieldIndex& index,
                            const std::vector<ViewPosition>& positions = {},
                            const Progress& progress = {});

// Reads views one by one, when they are asked for. A file with all views in one compressed array or
// one picture is decoded once, for the first view, and kept as it is stored: NPZ and MAT with their
// type of numbers, pictures as floats. May be used by several threads.
class StoredViews {
public:
    explicit StoredViews(LightFieldIndex index);
    Image read(ViewPosition position) const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

// The metadata of the picture that holds a view; empty for arrays.
Metadata read_metadata(const LightFieldIndex& index, ViewPosition position);
// Of all views, in the order of the index.
std::vector<Metadata> metadata_of_views(const LightFieldIndex& index);

// The map of one view in the library's sign and unit. Error(input) if there is none.
Image read_disparity(const LightFieldIndex& index, ViewPosition position);

// `picture` belongs to the whole light field, e.g. a map or a true picture, and is N times as large
// as its views: the pixels that show index.part. Without a part, `picture` itself. Error(input)
// with `name` if it is smaller than the views.
Image part_of(const LightFieldIndex& index, Image picture, const std::string& name);

// The file name that the light field's layout has for the map of a view, e.g.
// "disparity_004_004.pfm".
std::string view_disparity_name(const LightFieldIndex& index, ViewPosition position);
// The file name of an estimated map of that view, e.g. "estimated_disparity_004_004.pfm". No layout
// reads it, so that an estimate is never taken for the ground truth of the scene.
std::string estimated_disparity_name(const LightFieldIndex& index, ViewPosition position);

// Writes a folder or one file in the layout `format`. It appears complete or not at all. An
// existing folder is replaced if it is empty, or if it holds a lightfield.json and only files of
// that layout. Other existing folders are refused.
struct WriteLightField {
    std::string format = "hci";
    PixelFormat pixels = PixelFormat::bits8;
    std::string extension;  // of the views in a folder; empty: .png, or .pfm for float
    std::string pattern;    // of row_col names; empty: {row:3}_{col:3}
    ColourSpace colour_space = ColourSpace::srgb;
    Image disparity;                    // of the centre view; empty: not written
    std::vector<Image> view_disparity;  // per view, or empty
    bool estimated_disparity = false;   // the maps of a folder get estimated_disparity_name()
    std::map<std::string, std::string> parameters;
    std::optional<DegradationRecord> degradation;
    std::vector<Metadata> metadata = {};  // of the views in a folder, or empty
};
void write_light_field(const std::filesystem::path& path, const LightField& light_field,
                       const WriteLightField& options, const Progress& progress = {});

// The supported formats, for help texts and documents.
struct FormatDescription {
    std::string name;
    std::string description;
    std::string disparity;  // where maps come from, e.g. "gt_disp_lowres.pfm"; empty: none
    bool writable = false;
    bool one_file = false;                // false: a folder
    std::vector<std::string> extensions;  // of the file, e.g. ".npy"
};
const std::vector<FormatDescription>& light_field_formats();
// A Markdown table with one row per format; docs/formats.md contains it.
std::string format_table();
// The format for an output path: selected by its extension, else a folder layout.
std::string format_for_output(const std::filesystem::path& path, const LightField& light_field);

}  // namespace PLENOSR_EXPORT
