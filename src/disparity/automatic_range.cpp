#include "disparity/automatic_range.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "disparity/confidence.h"
#include "disparity/weighted_median.h"
#include "light_field/smooth.h"

namespace plenosr {
namespace {

// Compared by the mean over boardgames, cotton, dishes, medieval2 and vinyl (no scene was held
// back). Single values were not varied one by one unless docs/mathematics.md says so.

// ---- sweeps -------------------------------------------------------------------------------------
constexpr int reduced_size = 128;            // pixels of the shorter side, about
constexpr double reduction_smoothing = 0.5;  // sigma of the low-pass, times the reduction
constexpr int labels = 65;
constexpr int most_rounds = 4;
constexpr double fine_step_px = 0.25;        // reduced pixels between labels at the outermost view
constexpr double no_narrower = 0.75;         // of the last range: further sweeps would gain nothing
constexpr double round_margin_labels = 1.5;  // kept on each side of what was found
// ---- confident pixels ---------------------------------------------------------------------------
constexpr float high_confidence = 0.5F;
constexpr float low_confidence = 0.1F;     // accepted where fewer than enough_pixels are confident
constexpr double enough_pixels = 0.1;      // fraction of the pixels
constexpr double fewest_pixels = 0.005;    // fraction of the pixels; with fewer nothing is known
constexpr double least_views_share = 0.6;  // of the views must see a pixel: few agree by chance
constexpr int median_radius = 2;           // reduced pixels
// ---- what is kept of them -----------------------------------------------------------------------
constexpr double outside_quantile = 0.002;  // of these pixels may lie outside the range
constexpr double chance_factor = 3;  // labels of the scene have so many times more pixels than
                                     // labels that match by chance
constexpr std::size_t chance_quantile = 5;  // one label in five holds matches by chance alone
constexpr int largest_gap = 4;              // of the range: a quarter
// ---- the result ---------------------------------------------------------------------------------
constexpr double margin_share = 0.05;         // of the range, on each side
constexpr double unsure_margin_share = 0.12;  // where few pixels were confident
constexpr double least_margin_px = 0.05;      // reduced pixels at the outermost view

Image reduced(const Image& view, int factor) {
    if (factor == 1) return view;
    const Image smooth = smoothed(view, reduction_smoothing * factor);
    Image low((view.width + factor - 1) / factor, (view.height + factor - 1) / factor);
    for (int y = 0; y < low.height; ++y)
        for (int x = 0; x < low.width; ++x)
            low.at(y, x) = smooth.at(y * factor, x * factor);
    return low;
}

bool is_seen_by_most(const std::vector<MatchDesc::Offset>& offsets, const Image& map, int y,
                     int x) {
    const double d = double(map.at(y, x));
    const auto inside = [&](const MatchDesc::Offset& o) {
        const double px = x - o.u * d;
        const double py = y - o.v * d;
        return px >= 0 && px <= map.width - 1 && py >= 0 && py <= map.height - 1;
    };
    const auto count = std::count_if(offsets.begin(), offsets.end(), inside);
    return double(count) >= least_views_share * double(offsets.size());
}

// Ascending.
std::vector<float> disparities_seen_by_most(const Image& map, const Image& confidence, float least,
                                            const std::vector<MatchDesc::Offset>& offsets) {
    std::vector<float> values;
    for (int y = 0; y < map.height; ++y)
        for (int x = 0; x < map.width; ++x)
            if (confidence.at(y, x) >= least && is_seen_by_most(offsets, map, y, x))
                values.push_back(map.at(y, x));
    std::sort(values.begin(), values.end());
    return values;
}

struct ConfidentDisparities {
    std::vector<float> values;  // ascending
    bool sure = false;          // enough pixels have a high confidence
};

ConfidentDisparities confident_disparities(const MatchDesc& desc, const Match& match,
                                           double noise) {
    const Image confidence = match_confidence(match, desc, noise);
    const Image map =
        weighted_median(match.disparity, desc.guide, median_radius, double(desc.edge));
    std::vector<float> order = confidence.values;
    const auto rank = std::size_t((1 - enough_pixels) * double(order.size() - 1));
    const float limit = std::clamp(value_of_rank(order, rank), low_confidence, high_confidence);
    ConfidentDisparities found;
    found.sure = limit >= high_confidence;
    found.values = disparities_seen_by_most(map, confidence, limit, desc.offsets);
    if (double(found.values.size()) < fewest_pixels * double(map.values.size()))
        found.values.clear();
    return found;
}

// Pixels that match by chance lie anywhere in a wide range, those of the scene lie together. Takes
// the labels that have more pixels than chance explains, joins them over gaps of up to a quarter of
// the range, and returns the group with the most pixels.
DisparityInterval crowded_part(const std::vector<float>& values, const MatchDesc& desc) {
    std::vector<double> counts(std::size_t(desc.labels), 0.0);
    for (const float d : values) {
        const double label = (double(d) - desc.first) / desc.step + 0.5;
        counts[std::size_t(std::clamp(label, 0.0, double(desc.labels - 1)))] += 1;
    }
    counts.front() = counts.back() = 0;  // flat places often match best at an end
    std::vector<double> order = counts;
    const double by_chance = value_of_rank(order, order.size() / chance_quantile);
    const double limit =
        std::max(outside_quantile * double(values.size()), chance_factor * by_chance);

    struct Group {
        int first = 0, last = 0;
        double pixels = 0;
    };
    Group best{0, desc.labels - 1, 0};
    Group group;
    for (int l = 0; l < desc.labels; ++l) {
        const double count = counts[std::size_t(l)];
        if (count <= limit) continue;
        if (group.pixels == 0 || l - group.last > desc.labels / largest_gap) group = {l, l, 0};
        group.last = l;
        group.pixels += count;
        if (group.pixels > best.pixels) best = group;
    }
    return {desc.first + best.first * desc.step, desc.first + best.last * desc.step};
}

DisparityInterval inner_part(const std::vector<float>& values) {
    const std::size_t outside = std::size_t(outside_quantile * double(values.size()));
    return {double(values[outside]), double(values[values.size() - 1 - outside])};
}

}  // namespace

std::optional<DisparityInterval> automatic_range(const ViewSource& view,
                                                 const std::vector<MatchDesc::Offset>& offsets,
                                                 std::size_t reference, double noise,
                                                 double largest_shift, const Matcher& match) {
    const Image reference_view = view(reference);
    const int size = std::min(reference_view.width, reference_view.height);
    const int factor = std::max(1, int(std::lround(double(size) / reduced_size)));
    const double smoothing = factor > 1 ? reduction_smoothing * factor : 0;
    const MatchSettings settings = match_settings(noise * smoothed_noise(smoothing), factor);
    const double baseline = baseline_of(offsets);
    if (baseline <= 0) return std::nullopt;

    MatchDesc desc = match_desc(settings);
    desc.offsets = offsets;
    for (std::size_t k = 0; k < offsets.size(); ++k)
        desc.views.push_back(smoothed(reduced(view(k), factor), settings.smoothing));
    desc.guide = desc.views[reference];
    desc.labels = labels;
    const double widest = largest_shift * std::max(desc.guide.width, desc.guide.height) / baseline;
    DisparityInterval range{-widest, widest};  // in reduced pixels
    bool sure = true;
    for (int round = 0; round < most_rounds; ++round) {
        desc.first = range.min;
        desc.step = (range.max - range.min) / (labels - 1);
        const ConfidentDisparities found = confident_disparities(desc, match(desc), settings.noise);
        if (found.values.empty()) return std::nullopt;
        sure = found.sure;
        const DisparityInterval part =
            round == 0 ? crowded_part(found.values, desc) : inner_part(found.values);
        const double margin = round_margin_labels * desc.step;
        const double width = range.max - range.min;
        range.min = std::max(range.min, part.min - margin);
        range.max = std::min(range.max, part.max + margin);
        if (desc.step * baseline < fine_step_px || range.max - range.min > no_narrower * width)
            break;
    }
    const double share = sure ? margin_share : unsure_margin_share;
    const double margin = std::max(share * (range.max - range.min), least_margin_px / baseline);
    return DisparityInterval{factor * (range.min - margin), factor * (range.max + margin)};
}

std::optional<DisparityInterval> narrower_range(const Image& map, const Image& confidence,
                                                const std::vector<MatchDesc::Offset>& offsets,
                                                DisparityInterval searched) {
    const std::vector<float> values =
        disparities_seen_by_most(map, confidence, high_confidence, offsets);
    if (double(values.size()) < enough_pixels * double(map.values.size())) return std::nullopt;
    const DisparityInterval part = inner_part(values);
    const double margin = unsure_margin_share * (part.max - part.min);
    const DisparityInterval range{std::max(searched.min, part.min - margin),
                                  std::min(searched.max, part.max + margin)};
    const double width = range.max - range.min;
    if (width <= 0 || width > no_narrower * (searched.max - searched.min)) return std::nullopt;
    return range;
}

}  // namespace plenosr
