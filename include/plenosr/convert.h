#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plenosr/export.h"
#include "plenosr/io.h"
#include "plenosr/progress.h"

namespace plenosr PLENOSR_EXPORT {

// The changes that convert_light_field() makes, in this order; none by default.
struct ConvertOptions {
    std::string to = "auto";                  // format of the output; auto: by its name
    std::string views = "all";                // select_views, around the centre
    double resize = 1;                        // factor
    bool equalise = false;                    // equalise_views, to the centre
    std::optional<ColourSpace> colour_space;  // default: as the input
    std::optional<PixelFormat> bits;          // default: as the input
    std::string encoding = "auto";            // of a folder's pictures: png, tif, exr, pfm
    std::string names;                        // pattern of a row_col folder's names

    void validate() const;  // Error(invalid_option)
};

struct ConvertResult {
    std::string format;
    std::size_t views = 0;
    int width = 0;
    int height = 0;
    int channels = 0;
    PixelFormat bits = PixelFormat::bits8;
    ColourSpace colour_space = ColourSpace::srgb;
    Image disparity;  // of the centre view, as written; empty if there is none
};

// Reads `input` and writes it to `output` in another layout. Disparity maps are written if the
// layout supports them, cropped and resized with the views.
ConvertResult convert_light_field(const LightFieldIndex& input, const std::filesystem::path& output,
                                  const ConvertOptions& options, const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
