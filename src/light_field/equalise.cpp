#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

// The mean of each channel.
std::vector<double> means(const Image& image) {
    std::vector<double> sums(std::size_t(image.channels), 0.0);
    for (std::size_t i = 0; i < image.values.size(); ++i)
        sums[i % sums.size()] += double(image.values[i]);
    for (double& sum : sums)
        sum /= double(image.pixels());
    return sums;
}

}  // namespace

// v' = v mean(reference) / mean(v), for each view and channel
void equalise_views(LightField& light_field, ViewPosition reference) {
    const View* to = light_field.find(reference);
    if (to == nullptr) {
        throw Error(ErrorKind::input,
                    fmt::format("The views cannot be equalised: the reference view {} is missing.",
                                to_string(reference)));
    }
    const std::vector<double> wanted = means(to->image);
    for (View& view : light_field.views) {
        const std::vector<double> own = means(view.image);
        for (std::size_t c = 0; c < own.size(); ++c) {
            // In 8-bit units. Views that are practically black stay as they are; the exact value
            // does not matter.
            constexpr double darkest_mean = 1e-3;
            const double gain = own[c] > darkest_mean ? wanted[c] / own[c] : 1.0;
            for (std::size_t i = c; i < view.image.values.size(); i += own.size())
                view.image.values[i] = float(double(view.image.values[i]) * gain);
        }
    }
}

}  // namespace plenosr
