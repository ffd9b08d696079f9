#include "disparity/automatic_range.h"

#include <algorithm>
#include <cmath>

#include "disparity/confidence.h"
#include "disparity/weighted_median.h"
#include "light_field/smooth.h"

namespace plenosr {
namespace {

constexpr int reduced_size = 128;
constexpr int labels = 65;
constexpr int rounds = 4;
constexpr float confident = 0.5F;         // where few pixels are, …
constexpr float hardly_confident = 0.1F;  // … the better ones of those that are this
constexpr double enough = 0.1;            // of the pixels
constexpr double least = 0.005;           // of the pixels, without which nothing is known
constexpr double seen_by = 0.6;           // of the views must see a pixel that counts
constexpr double quantile = 0.002;        // of these pixels may lie outside
constexpr double chance_factor = 3;       // by which the scene's labels surpass those of chance
constexpr double fine_enough = 0.25;      // pixels between labels, at the outermost view

Image reduced(const Image& view, int factor) {
    if (factor == 1) return view;
    const Image smooth = smoothed(view, 0.5 * factor);
    Image low((view.width + factor - 1) / factor, (view.height + factor - 1) / factor);
    for (int y = 0; y < low.height; ++y)
        for (int x = 0; x < low.width; ++x)
            low.at(y, x) = smooth.at(y * factor, x * factor);
    return low;
}

// A few views agree by chance where most have left the frame.
bool seen_by_most(const MatchDesc& desc, int y, int x, double d) {
    const auto inside = [&](const MatchDesc::Offset& o) {
        const double px = x - o.u * d;
        const double py = y - o.v * d;
        return px >= 0 && px <= desc.guide.width - 1 && py >= 0 && py <= desc.guide.height - 1;
    };
    const auto count = std::count_if(desc.offsets.begin(), desc.offsets.end(), inside);
    return double(count) >= seen_by * double(desc.offsets.size());
}

struct Confident {
    std::vector<float> values;  // the disparities of the confident pixels, in order
    bool sure = false;          // there are enough of them
};

Confident confident_values(const MatchDesc& desc, const Match& match, double noise) {
    const Image confidence = match_confidence(match, desc, noise);
    const Image map = weighted_median(match.disparity, desc.guide, 2, double(desc.edge));
    std::vector<float> order = confidence.values;
    const auto place = order.begin() + std::ptrdiff_t((1 - enough) * double(order.size() - 1));
    std::nth_element(order.begin(), place, order.end());
    const float limit = std::clamp(*place, hardly_confident, confident);
    Confident found;
    found.sure = limit >= confident;
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            if (confidence.at(y, x) >= limit && seen_by_most(desc, y, x, double(map.at(y, x))))
                found.values.push_back(map.at(y, x));
    if (double(found.values.size()) < least * double(map.values.size())) found.values.clear();
    std::sort(found.values.begin(), found.values.end());
    return found;
}

// Pixels that match by chance lie anywhere in a wide range, the scene's lie together. Of the labels
// that have more pixels than one of chance would, with gaps of up to a quarter of the range between
// them, the group of the most pixels.
DisparityInterval crowded_part(const std::vector<float>& values, const MatchDesc& desc) {
    std::vector<double> counts(std::size_t(desc.labels), 0.0);
    for (const float d : values) {
        const double label = (double(d) - desc.first) / desc.step + 0.5;
        counts[std::size_t(std::clamp(label, 0.0, double(desc.labels - 1)))] += 1;
    }
    counts.front() = counts.back() = 0;  // where all labels look alike, an end may be the best
    std::vector<double> order = counts;
    const auto place = order.begin() + std::ptrdiff_t(order.size() / 5);
    std::nth_element(order.begin(), place, order.end());
    const double limit = std::max(quantile * double(values.size()), chance_factor * *place);

    struct Group {
        int first = 0, last = 0;
        double pixels = 0;
    };
    Group best{0, desc.labels - 1, 0};
    Group group;
    for (int l = 0; l < desc.labels; ++l) {
        const double count = counts[std::size_t(l)];
        if (count <= limit) continue;
        if (group.pixels == 0 || l - group.last > desc.labels / 4) group = {l, l, 0};
        group.last = l;
        group.pixels += count;
        if (group.pixels > best.pixels) best = group;
    }
    return {desc.first + best.first * desc.step, desc.first + best.last * desc.step};
}

DisparityInterval inner_part(const std::vector<float>& values) {
    const std::size_t outside = std::size_t(quantile * double(values.size()));
    return {double(values[outside]), double(values[values.size() - 1 - outside])};
}

}  // namespace

std::optional<DisparityInterval> automatic_range(const ViewSource& view,
                                                 const std::vector<MatchDesc::Offset>& offsets,
                                                 std::size_t reference, double noise,
                                                 double farthest, const Matcher& match) {
    const Image reference_view = view(reference);
    const int size = std::min(reference_view.width, reference_view.height);
    const int factor = std::max(1, int(std::lround(double(size) / reduced_size)));
    const double smoothing = factor > 1 ? 0.5 * factor : 0;
    const MatchSettings settings = match_settings(noise * smoothed_noise(smoothing), factor);
    const double baseline = baseline_of(offsets);
    if (baseline <= 0) return std::nullopt;

    MatchDesc desc = match_desc(settings);
    desc.offsets = offsets;
    for (std::size_t k = 0; k < offsets.size(); ++k)
        desc.views.push_back(smoothed(reduced(view(k), factor), settings.smoothing));
    desc.guide = desc.views[reference];
    desc.labels = labels;
    const double widest = farthest * std::max(desc.guide.width, desc.guide.height) / baseline;
    DisparityInterval range{-widest, widest};  // in reduced pixels
    bool sure = true;
    for (int round = 0; round < rounds; ++round) {
        desc.first = range.min;
        desc.step = (range.max - range.min) / (labels - 1);
        const Confident found = confident_values(desc, match(desc), settings.noise);
        if (found.values.empty()) return std::nullopt;
        sure = found.sure;
        const DisparityInterval part =
            round == 0 ? crowded_part(found.values, desc) : inner_part(found.values);
        const double margin = 1.5 * desc.step;
        const double width = range.max - range.min;
        range.min = std::max(range.min, part.min - margin);
        range.max = std::min(range.max, part.max + margin);
        if (desc.step * baseline < fine_enough || range.max - range.min > 0.75 * width) break;
    }
    const double share = sure ? 0.05 : 0.12;  // few pixels may not show all of the scene
    const double margin = std::max(share * (range.max - range.min), 0.05 / baseline);
    return DisparityInterval{factor * (range.min - margin), factor * (range.max + margin)};
}

}  // namespace plenosr
