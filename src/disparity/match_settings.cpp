#include "disparity/match_settings.h"

#include <algorithm>
#include <cmath>

#include "disparity/match_parameters.h"
#include "light_field/smooth.h"

namespace plenosr {

using namespace match_rule;

namespace {

double at_noise(double noise, const ByNoise& values) {
    const auto& [little, some, much] = values;
    if (noise <= little_noise) return little;
    if (noise <= some_noise)
        return little + (some - little) * (noise - little_noise) / (some_noise - little_noise);
    return some + (much - some) * std::min(1.0, (noise - some_noise) / (much_noise - some_noise));
}

}  // namespace

MatchSettings match_settings(double noise, int scale) {
    const bool coarse = scale >= coarse_scale;
    const double aliased = scale <= 1 ? smoothing_full_size
                                      : std::min(most_aliased_smoothing,
                                                 smoothing_aliased + smoothing_per_scale * scale);
    const double factor = coarse ? 1.0 : window_factor;
    MatchSettings s;
    s.smoothing = at_noise(
        noise, {aliased, coarse ? smoothing_noisy_coarse : smoothing_noisy, smoothing_noisy});
    s.noise = std::max(least_noise, noise * smoothed_noise(s.smoothing));
    s.loss = noise < squared_loss_from ? MatchLoss::absolute : MatchLoss::squared;
    s.truncation = float(std::max(least_truncation, truncation_per_noise * s.noise));
    s.window = int(
        std::lround(at_noise(noise, {window.little, window.some * factor, window.much * factor})));
    s.epsilon = float(std::max(least_epsilon, epsilon_per_variance * s.noise * s.noise));
    s.small_jump = at_noise(noise, small_jump);
    s.large_jump = at_noise(noise, large_jump);
    s.edge = float(std::max(least_edge, edge_per_noise * s.noise));
    s.median = scale <= 1 ? median_radius_x1 : scale <= 2 ? median_radius_x2 : median_radius_coarse;
    return s;
}

MatchDesc match_desc(const MatchSettings& s) {
    MatchDesc desc;
    desc.loss = s.loss;
    desc.truncation = s.truncation;
    desc.window = s.window;
    desc.epsilon = s.epsilon;
    desc.small_jump = s.small_jump;
    desc.large_jump = s.large_jump;
    desc.edge = s.edge;
    return desc;
}

}  // namespace plenosr
