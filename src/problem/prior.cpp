#include "problem/prior.h"

#include <cmath>

namespace plenosr {

std::vector<Direction> window_directions(int radius, int order) {
    std::vector<Direction> directions;
    for (int dy = 0; dy <= radius; ++dy)
        for (int dx = dy == 0 ? 1 : -radius; dx <= radius; ++dx)
            directions.push_back({dx, dy, order, float(std::exp(-(dx * dx + dy * dy) / 3.0))});
    return directions;
}

std::vector<Direction> prior_directions(Prior prior, int window) {
    if (prior == Prior::tv) return {{1, 0, 1, 1.0F}, {0, 1, 1, 1.0F}};
    return window_directions(window);
}

}  // namespace plenosr
