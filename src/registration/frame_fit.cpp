#include "registration/frame_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/cholesky.h"
#include "base/median.h"
#include "light_field/interpolate.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

// Values of the frame at q and of the reference at motion q, over about 1e5 pixels.
struct PixelPairs {
    std::vector<float> frame;
    std::vector<float> reference;
    std::vector<Place> at;  // q, -1 to 1 over the frame
    double overlap = 0;
    std::size_t size() const { return frame.size(); }
};
PixelPairs pixel_pairs(const Image& reference, const Image& frame, const FrameMotion& motion) {
    const int stride = std::max(1, int(std::sqrt(double(frame.pixels()) / pixels_for_residual)));
    PixelPairs d;
    double all = 0;
    for (int y = 0; y < frame.height; y += stride)
        for (int x = 0; x < frame.width; x += stride) {
            ++all;
            const Place p = motion.to_reference({double(x), double(y)});
            if (p.x < 0 || p.y < 0 || p.x > reference.width - 1 || p.y > reference.height - 1)
                continue;
            d.frame.push_back(frame.at(y, x));
            d.reference.push_back(bicubic_at(reference, p.x, p.y, 0));
            d.at.push_back(over_frame(frame, x, y));
        }
    d.overlap = double(d.size()) / all;
    return d;
}

// 1.4826 median |(gain + shading) frame + offset - reference|
float spread(const PixelPairs& d, const FrameReport& r) {
    std::vector<float> values(d.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] =
            std::abs(float(gain_at(r, d.at[i])) * d.frame[i] + float(r.offset) - d.reference[i]);
    return values.empty() ? 0.0F : spread_of(median_of(values));
}

// Gain and offset by least squares with Tukey's weights.
void fit_photometry(const PixelPairs& d, FrameReport& r) {
    for (int n = 0; n < photometry_rounds; ++n) {
        const double cut = residual_cut(double(spread(d, r)));
        double w = 0;
        double wf = 0;
        double wr = 0;
        double wff = 0;
        double wfr = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
            const double f = double(d.frame[i]);
            const double t = double(d.reference[i]);
            const double e = (r.gain * f + r.offset - t) / cut;
            if (std::abs(e) >= 1) continue;
            const double weight = (1 - e * e) * (1 - e * e);
            w += weight;
            wf += weight * f;
            wr += weight * t;
            wff += weight * f * f;
            wfr += weight * f * t;
        }
        const double variance = wff * w - wf * wf;
        if (!(variance > least_relative_variance * w * w)) return;
        r.gain = (wfr * w - wf * wr) / variance;
        r.offset = (wr - r.gain * wf) / w;
    }
}

// ---- significance -------------------------------------------------------------------------------
// Means over blocks of the frame: the errors of neighbouring pixels are alike, those of blocks are
// nearly independent, and their scatter shows how far a difference in brightness is chance.
struct BrightnessBlock {
    double frame = 0;
    double reference = 0;
    double count = 0;
    double u = 0;
    double v = 0;
    double weight = 0;
};

constexpr std::size_t most_terms = 7;
using Terms = std::array<double, most_terms>;

// reference - frame = offset + (gain - 1) frame + shading frame
Terms terms_of(const BrightnessBlock& b) {
    const double f = b.frame;
    return {1, f, b.u * f, b.v * f, b.u * b.u * f, b.u * b.v * f, b.v * b.v * f};
}
double value_of(const Terms& theta, const BrightnessBlock& b, std::size_t terms) {
    const Terms t = terms_of(b);
    double sum = 0;
    for (std::size_t i = 0; i < terms; ++i)
        sum += theta[i] * t[i];
    return sum;
}

std::vector<BrightnessBlock> brightness_blocks(const PixelPairs& d, const FrameReport& r) {
    std::vector<BrightnessBlock> blocks(std::size_t(brightness_blocks_across) *
                                        std::size_t(brightness_blocks_across));
    const double cut = residual_cut(double(spread(d, r)));
    const auto cell = [](double u) {
        return std::clamp(int((u + 1) / 2 * brightness_blocks_across), 0,
                          brightness_blocks_across - 1);
    };
    for (std::size_t i = 0; i < d.size(); ++i) {
        const Place at = d.at[i];
        const double e = gain_at(r, at) * double(d.frame[i]) + r.offset - double(d.reference[i]);
        if (std::abs(e) > photometry_block_cut * cut) continue;
        BrightnessBlock& b =
            blocks[std::size_t(cell(at.y) * brightness_blocks_across + cell(at.x))];
        b.frame += double(d.frame[i]);
        b.reference += double(d.reference[i]);
        b.u += at.x;
        b.v += at.y;
        ++b.count;
    }
    const double full = double(d.size()) / double(blocks.size());
    std::erase_if(blocks, [&](const BrightnessBlock& b) { return b.count < 0.5 * full; });
    for (BrightnessBlock& b : blocks) {
        for (double* sum : {&b.frame, &b.reference, &b.u, &b.v})
            *sum /= b.count;
        b.weight = 1;
    }
    return blocks;
}

// The first `terms` terms by weighted least squares; returns the weighted sum of squared residuals.
double fitted(const std::vector<BrightnessBlock>& blocks, std::size_t terms, Terms& theta) {
    std::array<Terms, most_terms> matrix{};
    theta = {};
    for (const BrightnessBlock& b : blocks) {
        const Terms t = terms_of(b);
        for (std::size_t i = 0; i < terms; ++i) {
            theta[i] += b.weight * t[i] * (b.reference - b.frame);
            for (std::size_t j = 0; j <= i; ++j)
                matrix[i][j] += b.weight * t[i] * t[j];
        }
    }
    if (terms > 0 && !solve_in_place(matrix, theta, terms)) theta = {};
    double sum = 0;
    for (const BrightnessBlock& b : blocks) {
        const double e = b.reference - b.frame - value_of(theta, b, terms);
        sum += b.weight * e * e;
    }
    return sum;
}

bool is_significant(double excess, double freedom) {
    return excess > freedom + photometry_sigmas * std::sqrt(2 * freedom);
}

// Gain and offset, then shading, where they are significant.
void judge_photometry(const PixelPairs& d, FrameReport& r) {
    std::vector<BrightnessBlock> blocks = brightness_blocks(d, r);
    if (blocks.size() < fewest_blocks) return;
    Terms shaded{};
    double variance = 0;
    for (int n = 0; n < photometry_rounds; ++n) {
        fitted(blocks, most_terms, shaded);
        std::vector<float> sizes;
        sizes.reserve(blocks.size());
        for (const BrightnessBlock& b : blocks)
            sizes.push_back(
                float(std::abs(b.reference - b.frame - value_of(shaded, b, most_terms))));
        const double sigma =
            std::max(sigma_per_median * double(median_of(sizes)), least_brightness_error);
        variance = sigma * sigma;
        for (BrightnessBlock& b : blocks) {
            const double e = (b.reference - b.frame - value_of(shaded, b, most_terms)) / sigma;
            b.weight = std::abs(e) < tukey_cut ? std::pow(1 - std::pow(e / tukey_cut, 2), 2) : 0;
        }
    }
    Terms plain{};
    const double of_shading = fitted(blocks, most_terms, shaded);
    const double of_gain = fitted(blocks, 2, plain);
    const double of_nothing = fitted(blocks, 0, plain);
    constexpr double gain_terms = 2;
    const bool has_shading =
        is_significant((of_gain - of_shading) / variance, double(most_terms) - gain_terms);
    r.equalised = has_shading || is_significant((of_nothing - of_gain) / variance, gain_terms);
    if (!has_shading) return;
    r.offset = shaded[0];
    r.gain = 1 + shaded[1];
    for (std::size_t i = 0; i < r.shading.size(); ++i)
        r.shading[i] = shaded[i + 2];
}

}  // namespace

void measure_fit(const Image& reference, const Image& frame, FrameReport& report) {
    const PixelPairs d = pixel_pairs(reference, frame, report.motion);
    report.overlap = d.overlap;
    fit_photometry(d, report);
    judge_photometry(d, report);
    report.residual = double(spread(d, report));
}

double typical_residual(const std::vector<FrameReport>& reports, int reference) {
    std::vector<double> residuals;
    for (std::size_t k = 0; k < reports.size(); ++k)
        if (int(k) != reference) residuals.push_back(reports[k].residual);
    if (residuals.empty()) return 0;
    std::sort(residuals.begin(), residuals.end());
    return residuals[(residuals.size() - 1) / 2];
}

bool is_outlier(double residual, double typical) {
    return residual > outlier_factor * typical + outlier_offset;
}

}  // namespace plenosr
