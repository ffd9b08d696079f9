#include "light_field/impulse_repair.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

namespace plenosr {
namespace {

// Chosen by reasoning, not tuned: at 20 % impulses a window of radius 1 has fewer than three good
// neighbours with a probability of 0.1 %.
constexpr int largest_radius_px = 3;
constexpr std::size_t fewest_neighbours = 3;

bool at_limit(float value) {
    return value <= 0.0F || value >= 255.0F;
}

float repaired(const Image& view, int y, int x) {
    std::array<float, (2 * largest_radius_px + 1) * (2 * largest_radius_px + 1)> around{};
    for (int radius = 1; radius <= largest_radius_px; ++radius) {
        std::size_t count = 0;
        for (int j = std::max(0, y - radius); j <= std::min(view.height - 1, y + radius); ++j)
            for (int i = std::max(0, x - radius); i <= std::min(view.width - 1, x + radius); ++i)
                if (!at_limit(view.at(j, i))) around[count++] = view.at(j, i);
        if (count < fewest_neighbours) continue;
        const auto middle = around.begin() + std::ptrdiff_t(count / 2);
        std::nth_element(around.begin(), middle, around.begin() + std::ptrdiff_t(count));
        return *middle;
    }
    return view.at(y, x);
}

}  // namespace

Image without_impulses(const Image& view) {
    Image result = view;
    tbb::parallel_for(0, view.height, [&](int y) {
        for (int x = 0; x < view.width; ++x)
            if (at_limit(view.at(y, x))) result.at(y, x) = repaired(view, y, x);
    });
    return result;
}

}  // namespace plenosr
