#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "base/median.h"
#include "frames/confirm_motion.h"
#include "light_field/impulse_repair.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "plenosr/error.h"
#include "plenosr/frames.h"
#include "registration/align.h"
#include "registration/frame_fit.h"

namespace plenosr {
namespace {

// A frame shows at a place what the reference shows there, if its value lies within the range of
// the reference's 3 x 3 pixels: a static scene that is sampled elsewhere, aliases included, does
// not leave it by much. A pixel contradicts if
//   distance to the range > 3 n + 1 + a h,   a = 0.1
// n: spread of the difference in flat places of this brightness. h: what aliases may add, the
// standard deviation of the fine detail that both show. Contradictions of aliases are scattered,
// those of motion are dense; so a pixel is suspect if 0.2 of the pixels around it contradict, or of
// a pixel within 3 pixels of it. Both are judged on the smoothed frame and on its half.
//
// Strong aliases are suspect, too, so motion must be confirmed (confirm_motion.h). With little more
// than one sample per pixel of the result nothing can be confirmed. Then a = 0.2, and a pixel is
// suspect within 4 pixels.
//
// If then all shifts are exact fractions of a pixel, the camera stands still and only its sensor or
// a stage moves. Motion is rare there, and aliases are strong: a = 1, and h is the detail that
// either shows, since an alias may vanish in one frame. With 0.2 and the detail of both, four still
// frames of kodim08 and kodim19 (no noise, shifts of half a pixel) reached 29.0 and 33.6 dB; now
// 44.2 and 38.7, and 49.2 and 51.8 if motion is not looked for. For bursts by hand a = 1 is too
// much: the region of a moving object in five frames is then 2.1 dB (kodim19) below bicubic.
//
// Regions that are left out are extended by seam_px: the ends of a thing that moves along its edge
// differ too little to be suspect. With 2 instead of 4 pixels the object's region of kleiber loses
// 1.5 dB, and with 4 the whole of portrait loses 0.7 of its 7.5 dB over bicubic.
//
// Chosen on kodim19 and a large photo (kleiber, reduced by 3), nine frames, with shifts, rotation,
// noise of 0 to 20 and JPEG.
// Sensitivity was measured for seam_px alone. 0.3 % of normal noise exceeds noise_factor; a spread
// from fewest_in_bin values has a standard error of 26 %.
constexpr double noise_factor = 3;
constexpr double least_difference = 1;   // grey levels
constexpr double detail_px = 2;          // sigma of the neighbourhood of h
constexpr double detail_scale_px = 1.2;  // finer detail than this sigma is h
constexpr double noise_share = 0.1;      // quantile of h^2 that is noise alone
constexpr double density_px = 2;         // sigma of the neighbourhood of contradictions
constexpr std::size_t brightness_bins = 8;
constexpr std::size_t fewest_in_bin = 20;
constexpr std::size_t levels_judged = 2;

struct SuspectRule {
    double alias_factor;  // a
    bool detail_of_both;  // h
    float least_density;
    int grown_px;
};
constexpr SuspectRule to_be_confirmed{0.1, true, 0.2F, 3};
constexpr SuspectRule without_confirmation{0.2, true, 0.2F, 4};
constexpr SuspectRule of_exact_shifts{1, false, 0.2F, 4};
constexpr int seam_px = 4;
constexpr double samples_to_confirm = 1.5;  // per pixel of the result

struct FrameDetail {
    Pyramid pyramid;
    Image detail;  // h^2
};
FrameDetail detail_of(const Image& frame, const ValueLimits& limits) {
    FrameDetail result{pyramid_of(frame, limits), without_impulses(luma(frame), limits)};
    const Image smooth = smoothed(result.detail, detail_scale_px);
    for (std::size_t i = 0; i < smooth.values.size(); ++i) {
        const float d = result.detail.values[i] - smooth.values[i];
        result.detail.values[i] = d * d;
    }
    result.detail = smoothed(result.detail, detail_px);
    std::vector<float> values = result.detail.values;
    const float noise = value_of_rank(values, std::size_t(noise_share * double(values.size())));
    for (float& v : result.detail.values)
        v = std::max(v - noise, 0.0F);
    return result;
}

// The spread of differences in flat places by brightness: piecewise linear between bins.
class NoiseByBrightness {
public:
    struct Pair {
        float brightness;
        float difference;
    };
    explicit NoiseByBrightness(std::vector<Pair> pairs) {
        std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
            return a.brightness != b.brightness ? a.brightness < b.brightness
                                                : a.difference < b.difference;
        });
        const std::size_t bins =
            std::clamp<std::size_t>(pairs.size() / fewest_in_bin, 1, brightness_bins);
        for (std::size_t n = 0; n < bins; ++n) {
            const std::size_t begin = pairs.size() * n / bins;
            const std::size_t end = pairs.size() * (n + 1) / bins;
            std::vector<float> sizes;
            for (std::size_t i = begin; i < end; ++i)
                sizes.push_back(std::abs(pairs[i].difference));
            if (sizes.empty()) continue;
            centres_.push_back(double(pairs[(begin + end) / 2].brightness));
            spreads_.push_back(sigma_per_median * double(median_of(sizes)));
        }
    }
    double at(float brightness) const {
        const double b = double(brightness);
        if (centres_.empty()) return 0;
        if (b <= centres_.front()) return spreads_.front();
        for (std::size_t i = 1; i < centres_.size(); ++i)
            if (b < centres_[i]) {
                const double part = (b - centres_[i - 1]) / (centres_[i] - centres_[i - 1]);
                return spreads_[i - 1] + part * (spreads_[i] - spreads_[i - 1]);
            }
        return spreads_.back();
    }

private:
    std::vector<double> centres_, spreads_;
};

// The place in the frame of a place in the reference.
class Back {
public:
    explicit Back(const FrameMotion& motion)
        : matrix_{inverse(motion.matrix), {}}, flowing_(motion.flow.empty() ? nullptr : &motion) {}
    Place operator()(Place p) const {
        return flowing_ != nullptr ? flowing_->from_reference(p) : matrix_.to_reference(p);
    }

private:
    FrameMotion matrix_;
    const FrameMotion* flowing_;
};

struct Range {
    float low;
    float high;
};
Range range_around(const Image& image, int y, int x) {
    Range r{image.at(y, x), image.at(y, x)};
    for (int j = std::max(0, y - 1); j <= std::min(image.height - 1, y + 1); ++j)
        for (int i = std::max(0, x - 1); i <= std::min(image.width - 1, x + 1); ++i) {
            r.low = std::min(r.low, image.at(j, i));
            r.high = std::max(r.high, image.at(j, i));
        }
    return r;
}

// 1 where a pixel within `radius` is 1, else 0.
Image grown(const Image& image, int radius) {
    Image result(image.width, image.height);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            if (image.at(y, x) == 0.0F) continue;
            for (int j = std::max(0, y - radius); j <= std::min(image.height - 1, y + radius); ++j)
                for (int i = std::max(0, x - radius); i <= std::min(image.width - 1, x + radius);
                     ++i)
                    result.at(j, i) = 1;
        }
    return result;
}

// 1 where something moved, on the reference's pixels of this level.
Image moved_on_level(const FrameDetail& reference, const FrameDetail& frame,
                     const FrameReport& report, const Back& back, std::size_t level,
                     const SuspectRule& rule) {
    const Image& t = reference.pyramid.levels[level];
    const Image& i = frame.pyramid.levels[level];
    const double step = std::ldexp(1.0, int(level));
    constexpr float unseen = 1e30F;
    Image values(t.width, t.height, 1, unseen);  // of the frame, as bright as the reference
    Image beyond(t.width, t.height);             // distance to the range
    Image contrast(t.width, t.height);
    Image alias(t.width, t.height);
    const Image& fine = frame.pyramid.levels.front();
    tbb::parallel_for(0, t.height, [&](int y) {
        for (int x = 0; x < t.width; ++x) {
            const Place q = back({step * x, step * y});
            if (!(q.x >= 1 && q.y >= 1 && q.x <= fine.width - 2 && q.y <= fine.height - 2))
                continue;
            const float v = float(gain_at(report, over_frame(fine, q.x, q.y))) *
                                bicubic_at(i, q.x / step, q.y / step, 0) +
                            float(report.offset);
            const Range r = range_around(t, y, x);
            values.at(y, x) = v;
            beyond.at(y, x) = std::max({0.0F, r.low - v, v - r.high});
            contrast.at(y, x) = r.high - r.low;
            const float here = bilinear_at(reference.detail, step * x, step * y);
            const float there = bilinear_at(frame.detail, q.x, q.y);
            alias.at(y, x) =
                std::sqrt(rule.detail_of_both ? std::min(here, there) : std::max(here, there));
        }
    });
    std::vector<float> contrasts;
    for (std::size_t n = 0; n < values.values.size(); ++n)
        if (values.values[n] != unseen) contrasts.push_back(contrast.values[n]);
    if (contrasts.empty()) return Image(t.width, t.height);
    const float flat = median_of(contrasts);
    std::vector<NoiseByBrightness::Pair> pairs;
    for (std::size_t n = 0; n < values.values.size(); ++n)
        if (values.values[n] != unseen && contrast.values[n] <= flat)
            pairs.push_back({t.values[n], values.values[n] - t.values[n]});
    const NoiseByBrightness noise(std::move(pairs));
    Image hits(t.width, t.height);
    for (std::size_t n = 0; n < hits.values.size(); ++n)
        if (double(beyond.values[n]) > noise_factor * noise.at(t.values[n]) + least_difference +
                                           rule.alias_factor * double(alias.values[n]))
            hits.values[n] = 1;
    hits = smoothed(hits, density_px);
    for (float& h : hits.values)
        h = h > rule.least_density ? 1.0F : 0.0F;
    return grown(hits, rule.grown_px);
}

Image moved(const FrameDetail& reference, const FrameDetail& frame, const FrameReport& report,
            const SuspectRule& rule) {
    const Back back(report.motion);
    Image result = moved_on_level(reference, frame, report, back, 0, rule);
    for (std::size_t l = 1; l < std::min(levels_judged, reference.pyramid.levels.size()); ++l) {
        const Image coarse = moved_on_level(reference, frame, report, back, l, rule);
        for (int y = 0; y < result.height; ++y)
            for (int x = 0; x < result.width; ++x)
                if (coarse.at(y >> l, x >> l) != 0.0F) result.at(y, x) = 1;
    }
    return result;
}

// Whether all shifts are multiples of 1/scale pixel.
bool are_exact_fractions(const std::vector<FrameReport>& reports, int scale) {
    const auto is_exact = [scale](double shift) {
        return std::abs(scale * shift - std::round(scale * shift)) < 1e-6;
    };
    return std::all_of(reports.begin(), reports.end(), [&](const FrameReport& r) {
        return r.motion.is_translation() && r.motion.flow.empty() && is_exact(r.motion.matrix[2]) &&
               is_exact(r.motion.matrix[5]);
    });
}

// The mean of 1 - weight of the frames at each pixel of the reference.
Image share_left_out(const std::vector<FrameReport>& reports, int reference, int width,
                     int height) {
    Image share(width, height);
    float judged = 0;
    for (std::size_t k = 0; k < reports.size(); ++k) {
        const FrameReport& r = reports[k];
        if (int(k) == reference || r.weight <= 0) continue;
        ++judged;
        if (r.weights.empty()) continue;
        const Back back(r.motion);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const Place q = back({double(x), double(y)});
                share.at(y, x) += 1 - bilinear_at(r.weights, q.x, q.y);
            }
    }
    for (float& value : share.values)
        value /= std::max(judged, 1.0F);
    return share;
}

}  // namespace

Image weigh_by_motion(const std::vector<Image>& frames, std::vector<FrameReport>& reports,
                      const FramesOptions& options, const ReconstructOptions& solve,
                      const Progress& progress) {
    const auto reference = std::size_t(options.reference);
    if (reports.size() != frames.size() || reference >= frames.size())
        throw Error(ErrorKind::input,
                    "there must be one report per frame, and the reference must "
                    "be one of the frames");
    const ValueLimits limits = value_limits(frames, options.clipped);
    const FrameDetail still = detail_of(frames[reference], limits);
    const auto used = std::count_if(reports.begin(), reports.end(),
                                    [](const FrameReport& r) { return r.weight >= 1; });
    const bool confirms = double(used) >= samples_to_confirm * solve.scale * solve.scale;
    const SuspectRule& rule = confirms                                    ? to_be_confirmed
                              : are_exact_fractions(reports, solve.scale) ? of_exact_shifts
                                                                          : without_confirmation;
    bool any = false;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        if (!report(progress, {"looking for motion", int(k), int(frames.size()), 0}))
            throw Cancelled();
        FrameReport& r = reports[k];
        r.weights = Image();
        if (k == reference || r.weight <= 0) continue;
        const Image there = moved(still, detail_of(frames[k], limits), r, rule);
        if (std::none_of(there.values.begin(), there.values.end(),
                         [](float m) { return m > 0.0F; }))
            continue;
        any = true;
        r.weights = Image(frames[k].width, frames[k].height, 1, 1.0F);
        for (int y = 0; y < r.weights.height; ++y)
            for (int x = 0; x < r.weights.width; ++x) {
                const Place p = r.motion.to_reference({double(x), double(y)});
                r.weights.at(y, x) -= bilinear_at(there, p.x, p.y);
            }
    }
    const int count = int(frames.size());
    if (!report(progress, {"looking for motion", count, count, 0})) throw Cancelled();
    if (any && confirms) confirm_motion(frames, reports, options, solve, progress);
    for (FrameReport& r : reports) {
        if (r.weights.empty()) continue;
        Image left_out = r.weights;
        for (float& w : left_out.values)
            w = w < 1.0F ? 1.0F : 0.0F;
        left_out = grown(left_out, seam_px);
        for (std::size_t i = 0; i < left_out.values.size(); ++i)
            if (left_out.values[i] > 0.0F) r.weights.values[i] = 0;
    }
    return share_left_out(reports, options.reference, frames[reference].width,
                          frames[reference].height);
}

}  // namespace plenosr
