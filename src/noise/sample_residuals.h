#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/rounding.h"
#include "problem/mixture.h"
#include "problem/problem.h"

namespace plenosr {

// The residuals r = y - (Bx)(place) of an earlier result x, for the sampling operator. In colour
// they are those of the mean of the channels.

// The mean of the channels, and B x of it.
Image mean_of_channels(const Image& image);
Image blurred_mean(const Image& result, const PsfGrid& psf);

// The mean of a sample's channels; NaN if one of them lies at a limit, where it may be an impulse,
// or clipped.
inline double mean_sample(const Observation& o, int i, int j, const ValueLimits& limits) {
    double sum = 0;
    for (int c = 0; c < o.values.channels; ++c) {
        const float y = o.values.at(i, j, c);
        if (limits.extreme(y)) return std::nan("");
        sum += double(y);
    }
    return sum / o.values.channels;
}

// Calls fn(i, j, place) for each sample of a positive weight.
template <class Fn>
void for_each_sample(const Problem& p, const Observation& o, const Fn& fn) {
    for (int i = 0; i < o.values.height; ++i)
        for (int j = 0; j < o.values.width; ++j)
            if (o.weight.at(i, j) > 0.0F) fn(i, j, o.place(p.scale, i, j));
}

// The index of the pixel of x that lies nearest to a sample.
inline std::size_t nearest_pixel(const Problem& p, const Place& at) {
    const int x = std::clamp(floor_to_int(at.x + p.psf.phase + 0.5), 0, p.width - 1);
    const int y = std::clamp(floor_to_int(at.y + p.psf.phase + 0.5), 0, p.height - 1);
    return std::size_t(y) * std::size_t(p.width) + std::size_t(x);
}

inline bool is_in(const Box& box, const Place& at) {
    return at.x >= box.x0 && at.y >= box.y0 && at.x < box.x1() && at.y < box.y1();
}

inline bool is_reference(const Observation& o) {
    return o.u == 0 && o.v == 0;
}

}  // namespace plenosr
