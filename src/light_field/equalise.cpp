#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

// Mean of each channel, in double for a result that does not depend on the size.
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
                    fmt::format("The view {} that the others are equalised to is missing.",
                                to_string(reference)));
    }
    const std::vector<double> wanted = means(to->image);
    for (View& view : light_field.views) {
        const std::vector<double> own = means(view.image);
        for (std::size_t c = 0; c < own.size(); ++c) {
            constexpr double darkest = 1e-3;  // nothing can be made of less, in 8-bit units
            const double gain = own[c] > darkest ? wanted[c] / own[c] : 1.0;
            for (std::size_t i = c; i < view.image.values.size(); i += own.size())
                view.image.values[i] = float(double(view.image.values[i]) * gain);
        }
    }
}

}  // namespace plenosr
