#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plenosr/degrade.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"

namespace plenosr {

// Every function here throws Error(input) or Error(output) with one sentence that names the file.
// Files are written under a temporary name beside their place and renamed when complete; folders
// on the way to them are created. Jobs that take a Progress throw Cancelled when it says stop.

enum class PixelFormat { bits8, bits16, float32 };

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
// PNG of 8 or 16 bit (values rounded and clipped), PFM for float32; the name must end accordingly.
void write_image(const std::filesystem::path& file, const Image& image,
                 PixelFormat format = PixelFormat::bits8);

// ---- PFM, the format of disparity maps: values are kept as they are -----------------------------
Image read_pfm(const std::filesystem::path& file);
void write_pfm(const std::filesystem::path& file, const Image& image);

// ---- text, e.g. JSON reports --------------------------------------------------------------------
void write_text_file(const std::filesystem::path& file, const std::string& text);

// ---- light fields -------------------------------------------------------------------------------
// How a light field was made from a better one, as `degrade` records it (lightfield.json).
struct DegradationRecord {
    DegradeOptions options;
    std::filesystem::path source;          // the original light field
    std::filesystem::path full_disparity;  // the original's full-size map, empty if it had none
};

// What a path holds, found without decoding pixels.
struct LightFieldIndex {
    struct Entry {
        ViewPosition position;
        std::filesystem::path file;
    };
    std::filesystem::path path;
    std::string format;  // name in the registry: "hci", "row_col" …
    ViewGrid grid;
    std::vector<Entry> views;         // by row, then column
    ImageInfo image;                  // of the first view
    std::filesystem::path disparity;  // the centre view's map next to the views; empty if none
    std::map<std::string, std::string> parameters;  // e.g. parameters.cfg, "section.key"
    std::optional<DegradationRecord> degradation;

    std::vector<ViewPosition> positions() const;
};

LightFieldIndex index_light_field(const std::filesystem::path& path);

// Reads the views at `positions` (all, if empty), several at once.
LightField read_light_field(const LightFieldIndex& index,
                            const std::vector<ViewPosition>& positions = {},
                            const Progress& progress = {});

// Writes a folder in the layout `format` ("hci", "row_col"). The folder appears complete or not at
// all. A folder that is already there is replaced if it is empty, or if it holds a lightfield.json
// and nothing but files of that layout; anything else is refused.
struct WriteLightField {
    std::string format = "hci";
    PixelFormat pixels = PixelFormat::bits8;
    Image disparity;                    // of the centre view; empty: none is written
    std::vector<Image> view_disparity;  // per view, or empty
    std::map<std::string, std::string> parameters;
    std::optional<DegradationRecord> degradation;
};
void write_light_field(const std::filesystem::path& folder, const LightField& light_field,
                       const WriteLightField& options, const Progress& progress = {});

// Names of the formats that can be read, for help texts and documents.
struct FormatDescription {
    std::string name;
    std::string description;
};
const std::vector<FormatDescription>& light_field_formats();

}  // namespace plenosr
