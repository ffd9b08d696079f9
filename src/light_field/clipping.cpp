#include <algorithm>
#include <cstddef>

#include "plenosr/light_field.h"

namespace plenosr {
namespace {

// Chosen by reasoning, not tuned. Impulses of 0.1 % and noise that is clipped in a dark area exceed
// both shares. The smallest and the largest value of normalised data are below the first, the tips
// of areas and lines below the second. A sample at the corner of an area has three neighbours in
// the area, one within a line has two.
constexpr double least_share_of_samples = 1e-4;
constexpr double least_share_of_extremes = 0.01;
constexpr int fewest_equal_neighbours = 2;
constexpr float low = 0;
constexpr float high = 255;

class Evidence {
public:
    void add(const Image& image) {
        samples_ += image.values.size();
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                for (int c = 0; c < image.channels; ++c) {
                    const float value = image.at(y, x, c);
                    if (value != low && value != high) continue;
                    ++extremes_;
                    if (stands_alone(image, y, x, c)) ++alone_;
                }
    }
    bool found() const {
        return alone_ > 0 && double(alone_) >= least_share_of_samples * double(samples_) &&
               double(alone_) >= least_share_of_extremes * double(extremes_);
    }

private:
    static bool stands_alone(const Image& image, int y, int x, int c) {
        int equal = -1;  // the sample itself
        for (int j = std::max(0, y - 1); j <= std::min(image.height - 1, y + 1); ++j)
            for (int i = std::max(0, x - 1); i <= std::min(image.width - 1, x + 1); ++i)
                if (image.at(j, i, c) == image.at(y, x, c)) ++equal;
        return equal < fewest_equal_neighbours;
    }

    std::size_t samples_ = 0;
    std::size_t extremes_ = 0;
    std::size_t alone_ = 0;
};

}  // namespace

bool shows_clipping(const LightFieldView& light_field) {
    Evidence evidence;
    for (const PlacedView& view : light_field.views)
        evidence.add(to_image(view.image));
    return evidence.found();
}

bool shows_clipping(const std::vector<Image>& images) {
    Evidence evidence;
    for (const Image& image : images)
        evidence.add(image);
    return evidence.found();
}

}  // namespace plenosr
