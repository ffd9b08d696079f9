#include "light_field/valid_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace plenosr {

std::string invalid_value(const ImageView& image) {
    if (image.type == SampleType::uint8 || image.type == SampleType::uint16) return {};
    const auto is_valid = [](float v) {  // false for NaN
        return v >= -largest_value && v <= largest_value;
    };
    std::vector<float> row(std::size_t(image.width) * std::size_t(image.channels));
    for (int y = 0; y < image.height; ++y) {
        image.read(y, 0, image.width, row.data());
        const auto bad = std::find_if_not(row.begin(), row.end(), is_valid);
        if (bad != row.end())
            return fmt::format(
                "it holds the value {} at x = {}, y = {}; all values must be finite and within "
                "+-{:.0f} (255 is white)",
                double(*bad), (bad - row.begin()) / image.channels, y, double(largest_value));
    }
    return {};
}

}  // namespace plenosr
