#pragma once

#include "plenosr/disparity.h"

namespace plenosr {

// Merges two maps of one view: its own estimate, and the reference's map as seen from the view.
//   both agree      their mean, weighted by confidence
//   both differ     the more confident one, with half of its confidence
//   one is a hole   the other
struct OwnMap {
    Image disparity;
    Image confidence;
};
OwnMap made_consistent(const OwnMap& own, const ViewDisparity& seen, const Image& seen_confidence);

// The reference's confidence as seen from the view whose maps are `seen`; 0 where it is not
// visible.
Image confidence_seen_from(const Image& confidence, const ViewDisparity& seen, double u, double v);

}  // namespace plenosr
