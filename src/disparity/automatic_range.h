#pragma once

#include <functional>
#include <vector>

#include "disparity/match_settings.h"
#include "plenosr/disparity.h"

namespace plenosr {

// Matches views, on whatever there is to compute with.
using Matcher = std::function<Match(const MatchDesc&)>;

// The disparities of the scene, from views reduced to about 128 pixels a side: a coarse sweep over
// all shifts up to 15 % of the picture, then over what its confident pixels keep, until the
// labels are fine enough. Nothing where no pixel is confident.
std::optional<DisparityInterval> automatic_range(const std::vector<Image>& views,
                                                 const std::vector<MatchDesc::Offset>& offsets,
                                                 std::size_t reference, double noise,
                                                 const Matcher& match);

}  // namespace plenosr
