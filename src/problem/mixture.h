#pragma once

#include <cmath>

#include "light_field/value_limits.h"

namespace plenosr {

// The likelihood of one sample y with the mean t = A x:
//   with probability 1 - nu: t plus Gaussian noise, rounded and clipped to the limits
//   with probability nu:     an impulse, one of the two limits
// Expectation step: inside the limits yhat = y, omega = 1. At the lower limit
//   a = (low + 1/2 - t) / sigma,  yhat = t - sigma phi(a) / Phi(a)   (the mean of what was clipped)
//   omega = (1 - nu) Phi(a) / ((1 - nu) Phi(a) + nu / 2)             (it was clipped: no impulse)
// and mirrored at the upper one. Then omega <- omega h with Huber's weight
// h = min(1, robust sigma / |yhat - t|), for outliers of the model. The maximisation step is least
// squares with the weights m omega / sigma^2. Without limits and impulses this is Huber's data
// term.
//
// Photon noise grows with the brightness (Poisson and Gauss): v(t) = sigma^2 + gain t^+
// replaces sigma^2, and the cost of a sample inside the limits gains a logarithm,
//   rho(s) + (kappa / 2) log v,   s = (y - t) / sqrt(v),   rho Huber's function.
// With kappa = E[s rho'(s)] = 2 Phi(robust) - 1 for Gaussian noise the estimate is unbiased. The
// slope:
//   - omega h s / sqrt(v) - omega gain / (2 v) (h s^2 - kappa)
// At a limit the last bracket is h E[s^2 - 1] = -h a phi(a) / Phi(a), the expected square of the
// clipped value. The curvature, expected over the noise, is 1 / v + gain^2 / (2 v^2).
struct Mixture {
    double sigma = 1;     // of noise that does not depend on the brightness
    double impulses = 0;  // nu
    ValueLimits limits;
    double robust = 1.5;  // Huber's threshold in sigma; the prototype's value
    double gain = 0;      // grey levels per photon; 0: no photon noise

    bool varies() const { return gain > 0; }
    double kappa() const { return std::erf(robust / std::sqrt(2.0)); }
    // The factor of A'MA; a curvature that varies is part of M.
    double precision() const { return varies() ? 1.0 : 1 / (sigma * sigma); }
};

}  // namespace plenosr
