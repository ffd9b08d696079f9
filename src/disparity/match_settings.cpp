#include "disparity/match_settings.h"

#include <algorithm>
#include <cmath>

#include "light_field/smooth.h"

namespace plenosr {
namespace {

// Values for little noise, for sigma = 20 and for sigma = 50, linear between them.
double over_noise(double noise, double little, double some, double much) {
    constexpr double low = 3;
    constexpr double middle = 20;
    constexpr double high = 50;
    if (noise <= low) return little;
    if (noise <= middle) return little + (some - little) * (noise - low) / (middle - low);
    return some + (much - some) * std::min(1.0, (noise - middle) / (high - middle));
}

constexpr double squared_from = 8;  // grey levels of noise from which squares match better

}  // namespace

MatchSettings match_settings(double noise, int scale) {
    const double aliased = scale <= 1 ? 0.5 : std::min(0.9, 0.65 + 0.05 * scale);
    // Where views are coarse, a window of as many pixels covers more of the scene.
    const double reach = scale >= 3 ? 1.0 : 1.5;
    MatchSettings s;
    s.smoothing = over_noise(noise, aliased, scale >= 3 ? 1.2 : 1.5, 1.5);
    s.noise = std::max(0.5, noise * smoothed_noise(s.smoothing));
    s.loss = noise < squared_from ? MatchLoss::absolute : MatchLoss::squared;
    s.truncation = float(std::max(12.0, 4 * s.noise));
    s.window = int(std::lround(over_noise(noise, 2, 4 * reach, 6 * reach)));
    s.epsilon = float(std::max(4.0, 2 * s.noise * s.noise));
    s.small_jump = over_noise(noise, 0.0625, 0.125, 0.1875);
    s.large_jump = over_noise(noise, 1, 2, 2.5);
    s.edge = float(std::max(6.0, 2 * s.noise));
    s.median = scale <= 1 ? 7 : scale <= 2 ? 4 : 3;
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
