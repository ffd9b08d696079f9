#include "disparity/confidence.h"

#include <algorithm>
#include <cmath>

namespace plenosr {

Image match_confidence(const Match& match, const MatchDesc& desc, double noise) {
    const double views = double(std::max<std::size_t>(desc.views.size(), 1));
    const double per_view = desc.loss == MatchLoss::absolute
                                ? 0.3 * noise
                                : 0.3 * noise * noise / double(desc.truncation);
    const float likely = float(0.1 + per_view / std::sqrt(views));
    Image confidence = match.margin;
    for (float& m : confidence.values)
        m = std::max(m, 0.0F) / (std::max(m, 0.0F) + likely);
    return confidence;
}

}  // namespace plenosr
