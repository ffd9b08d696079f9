#pragma once

#include "problem/mixture.h"

namespace plenosr::cpu {

// Parameters of the mixture's expectation step (problem/mixture.h).
struct MixtureStep {
    float sigma = 1;
    float impulses = 0;
    float low = 0;
    float high = 255;
    float slack = 0.01F;
    float robust = 1.5F;
    float gain = 0;
    float kappa = 1;
};

inline MixtureStep to_step(const Mixture& m) {
    return {float(m.sigma),       float(m.impulses),         float(m.limits.low),
            float(m.limits.high), float(ValueLimits::slack), float(m.robust),
            float(m.gain),        float(m.kappa())};
}

struct MixtureRunSums {
    double cost = 0;     // sum m (minus the logarithm of the likelihood)
    double weight = 0;   // sum m
    double trusted = 0;  // sum m omega
    MixtureRunSums& operator+=(const MixtureRunSums& o) {
        cost += o.cost, weight += o.weight, trusted += o.trusted;
        return *this;
    }
};

// `ax` holds A x and becomes the slope of the cost.
MixtureRunSums mixture_step(const MixtureStep& step, const float* y, const float* m, float* ax,
                            int n);

// c <- m (1 / v + gain^2 / (2 v^2)) at the means t; c may be t
void curvature_run(const MixtureStep& step, const float* m, const float* t, float* c, int n);

}  // namespace plenosr::cpu
