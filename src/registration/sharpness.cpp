#include <algorithm>
#include <cmath>
#include <numeric>

#include "registration/frame_fit.h"

namespace plenosr {
namespace {

double gradient_energy(const Image& image) {
    double sum = 0;
    for (int y = 1; y + 1 < image.height; ++y)
        for (int x = 1; x + 1 < image.width; ++x)
            sum += std::pow(double(image.at(y, x + 1) - image.at(y, x - 1)), 2) +
                   std::pow(double(image.at(y + 1, x) - image.at(y - 1, x)), 2);
    return sum / std::max(1.0, double(image.pixels()));
}

}  // namespace

// Blur takes the gradients of the fine level and leaves those of the coarse one; another exposure
// changes both alike.
double sharpness_of(const Pyramid& frame) {
    const std::size_t coarse = std::min<std::size_t>(2, frame.levels.size() - 1);
    const double all = gradient_energy(frame.levels[coarse]);
    return all > 0 ? gradient_energy(frame.levels.front()) / all : 0;
}

FrameRanks rank_by_sharpness(const std::vector<Image>& frames, const FramesOptions& options) {
    const ValueLimits limits = value_limits(frames, options.clipped);
    FrameRanks ranks;
    for (const Image& frame : frames)
        ranks.sharpness.push_back(sharpness_of(pyramid_of(frame, limits)));
    ranks.order.resize(frames.size());
    std::iota(ranks.order.begin(), ranks.order.end(), 0);
    std::stable_sort(ranks.order.begin(), ranks.order.end(), [&](int a, int b) {
        return ranks.sharpness[std::size_t(a)] > ranks.sharpness[std::size_t(b)];
    });
    return ranks;
}

void keep_best(std::vector<FrameReport>& reports, int reference, int count) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < reports.size(); ++k)
        if (int(k) != reference) order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return reports[a].weight * reports[a].sharpness > reports[b].weight * reports[b].sharpness;
    });
    for (std::size_t i = std::size_t(std::max(count, 1) - 1); i < order.size(); ++i) {
        FrameReport& r = reports[order[i]];
        if (r.weight > 0) r.weight_reason = "it is not among the best frames";
        r.weight = 0;
    }
}

}  // namespace plenosr
