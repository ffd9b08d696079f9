#include "disparity/confidence.h"

#include <algorithm>
#include <cmath>

namespace plenosr {

Image match_confidence(const Match& match, double noise, std::size_t views) {
    const float likely = float(0.1 + noise / std::sqrt(double(std::max<std::size_t>(views, 1))));
    Image confidence = match.margin;
    for (float& m : confidence.values)
        m = std::max(m, 0.0F) / (std::max(m, 0.0F) + likely);
    return confidence;
}

}  // namespace plenosr
