#include "frames/confirm_motion.h"

#include <tbb/parallel_for.h>

#include <cmath>

#include "base/median.h"
#include "frames/quick_result.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"

namespace plenosr {
namespace {

// Chosen on bursts of nine frames of bench/bursts_table with the true motions: shift of kodim19,
// where strong aliases must not be confirmed (less than 0.5 of a region's D^2 is), and object and
// all-20 of kleiber and portrait, where motion must be (at least 0.54). With e = 0.12 the aliases
// reach 0.8. all-2, all-10 and kodim08 were only checked.
constexpr double residual_px = 2;           // sigma of G
constexpr double model_error_px = 0.2;      // e, pixels of the frames
constexpr double unexplained_share = 0.25;  // of D'
// In noise alone the mean of r^2 around a sample varies by 0.2 n^2, and that of r by 0.14 n.
constexpr double relative_error = 0.6;
constexpr double mean_error = 0.56;
constexpr double harmless_residual = 3;  // grey levels
constexpr double harmless_mean = 2;      // grey levels
constexpr double confirmed_share = 0.5;  // of the sum of D^2 of a region

// D^2 around each sample of a frame.
Image differences(const Image& frame, const Image& reference, const FrameReport& report,
                  Photometric photometric) {
    Image result(frame.width, frame.height);
    tbb::parallel_for(0, frame.height, [&](int y) {
        for (int x = 0; x < frame.width; ++x) {
            const Place p = report.motion.to_reference({double(x), double(y)});
            const float d = value_as_reference(frame, x, y, report, photometric) -
                            bicubic_at(reference, p.x, p.y, 0);
            result.at(y, x) = d * d;
        }
    });
    return smoothed(result, residual_px);
}

// What a quick result leaves of one frame.
struct Unexplained {
    Image squares;     // G * (r^2 - e^2 |grad B x|^2)
    Image mean;        // G * r
    double noise = 0;  // n
    bool at(double x, double y, float difference2) const {
        const double n2 = noise * noise;
        const double d2 = std::max(double(difference2) - 2 * n2, 0.0);
        const double least = unexplained_share * std::sqrt(d2);
        const double more = double(bilinear_at(squares, x, y)) - n2;
        const double mean_here = std::abs(double(bilinear_at(mean, x, y)));
        return more > relative_error * n2 + harmless_residual * harmless_residual + least * least ||
               mean_here > mean_error * noise + harmless_mean + least;
    }
};
Unexplained unexplained(const Image& frame, const FrameReport& report, const Image& blurred,
                        int scale, Photometric photometric) {
    Unexplained result{Image(frame.width, frame.height), Image(frame.width, frame.height), 0};
    constexpr float unseen = 1e30F;
    Image sizes(frame.width, frame.height, 1, unseen);
    tbb::parallel_for(0, frame.height, [&](int y) {
        for (int x = 0; x < frame.width; ++x) {
            const Place p = report.motion.to_reference({double(x), double(y)});
            const double column = scale * p.x;
            const double row = scale * p.y;
            if (!(column >= 0 && row >= 0 && column <= blurred.width - 1 &&
                  row <= blurred.height - 1))
                continue;
            const ValueAndGradient v = bicubic_with_gradient(blurred, column, row);
            const double r = double(value_as_reference(frame, x, y, report, photometric)) - v.value;
            const double moved = model_error_px * scale;
            result.squares.at(y, x) = float(r * r - moved * moved * (v.gx * v.gx + v.gy * v.gy));
            result.mean.at(y, x) = float(r);
            sizes.at(y, x) = float(std::abs(r));
        }
    });
    std::erase(sizes.values, unseen);
    result.squares = smoothed(result.squares, residual_px);
    result.mean = smoothed(result.mean, residual_px);
    if (!sizes.values.empty()) result.noise = sigma_per_median * double(median_of(sizes.values));
    return result;
}

// Sets the weights of connected regions of suspect samples to 1 unless most of a region is
// confirmed: within a moving thing there are places that look alike by chance. False if no region
// is left.
bool keep_confirmed_regions(const Image& confirmed, const Image& difference, Image& weights) {
    bool any = false;
    std::vector<bool> seen(weights.values.size(), false);
    std::vector<std::size_t> region;
    const auto width = std::size_t(weights.width);
    for (std::size_t start = 0; start < seen.size(); ++start) {
        if (seen[start] || weights.values[start] == 1.0F) continue;
        region.assign(1, start);
        seen[start] = true;
        double count = 0;
        double all = 0;
        const auto visit = [&](std::size_t i) {
            if (seen[i] || weights.values[i] == 1.0F) return;
            seen[i] = true;
            region.push_back(i);
        };
        for (std::size_t n = 0; n < region.size(); ++n) {
            const std::size_t i = region[n];
            const auto d2 = double(difference.values[i]);
            count += d2 * double(confirmed.values[i]);
            all += d2;
            if (i % width > 0) visit(i - 1);
            if (i % width + 1 < width) visit(i + 1);
            if (i >= width) visit(i - width);
            if (i + width < seen.size()) visit(i + width);
        }
        if (all > 0 && count >= confirmed_share * all)
            any = true;
        else
            for (const std::size_t i : region)
                weights.values[i] = 1;
    }
    return any;
}

}  // namespace

void confirm_motion(const std::vector<Image>& frames, std::vector<FrameReport>& reports,
                    const FramesOptions& options, const ReconstructOptions& solve,
                    const Progress& progress) {
    std::vector<FrameReport> all = reports;
    for (FrameReport& r : all)
        r.weights = Image();
    std::vector<Image> grey;
    grey.reserve(frames.size());
    for (const Image& frame : frames)
        grey.push_back(luma(frame));
    const Image blurred = quick_blurred_result(grey, all, options, solve, progress);
    const auto of_frame = [&](std::size_t k) {
        return unexplained(grey[k], reports[k], blurred, solve.scale, options.photometric);
    };
    const auto still = std::size_t(options.reference);
    const Unexplained reference = of_frame(still);
    for (std::size_t k = 0; k < frames.size(); ++k) {
        Image& weights = reports[k].weights;
        if (weights.empty()) continue;
        const Unexplained own = of_frame(k);
        const Image difference = differences(grey[k], grey[still], reports[k], options.photometric);
        Image confirmed(weights.width, weights.height);
        for (int y = 0; y < weights.height; ++y)
            for (int x = 0; x < weights.width; ++x) {
                if (weights.at(y, x) == 1.0F) continue;
                const Place p = reports[k].motion.to_reference({double(x), double(y)});
                const float d2 = difference.at(y, x);
                confirmed.at(y, x) = own.at(x, y, d2) || reference.at(p.x, p.y, d2) ? 1.0F : 0.0F;
            }
        if (!keep_confirmed_regions(confirmed, difference, weights)) weights = Image();
    }
}

}  // namespace plenosr
