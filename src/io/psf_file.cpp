#include "io/psf_file.h"

#include <fmt/format.h>

#include "base/file_errors.h"
#include "io/image_file.h"
#include "io/limits.h"
#include "plenosr/io.h"
#include "plenosr/psf.h"

namespace plenosr {

// In a file of its own because manifests need it, and psf.cpp is in a higher layer.
std::string psf_file(const BlurSpec& blur) {
    for (const std::string_view prefix : {psf_grid_prefix, psf_file_prefix})
        if (blur.text.starts_with(prefix)) return blur.text.substr(prefix.size());
    return {};
}

bool is_psf_grid(const BlurSpec& blur) {
    return blur.text.starts_with(psf_grid_prefix);
}

Image io::read_psf_picture(const std::filesystem::path& file) {
    const ImageInfo info = image_info(file);
    if (info.width > longest_psf_side_px || info.height > longest_psf_side_px)
        refuse_file(file,
                    fmt::format("it has {}x{} pixels; a PSF has at most {}x{}", info.width,
                                info.height, longest_psf_side_px, longest_psf_side_px),
                    "PSF");
    return lower_extension(file) == ".pfm" ? read_pfm(file) : luma(read_image(file));
}

}  // namespace plenosr
