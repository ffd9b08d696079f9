#include "disparity/consistency.h"

#include <algorithm>
#include <cmath>

#include "light_field/interpolate.h"

namespace plenosr {
namespace {

// Chosen by reasoning, not tuned.
constexpr double occlusion_step = 2 * agreeing_disparity;  // pixels per step between views
constexpr float disagreeing_confidence = 0.5F;             // factor: one of the two maps is wrong

}  // namespace

CrossCheck cross_check(const Image& view_map, const Image& reference_map, double u, double v) {
    CrossCheck check{Image(view_map.width, view_map.height), Image(view_map.width, view_map.height),
                     1};
    double agreeing = 0;
    double compared = 0;
    for (int y = 0; y < view_map.height; ++y)
        for (int x = 0; x < view_map.width; ++x) {
            const double d = double(view_map.at(y, x));
            const double rx = x + u * d;
            const double ry = y + v * d;
            if (!(rx >= 0 && rx <= view_map.width - 1 && ry >= 0 && ry <= view_map.height - 1))
                continue;
            const double there = double(bilinear_at(reference_map, rx, ry));
            const bool agrees = std::abs(there - d) < agreeing_disparity;
            const bool hidden = there - d >= agreeing_disparity;
            check.agrees.at(y, x) = agrees ? 1.0F : 0.0F;
            check.occluded.at(y, x) = hidden ? 1.0F : 0.0F;
            // A larger step is an occlusion, a smaller one an error of either map.
            if (there - d >= occlusion_step) continue;
            compared += 1;
            agreeing += agrees ? 1 : 0;
        }
    if (compared > 0) check.agreement = agreeing / compared;
    return check;
}

Image confidence_seen_from(const Image& confidence, const ViewDisparity& seen, double u, double v) {
    Image result(seen.visible.width, seen.visible.height);
    for (int y = 0; y < result.height; ++y)
        for (int x = 0; x < result.width; ++x) {
            const double d = double(seen.disparity.at(y, x));
            if (seen.visible.at(y, x) > 0)
                result.at(y, x) = bilinear_at(confidence, x + u * d, y + v * d);
        }
    return result;
}

OwnMap made_consistent(const OwnMap& own, const ViewDisparity& seen, const Image& seen_confidence) {
    OwnMap result = own;
    for (std::size_t i = 0; i < own.disparity.values.size(); ++i) {
        if (seen.visible.values[i] <= 0) continue;
        const float a = own.confidence.values[i];
        const float b = seen_confidence.values[i];
        const float here = own.disparity.values[i];
        const float there = seen.disparity.values[i];
        if (std::abs(here - there) < float(agreeing_disparity)) {
            const float sum = a + b;
            result.disparity.values[i] = sum > 0 ? (a * here + b * there) / sum : there;
            result.confidence.values[i] = std::max(a, b);
        } else if (b >= a) {
            result.disparity.values[i] = there;
            result.confidence.values[i] = disagreeing_confidence * b;
        } else {
            result.confidence.values[i] = disagreeing_confidence * a;
        }
    }
    return result;
}

}  // namespace plenosr
