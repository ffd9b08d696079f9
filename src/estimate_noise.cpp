#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "devices/make_engines.h"
#include "estimate_blur.h"
#include "noise/single_view_noise.h"
#include "plenosr/noise.h"
#include "reconstruct_view.h"

namespace plenosr {
namespace {

// Residuals with respect to the median of few views are too small: it follows their noise.
constexpr std::size_t enough_views = 5;

}  // namespace

NoiseReport estimate_noise(const LightFieldView& light_field) {
    light_field.validate();
    std::vector<double> sigmas;
    NoiseReport report;
    const ValueLimits limits = value_limits(light_field);
    for (const PlacedView& view : light_field.views) {
        const SensorNoise noise = single_view_noise(view.image, limits);
        sigmas.push_back(noise.sigma);
        report.impulses_of_views += noise.impulses / double(light_field.views.size());
    }
    const auto middle = sigmas.begin() + std::ptrdiff_t(sigmas.size() / 2);
    std::nth_element(sigmas.begin(), middle, sigmas.end());
    report.sigma_of_views = *middle;
    report.sigma = report.sigma_of_views;
    report.impulses = report.impulses_of_views;
    report.termination = Termination::finished;
    return report;
}

namespace {

NoiseReport compared(const LightFieldView& light_field, ViewPosition reference,
                     const Image& disparity, const ReconstructOptions& options,
                     const Progress& progress) {
    NoiseReport report = estimate_noise(light_field);
    if (light_field.views.size() < enough_views) return report;
    ReconstructOptions survey = options;
    if (is_automatic(survey.blur)) survey.blur = BlurSpec();  // it has little effect on the noise
    const ImageStatistics statistics = survey_view(make_engines(survey, progress), light_field,
                                                   reference, disparity, survey, progress);
    report.from_residuals = true;
    report.sigma = statistics.noise.quietest;
    report.impulses = statistics.noise.impulses;
    report.model_error = std::sqrt(std::max(
        0.0, statistics.noise.residual * statistics.noise.residual - report.sigma * report.sigma));
    return report;
}

}  // namespace

NoiseReport estimate_noise(const LightFieldView& light_field, ViewPosition reference,
                           const Image& disparity, const ReconstructOptions& options,
                           const Progress& progress) {
    return finished_or_cancelled<NoiseReport>(
        [&] { return compared(light_field, reference, disparity, options, progress); });
}

}  // namespace plenosr
