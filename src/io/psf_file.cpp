#include "io/psf_prefix.h"
#include "plenosr/psf.h"

namespace plenosr {

// Apart from psf.cpp: who reads a manifest needs the name, not the readers of PSFs.
std::string psf_file(const BlurSpec& blur) {
    for (const std::string_view prefix : {psf_grid_prefix, psf_file_prefix})
        if (blur.text.starts_with(prefix)) return blur.text.substr(prefix.size());
    return {};
}

}  // namespace plenosr
