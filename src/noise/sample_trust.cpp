#include "noise/sample_trust.h"

#include <tbb/parallel_for.h>

#include <limits>

#include "kernels/parameters.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "noise/histogram_median.h"

namespace plenosr {
namespace {

// The form is that of a prototype (seven sets of views, captured and rendered). Chosen on the
// captures bikes and illum_field, reduced x2, and on boardgames, dishes and medieval2 x2 with noise
// of 1 and with the bicubic reduction; checked on friends_1 and vinyl. A term for errors that grow
// with the gradient along the parallax gained nothing beside rho.
// Sensitivity, PSNR in dB on 256 x 256 pixels of bikes, reduced x2 (36.47 with the values below),
// with half and with twice a value:
//   weight_of_others     36.71, 35.85
//   weight_of_reference  36.42, 36.38
//   neighbourhood_px     36.51, 36.44
//   harmless_misfit      36.53, 36.46
// The other values were not varied.
constexpr double weight_of_others = 1.25;
constexpr double weight_of_reference = 2.5;  // at least
// Where the blur is wide: squared grey levels, over b, because less noise does less harm. With the
// usual blur of the scale, cotton (x2 and x4, noise 1) loses 0.2 dB.
constexpr double precise_reference = 5;
constexpr double largest_weight_of_reference = 8;
constexpr double least_reference_sigma = 0.4;  // grey levels; rounding to 8 bits leaves 0.3
constexpr double neighbourhood_px = 3;         // high-resolution pixels: sigma of G_3
constexpr double most_squared = 64;            // r^2 / a, or r^2 / sigma^2, is clipped there
constexpr float least_misfit = 0.3F;           // rho
constexpr float most_misfit = 64;
constexpr double harmless_misfit = 6;    // grey levels, beside noise: causes no visible dots
constexpr double largest_pull = 1;       // grey levels by which the prior may move an edge
constexpr double error_px = 0.7;         // sigma of the local mean e
constexpr double largest_error = 30;     // grey levels: larger residuals count as so large
constexpr float least_divisor = 1e-12F;  // avoids 0 / 0 where there is no sample
constexpr double harmless_sigma = 0.7;   // grey levels: smaller contradictions of views do no harm

// Histogram of |r|, in grey levels.
constexpr double bin_width = 0.02;
constexpr std::size_t bins = 6400;

// G * (sum of w v) / G * (sum of w), from values v with weights w that belong to pixels.
class LocalMean {
public:
    explicit LocalMean(const Problem& p) : sum_(p.width, p.height), weight_(p.width, p.height) {}
    void add(std::size_t pixel, float weight, float value) {
        sum_.values[pixel] += weight * value;
        weight_.values[pixel] += weight;
    }
    Image smoothed_by(double px) const {
        Image mean = smoothed(sum_, px);
        const Image weight = smoothed(weight_, px);
        for (std::size_t i = 0; i < mean.values.size(); ++i)
            mean.values[i] /= std::max(weight.values[i], least_divisor);
        return mean;
    }

private:
    Image sum_;
    Image weight_;
};

double robust_variance(const std::vector<std::uint32_t>& counts) {
    double all = 0;
    for (const std::uint32_t n : counts)
        all += n;
    const double sigma =
        all > 0 ? sigma_per_median * bin_width * histogram_median(counts, all) : 1.0;
    return sigma * sigma;
}

}  // namespace

TrustResiduals::TrustResiduals(const Problem& p, const Image& before, const ValueLimits& limits)
    : of_views_(p.observations.size()) {
    const Image blurred = blurred_mean(before, p.psf);
    tbb::parallel_for(std::size_t(0), of_views_.size(), [&](std::size_t k) {
        const Observation& o = p.observations[k];
        Image& r = of_views_[k];
        r = Image(o.values.width, o.values.height, 1, std::numeric_limits<float>::quiet_NaN());
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            r.at(i, j) =
                float(mean_sample(o, i, j, limits) - double(bicubic_at(blurred, at.x, at.y, 0)));
        });
    });
    LocalMean mean(p);
    // In the order of the views, so that the result does not depend on the threads.
    for (std::size_t k = 0; k < of_views_.size(); ++k) {
        const Observation& o = p.observations[k];
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            const float r = of_views_[k].at(i, j);
            if (!std::isnan(r))
                mean.add(nearest_pixel(p, at), o.weight.at(i, j),
                         std::clamp(r, float(-largest_error), float(largest_error)));
        });
    }
    const Image error = mean.smoothed_by(error_px);
    tbb::parallel_for(std::size_t(0), of_views_.size(), [&](std::size_t k) {
        for_each_sample(p, p.observations[k], [&](int i, int j, const Place& at) {
            of_views_[k].at(i, j) -= error.values[nearest_pixel(p, at)];
        });
    });
}

void TrustResiduals::Counts::add(const Counts& more) {
    const auto add_to = [](std::vector<std::uint32_t>& sum, const std::vector<std::uint32_t>& n) {
        sum.resize(bins);
        for (std::size_t i = 0; i < n.size(); ++i)
            sum[i] += n[i];
    };
    add_to(others, more.others);
    add_to(reference, more.reference);
}

TrustScale TrustResiduals::Counts::scale() const {
    return {std::max(harmless_sigma * harmless_sigma, robust_variance(others)),
            std::max(least_reference_sigma * least_reference_sigma, robust_variance(reference))};
}

TrustResiduals::Counts TrustResiduals::counts(const Problem& p, const Box& core) const {
    Counts sum{std::vector<std::uint32_t>(bins), std::vector<std::uint32_t>(bins)};
    for (std::size_t k = 0; k < of_views_.size(); ++k) {
        const Observation& o = p.observations[k];
        auto& n = is_reference(o) ? sum.reference : sum.others;
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            const double r = std::abs(double(of_views_[k].at(i, j)));
            if (std::isnan(r) || !is_in(core, at)) return;
            ++n[std::size_t(std::min(r / bin_width, double(bins - 1)))];
        });
    }
    return sum;
}

Image TrustResiduals::squares(const Problem& p, double most) const {
    LocalMean mean(p);
    for (std::size_t k = 0; k < of_views_.size(); ++k) {
        const Observation& o = p.observations[k];
        if (is_reference(o)) continue;
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            const float r = of_views_[k].at(i, j);
            if (!std::isnan(r))
                mean.add(nearest_pixel(p, at), o.weight.at(i, j), std::min(r * r, float(most)));
        });
    }
    return mean.smoothed_by(neighbourhood_px);
}

Image weight_by_trust(Problem& p, const TrustResiduals& residuals, const TrustScale& scale,
                      double noise, double pull, double blur_factor) {
    const double variance = noise * noise;
    const Image squares = residuals.squares(p, most_squared * std::max(scale.others, variance));
    const auto explained = float(2 * variance + harmless_misfit * harmless_misfit);
    const auto least = float(std::min(1.0, pull / largest_pull));
    const double by_noise = std::clamp(precise_reference / scale.reference, weight_of_reference,
                                       largest_weight_of_reference);
    const double c = weight_of_reference + (blur_factor - 1) * (by_noise - weight_of_reference);
    const auto of_reference = float(c * scale.others / scale.reference);
    Image trust(p.width, p.height);  // of the other views
    for (std::size_t i = 0; i < trust.values.size(); ++i) {
        const float s2 = std::max(squares.values[i], least_divisor);
        const float rho = std::clamp(s2 / float(scale.others), least_misfit, most_misfit);
        const float share = std::min(1.0F, explained / s2);
        trust.values[i] = std::max(float(weight_of_others) / rho, least * share * share);
    }
    tbb::parallel_for(std::size_t(0), p.observations.size(), [&](std::size_t k) {
        Observation& o = p.observations[k];
        const bool reference = is_reference(o);
        for_each_sample(p, o, [&](int i, int j, const Place& at) {
            o.weight.at(i, j) *=
                reference ? std::max(1.0F, of_reference) : trust.values[nearest_pixel(p, at)];
        });
    });
    return trust;
}

}  // namespace plenosr
