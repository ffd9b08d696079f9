#include "degrade/blur_decimate.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>

#include "plenosr/error.h"

namespace plenosr {

Image blur_decimate(const Image& image, const Psf& psf, int scale) {
    if (scale < 1)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("Decimation: scale = {} must be at least 1.", scale));
    if (image.width < scale || image.height < scale)
        throw Error(ErrorKind::input,
                    fmt::format("Decimation by {} leaves nothing of an image of {} x {} pixels; "
                                "it must have at least {} x {}.",
                                scale, image.width, image.height, scale, scale));
    const Image& k = psf.kernel;
    const int radius_x = k.width / 2;
    const int radius_y = k.height / 2;
    Image result(image.width / scale, image.height / scale, image.channels);

    // Border pixels are repeated outwards; away from the sides nothing needs to look for them.
    tbb::parallel_for(0, result.height, [&](int i) {
        for (int j = 0; j < result.width; ++j) {
            const bool inner = scale * j >= radius_x && scale * j + radius_x < image.width;
            for (int c = 0; c < result.channels; ++c) {
                double sum = 0;
                for (int ty = -radius_y; ty <= radius_y; ++ty) {
                    const int y = std::clamp(scale * i - ty, 0, image.height - 1);
                    const float* weight = &k.values[k.index(ty + radius_y, 0)];
                    if (inner) {
                        const float* from = &image.values[image.index(y, scale * j + radius_x, c)];
                        for (int t = 0; t < k.width; ++t)
                            sum += double(weight[t]) * from[-t * image.channels];
                    } else {
                        for (int t = 0; t < k.width; ++t) {
                            const int x = std::clamp(scale * j + radius_x - t, 0, image.width - 1);
                            sum += double(weight[t]) * image.at(y, x, c);
                        }
                    }
                }
                result.at(i, j, c) = float(sum);
            }
        }
    });
    return result;
}

}  // namespace plenosr
