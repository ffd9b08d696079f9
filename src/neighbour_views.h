#pragma once

#include <vector>

#include "plenosr/light_field.h"

namespace plenosr {

// Indices of the views, the one nearest to the grid's centre first, then outwards.
std::vector<std::size_t> outwards(const LightFieldView& light_field);
// Of the views `candidates`, the one nearest to view i; the earlier of two that are equally near.
std::size_t nearest_view(const LightFieldView& light_field, std::size_t i,
                         const std::vector<std::size_t>& candidates);

// One map for every view: a missing one is splatted from the nearest view that has one.
// Error(input) if a map does not fit, or if there is none.
std::vector<Image> complete_maps(const LightFieldView& light_field, std::vector<Image> maps,
                                 int scale);

// The result of another view, u columns and v rows further, as this view sees it:
//   x(p) = other(p - (u, v) d(p)),
// NaN where that lies outside, or where the other view shows another surface there. Both maps have
// full size.
Image moved_to_view(const Image& other, const Image& other_disparity, const Image& disparity,
                    double u, double v);

}  // namespace plenosr
