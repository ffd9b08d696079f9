#include "disparity/confidence.h"

#include <algorithm>
#include <cmath>

namespace plenosr {
namespace {

// Chosen with the other constants of the estimate (match_parameters.h), not varied by themselves.
// They scale the confidence, and thereby set where its thresholds (0.1, 0.5) lie.
constexpr double noise_free_margin = 0.1;  // units of the loss
constexpr double margin_per_noise = 0.3;   // of the loss due to noise, per sqrt(views)

}  // namespace

Image match_confidence(const Match& match, const MatchDesc& desc, double noise) {
    const double views = double(std::max<std::size_t>(desc.views.size(), 1));
    const double per_view = desc.loss == MatchLoss::absolute
                                ? margin_per_noise * noise
                                : margin_per_noise * noise * noise / double(desc.truncation);
    const float chance_margin = float(noise_free_margin + per_view / std::sqrt(views));
    Image confidence = match.margin;
    for (float& m : confidence.values)
        m = std::max(m, 0.0F) / (std::max(m, 0.0F) + chance_margin);
    return confidence;
}

}  // namespace plenosr
