#pragma once

namespace plenosr::cpu {

// The mixture's expectation step on a run of samples (problem/mixture.h).
struct MixtureStep {
    float sigma = 1;
    float impulses = 0;
    float low = 0;
    float high = 255;
    float slack = 0.01F;
    float robust = 1.5F;
};

struct MixtureRunSums {
    double cost = 0;     // sum m (minus the logarithm of the likelihood)
    double weight = 0;   // sum m
    double trusted = 0;  // sum m omega
    MixtureRunSums& operator+=(const MixtureRunSums& o) {
        cost += o.cost, weight += o.weight, trusted += o.trusted;
        return *this;
    }
};

// `ax` holds A x and leaves as m omega (A x - yhat) / sigma^2.
MixtureRunSums mixture_step(const MixtureStep& step, const float* y, const float* m, float* ax,
                            int n);

}  // namespace plenosr::cpu
