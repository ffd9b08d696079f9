#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "disparity/match_settings.h"
#include "plenosr/disparity.h"

namespace plenosr {

// Matches views on some device.
using Matcher = std::function<Match(const MatchDesc&)>;
// View k of those that take part, one channel; made when it is asked for.
using ViewSource = std::function<Image(std::size_t k)>;

// Largest shifts at the outermost view that are searched, as fractions of the longer image side.
// Chosen by reasoning: 0.15 covers the five scenes of the 4D Light Field Benchmark; the larger one
// is tried where the first map does not explain some view.
inline constexpr double typical_largest_shift = 0.15;
inline constexpr double extreme_largest_shift = 0.4;

// The range of the scene's disparities, from views reduced to about 128 pixels. A coarse sweep
// covers all shifts up to `largest_shift`; further sweeps cover the disparities of its confident
// pixels, until the labels are fine enough. Empty if no pixel is confident.
std::optional<DisparityInterval> automatic_range(const ViewSource& view,
                                                 const std::vector<MatchDesc::Offset>& offsets,
                                                 std::size_t reference, double noise,
                                                 double largest_shift, const Matcher& match);

// The range of a map's confident pixels that most views see, if it is clearly narrower than the one
// that was searched.
std::optional<DisparityInterval> narrower_range(const Image& map, const Image& confidence,
                                                const std::vector<MatchDesc::Offset>& offsets,
                                                DisparityInterval searched);

}  // namespace plenosr
