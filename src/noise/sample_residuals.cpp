#include "noise/sample_residuals.h"

#include "psf/blur_decimate.h"

namespace plenosr {

Image blurred_mean(const Image& result, const PsfGrid& psf) {
    if (result.channels == 1) return blur_decimate(result, psf, 1);
    Image mean(result.width, result.height);
    for (int y = 0; y < mean.height; ++y)
        for (int x = 0; x < mean.width; ++x) {
            double sum = 0;
            for (int c = 0; c < result.channels; ++c)
                sum += double(result.at(y, x, c));
            mean.at(y, x) = float(sum / result.channels);
        }
    return blur_decimate(mean, psf, 1);
}

}  // namespace plenosr
