#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "plenosr/image.h"
#include "plenosr/motion.h"

namespace plenosr {

// The width of the sharpest edges, measured as on a slanted edge (ISO 12233). A picture is a scene
// convolved with the PSF of its camera, so none of its edges is sharper than the PSF: the width of
// the sharpest edges is an upper bound for the width of the blur.
//
// Around a strong edge, the samples of all pictures lie at many distances t from the edge. Fitted
// to them is
//   a + b Phi(t / s),   t = n.(p + v delta) - c,   n = (cos theta, sin theta)
// where Phi is the Gaussian distribution function, p the place of a sample, v the step by which an
// error of the disparity moves it, and a, b, c, s, theta, delta are unknown. s is the width.

// A sample near an edge: its place relative to the edge, in pixels of the pictures.
struct EdgeSample {
    Place place;
    Place parallax;  // v; zero where nothing is to be corrected
    double value = 0;
};
// The samples within `radius` of a pixel of the reference. More than one set if the pixel may
// belong to two surfaces: the set that fits best is used.
using SamplesNear =
    std::function<std::vector<std::vector<EdgeSample>>(int x, int y, double radius)>;

// In pixels of the pictures: a low quantile of s over the edges of the reference picture (luma). It
// is that of a Gaussian as wide. Empty if too few edges are straight and alone.
std::optional<double> sharpest_edges(const Image& reference, double noise,
                                     const SamplesNear& samples);

// Adds the samples of a picture near a pixel. `there` is where the picture shows that pixel.
template <typename PlaceOf>
void add_samples(const Image& picture, Place there, Place pixel, double radius, Place parallax,
                 const PlaceOf& place_of, std::vector<EdgeSample>& samples) {
    const auto first = [&](double v) { return std::max(0, int(std::floor(v - radius))); };
    const auto last = [&](double v, int size) {
        return std::min(size - 1, int(std::ceil(v + radius)));
    };
    if (!(std::abs(there.x) < picture.width + radius &&
          std::abs(there.y) < picture.height + radius))
        return;
    for (int y = first(there.y); y <= last(there.y, picture.height); ++y)
        for (int x = first(there.x); x <= last(there.x, picture.width); ++x) {
            const Place p = place_of(Place{double(x), double(y)});
            const Place from{p.x - pixel.x, p.y - pixel.y};
            if (from.x * from.x + from.y * from.y <= radius * radius)
                samples.push_back({from, parallax, double(picture.at(y, x))});
        }
}

}  // namespace plenosr
