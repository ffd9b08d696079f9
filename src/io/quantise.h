#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include "base/file_errors.h"
#include "plenosr/image.h"

namespace plenosr::io {

// Maps 0-255 to 0-max(Stored) and clips values outside. Error(output) names `file` if a value is
// not a number.
template <class Stored>
std::vector<Stored> quantised(const std::filesystem::path& file, const Image& image) {
    constexpr double largest = std::numeric_limits<Stored>::max();
    std::vector<Stored> stored(image.values.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const double value = double(image.values[i]) * (largest / 255.0);
        if (std::isnan(value)) {
            const std::size_t pixel = i / std::size_t(image.channels);
            refuse_output(
                file,
                fmt::format("the value at x = {}, y = {} is not a number",
                            pixel % std::size_t(image.width), pixel / std::size_t(image.width)),
                "picture");
        }
        stored[i] = Stored(std::lround(std::clamp(value, 0.0, largest)));
    }
    return stored;
}

// For files in which 1 is white.
inline std::vector<float> one_is_white(const Image& image) {
    std::vector<float> stored(image.values.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[i] = float(double(image.values[i]) / 255.0);
    return stored;
}

}  // namespace plenosr::io
