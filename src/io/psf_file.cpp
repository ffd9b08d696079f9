#include "io/psf_file.h"

#include "io/image_file.h"
#include "plenosr/io.h"
#include "plenosr/psf.h"

namespace plenosr {

// In a file of its own because manifests need it, and psf.cpp is in a higher layer.
std::string psf_file(const BlurSpec& blur) {
    for (const std::string_view prefix : {psf_grid_prefix, psf_file_prefix})
        if (blur.text.starts_with(prefix)) return blur.text.substr(prefix.size());
    return {};
}

Image io::read_psf_picture(const std::filesystem::path& file) {
    return lower_extension(file) == ".pfm" ? read_pfm(file) : luma(read_image(file));
}

}  // namespace plenosr
