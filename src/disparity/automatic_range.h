#pragma once

#include <functional>
#include <vector>

#include "disparity/match_settings.h"
#include "plenosr/disparity.h"

namespace plenosr {

// Matches views, on whatever there is to compute with.
using Matcher = std::function<Match(const MatchDesc&)>;

// View k of those that take part, one channel; made when it is asked for.
using ViewSource = std::function<Image(std::size_t k)>;

// The disparities of the scene, from views reduced to about 128 pixels a side: a coarse sweep over
// all shifts up to a share `farthest` of the picture, at the outermost view, then over what its
// confident pixels keep, until the labels are fine enough. Nothing where no pixel is confident.
inline constexpr double usual_shift = 0.15;
inline constexpr double extreme_shift = 0.4;
std::optional<DisparityInterval> automatic_range(const ViewSource& view,
                                                 const std::vector<MatchDesc::Offset>& offsets,
                                                 std::size_t reference, double noise,
                                                 double farthest, const Matcher& match);

}  // namespace plenosr
