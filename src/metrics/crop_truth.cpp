#include <fmt/format.h>

#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {

Image crop_truth(const Image& truth, int width, int height, int scale, const std::string& name) {
    const auto fits = [&](int size, int wanted) { return size >= wanted && size < wanted + scale; };
    if (!fits(truth.width, width) || !fits(truth.height, height))
        throw Error(ErrorKind::input, fmt::format("{} has {}x{} pixels, but the result has {}x{}",
                                                  name, truth.width, truth.height, width, height));
    return crop(truth, width, height);
}

}  // namespace plenosr
