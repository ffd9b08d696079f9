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
    std::vector<Direction> directions = window_directions(window);
    if (prior != Prior::first_second) return directions;
    const std::vector<Direction> second = window_directions(window, 2);
    directions.insert(directions.end(), second.begin(), second.end());
    const double sum = weight_sum(directions);
    for (Direction& d : directions)
        d.weight = float(double(d.weight) / sum);
    return directions;
}

double weight_sum(const std::vector<Direction>& directions) {
    double sum = 0;
    for (const Direction& d : directions)
        sum += double(d.weight);
    return sum;
}

// Floor and g0: of first_second from a prototype (noise 50/20: 27.90 -> 28.40 dB by edge weights
// with this floor), of weighted chosen with its rule for lambda (lambda_parameters.h). nltv and
// bswtv have common values of the literature; no scene was used to choose them.
PriorWeights prior_weights(Prior prior) {
    if (prior == Prior::weighted) return {true, true, 0.5F, 24.0F, {}};
    if (prior == Prior::first_second) return {true, false, 0.2F, 12.0F, {}};
    if (prior == Prior::nltv) return {true, false, 0.1F, 12.0F, PatchDesc{2, 0.0F}};
    if (prior == Prior::bswtv) return {true, false, 0.1F, 12.0F, PatchDesc{1, 20.0F}};
    return {};
}

}  // namespace plenosr
