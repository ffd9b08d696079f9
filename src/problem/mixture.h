#pragma once

#include <algorithm>

#include "plenosr/image.h"

namespace plenosr {

struct LightField;

// Where the values of the views end. A limit that values exceed is none: it is set far away.
struct ValueLimits {
    double low = 0;
    double high = 255;
    static constexpr double none = 1e9;
    static constexpr double slack = 0.01;  // luma of a white pixel is 255 but for rounding

    bool extreme(float y) const { return double(y) <= low + slack || double(y) >= high - slack; }
};
ValueLimits value_limits(const LightField& light_field);

// The likelihood of one sample y with the mean t = A x:
//   with probability 1 - nu: t and Gaussian noise, rounded and clipped to the limits
//   with probability nu:     an impulse, one of the two limits
// Expectation step: inside the limits yhat = y, omega = 1. At the lower limit
//   a = (low + 1/2 - t) / sigma,  yhat = t - sigma phi(a) / Phi(a)   (the mean of what was clipped)
//   omega = (1 - nu) Phi(a) / ((1 - nu) Phi(a) + nu / 2)             (it was clipped: no impulse)
// and mirrored at the upper one. Then omega <- omega min(1, robust sigma / |yhat - t|), Huber's
// weight, for what the model does not explain. The maximisation step is least squares with the
// weights m omega / sigma^2.
struct Mixture {
    double sigma = 1;
    double impulses = 0;  // nu
    ValueLimits limits;
    double robust = 1.5;

    double precision() const { return 1 / (sigma * sigma); }
};

}  // namespace plenosr
