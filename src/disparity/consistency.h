#pragma once

#include "plenosr/disparity.h"

namespace plenosr {

// One map from two of the same view: its own estimate, and the reference's map seen from there.
//   both agree      their mean, by confidence
//   both differ     the more confident one
//   one is a hole   the other
struct OwnMap {
    Image disparity;
    Image confidence;
};
OwnMap made_consistent(const OwnMap& own, const ViewDisparity& seen, const Image& seen_confidence);

// The reference's confidence, seen from the view whose maps are `seen`; 0 where it is not visible.
Image confidence_seen_from(const Image& confidence, const ViewDisparity& seen, double u, double v);

}  // namespace plenosr
