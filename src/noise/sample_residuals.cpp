#include "noise/sample_residuals.h"

#include "psf/blur_decimate.h"

namespace plenosr {

Image mean_of_channels(const Image& image) {
    if (image.channels == 1) return image;
    Image mean(image.width, image.height);
    for (int y = 0; y < mean.height; ++y)
        for (int x = 0; x < mean.width; ++x) {
            double sum = 0;
            for (int c = 0; c < image.channels; ++c)
                sum += double(image.at(y, x, c));
            mean.at(y, x) = float(sum / image.channels);
        }
    return mean;
}

Image blurred_mean(const Image& result, const PsfGrid& psf) {
    return blur_decimate(result.channels == 1 ? result : mean_of_channels(result), psf, 1);
}

}  // namespace plenosr
