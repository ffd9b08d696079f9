#pragma once

#include <algorithm>
#include <cmath>

namespace plenosr::synth {

// h(x', y') and its partial derivatives.
struct Height {
    double h = 0, hx = 0, hy = 0;
};

// A smooth bump a (1 - r²)³ for r < 1, else 0. r is the distance from its centre divided by its
// radius.
struct Bump {
    double cx, cy, a;
    double per_radius;  // 1 / radius

    Bump(double x, double y, double radius, double height)
        : cx(x), cy(y), a(height), per_radius(1 / radius) {}

    void add_to(Height& height, double x, double y) const {
        const double dx = (x - cx) * per_radius;
        const double dy = (y - cy) * per_radius;
        const double q = 1 - dx * dx - dy * dy;
        if (q <= 0) return;
        height.h += a * q * q * q;
        height.hx -= 6 * a * q * q * dx * per_radius;
        height.hy -= 6 * a * q * q * dy * per_radius;
    }
    // The slope is steepest at r = 1/√5.
    double greatest_slope() const { return 1.7173 * std::abs(a) * per_radius; }
};

template <class Bumps>
Height height_of(const Bumps& bumps, double x, double y) {
    Height sum;
    for (const Bump& bump : bumps)
        bump.add_to(sum, x, y);
    return sum;
}

// Lambertian shading, lit from the upper left: (n · l) / |n| with n = (-hx, -hy, 1). `relief` is
// the height of h = 1 in pixels. Flat parts have the brightness 1.
inline float shading(const Height& at, double relief) {
    const double nx = -relief * at.hx;
    const double ny = -relief * at.hy;
    const double lambert = (-0.50 * nx - 0.60 * ny + 0.62) / std::sqrt(nx * nx + ny * ny + 1);
    return float(0.42 + 0.95 * std::max(lambert, 0.0));
}

}  // namespace plenosr::synth
