#pragma once

#include <algorithm>
#include <cmath>

#include "solver/backend.h"

// The solvers' steps on one sample or difference, straight from their formulas, in double
// precision. The vector code of the backends is compared with these.
namespace plenosr::test::plain {

// One proximal and dual step (ProxParameters) on the value s with u = z + w:
//   w_old = clip(u, ±t_old),  z_old = u - w_old,  u <- a s + (1 - a) z_old + w_old
//   w = clip(u, ±t),  z = u - w
struct ProxStep {
    double u, w, z, z_old;
    ProxStep(double relax, double s, double u_old, double t_old, double t) {
        const double w_old = std::clamp(u_old, -t_old, t_old);
        z_old = u_old - w_old;
        u = relax * s + (1 - relax) * z_old + w_old;
        w = std::clamp(u, -t, t);
        z = u - w;
    }
    double force(double s) const { return s - z + w; }
};

inline double sign(double v) {
    return v > 0 ? 1.0 : (v < 0 ? -1.0 : 0.0);
}

// The mixture's expectation step (problem/mixture.h) for a sample y with the mean t and m = 1.
struct MixtureSample {
    double slope = 0;    // derivative of the cost, with h and omega held fixed
    double cost = 0;     // minus the logarithm of the likelihood
    double trusted = 0;  // omega h
};

inline MixtureSample mixture_sample(const Mixture& mixture, double y, double t) {
    const double v = mixture.sigma * mixture.sigma + mixture.gain * std::max(t, 0.0);
    const double deviation = std::sqrt(v);
    const double c = mixture.robust;
    const double kappa = mixture.kappa();
    const bool low = y <= mixture.limits.low + ValueLimits::slack;
    const bool high = y >= mixture.limits.high - ValueLimits::slack;
    double s = (y - t) / deviation;
    double omega = 1;
    double cost = 0;
    double square = 0;  // the last bracket of the slope
    const auto huber_weight = [&] { return std::min(1.0, c / std::max(std::abs(s), 1e-9)); };
    if (low || high) {
        const double side = low ? -1 : 1;
        const double limit = low ? mixture.limits.low + 0.5 : mixture.limits.high - 0.5;
        const double a = side * (t - limit) / deviation;
        const double tail = 0.5 * std::erfc(-a / std::sqrt(2.0));
        const double density = std::exp(-a * a / 2) / std::sqrt(2 * std::acos(-1.0));
        const double likely = (1 - mixture.impulses) * std::max(tail, 1e-30);
        const double either = likely + mixture.impulses / 2;
        s = side * density / tail;
        omega = likely / either;
        cost = -std::log(either);
        square = -huber_weight() * a * density / tail;
    } else {
        const double r = std::abs(s);
        cost = (r <= c ? r * r / 2 : c * r - c * c / 2);
        if (mixture.varies()) cost += kappa / 2 * std::log(v);
        square = huber_weight() * s * s - kappa;
    }
    const double growth = t > 0 ? mixture.gain / (2 * v) : 0.0;
    return {-omega * (huber_weight() * s / deviation + growth * square), cost,
            omega * huber_weight()};
}

// The curvature of the cost, expected over the noise.
inline double mixture_curvature(const Mixture& mixture, double t) {
    const double v = mixture.sigma * mixture.sigma + mixture.gain * std::max(t, 0.0);
    return 1 / v + (t > 0 ? mixture.gain * mixture.gain / (2 * v * v) : 0.0);
}

// The edge weight (problem/prior.h) before division by the mean, for the gradient (gx, gy).
inline double edge_weight(double floor, double g0, double gx, double gy, double occlusion) {
    return floor + (1 - floor) * occlusion * std::exp(-(gx * gx + gy * gy) / (g0 * g0));
}

}  // namespace plenosr::test::plain
