#include "disparity/automatic_range.h"

#include <algorithm>
#include <cmath>

#include "disparity/confidence.h"
#include "disparity/smooth.h"
#include "disparity/weighted_median.h"

namespace plenosr {
namespace {

constexpr int reduced_size = 128;
constexpr int labels = 65;
constexpr int rounds = 4;
constexpr float confident = 0.5F;
constexpr double enough = 0.005;      // of the pixels must be confident
constexpr double quantile = 0.002;    // of the confident pixels may lie outside
constexpr double fine_enough = 0.25;  // pixels between labels, at the outermost view

Image reduced(const Image& view, int factor) {
    const Image smooth = smoothed(view, 0.5 * factor);
    Image low((view.width + factor - 1) / factor, (view.height + factor - 1) / factor);
    for (int y = 0; y < low.height; ++y)
        for (int x = 0; x < low.width; ++x)
            low.at(y, x) = smooth.at(y * factor, x * factor);
    return low;
}

// The disparities of the confident pixels, in order; empty if they are too few.
std::vector<float> confident_values(const MatchDesc& desc, const Match& match, double noise) {
    const Image confidence = match_confidence(match, noise, desc.views.size());
    const Image map =
        weighted_median(match.disparity, desc.guide, confidence, 2, double(desc.edge));
    std::vector<float> values;
    for (std::size_t i = 0; i < map.values.size(); ++i)
        if (confidence.values[i] > confident) values.push_back(map.values[i]);
    if (double(values.size()) < enough * double(map.values.size())) return {};
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace

std::optional<DisparityInterval> automatic_range(const std::vector<Image>& views,
                                                 const std::vector<MatchDesc::Offset>& offsets,
                                                 std::size_t reference, double noise,
                                                 const Matcher& match) {
    const int size = std::min(views[reference].width, views[reference].height);
    const int factor = std::max(1, int(std::lround(double(size) / reduced_size)));
    const double smoothing = factor > 1 ? 0.5 * factor : 0;
    const MatchSettings settings = match_settings(noise * smoothed_noise(smoothing), factor);
    double baseline = 0;
    for (const MatchDesc::Offset& o : offsets)
        baseline = std::max({baseline, std::abs(o.u), std::abs(o.v)});
    if (baseline <= 0) return std::nullopt;

    MatchDesc desc = match_desc(settings);
    desc.offsets = offsets;
    for (const Image& view : views)
        desc.views.push_back(smoothed(reduced(view, factor), settings.smoothing));
    desc.guide = desc.views[reference];
    desc.labels = labels;
    const double widest = 0.25 * std::max(desc.guide.width, desc.guide.height) / baseline;
    DisparityInterval range{-widest, widest};  // in reduced pixels
    for (int round = 0; round < rounds; ++round) {
        desc.first = range.min;
        desc.step = (range.max - range.min) / (labels - 1);
        const std::vector<float> found = confident_values(desc, match(desc), settings.noise);
        if (found.empty()) return std::nullopt;
        const std::size_t outside = std::size_t(quantile * double(found.size()));
        const double margin = 1.5 * desc.step;
        const double width = range.max - range.min;
        range.min = std::max(range.min, double(found[outside]) - margin);
        range.max = std::min(range.max, double(found[found.size() - 1 - outside]) + margin);
        if (desc.step * baseline < fine_enough || range.max - range.min > 0.75 * width) break;
    }
    const double margin = std::max(0.05 * (range.max - range.min), 0.05 / baseline);
    return DisparityInterval{factor * (range.min - margin), factor * (range.max + margin)};
}

}  // namespace plenosr
