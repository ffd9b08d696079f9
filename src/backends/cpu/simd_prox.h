#pragma once

namespace plenosr::cpu {

// Element-wise steps of the solvers on rows (prior) or runs of samples (data).

struct StepSums {
    double l1 = 0;      // sum weight |s|
    double l2 = 0;      // sum weight s^2         (data only)
    double primal = 0;  // sum weight (s - z)^2
    double dual = 0;    // sum weight (z - z_old)^2
    StepSums& operator+=(const StepSums& o) {
        l1 += o.l1, l2 += o.l2, primal += o.primal, dual += o.dual;
        return *this;
    }
};

// The dual variable w and the split variable z are stored as their sum u = z + w:
//   w = clip(u, ±threshold),  z = u - w.
// One step with over-relaxation a:  u <- a s + (1 - a) z + w,  z and w with the old threshold.
struct ProxStep {
    float relax = 1;
    float old_threshold = 0;
    float threshold = 0;
};

// Prior: s = (S_d x) on one row, thresholds multiplied by the weight images e_old and e.
StepSums prior_step_row(const ProxStep& step, const float* s, const float* e_old, const float* e,
                        float* u, int n);

// f = s - z + w = s - u + 2 clip(u, threshold e)
void prior_force_row(float threshold, const float* s, const float* e, const float* u, float* f,
                     int n);

// Data: `ax` holds A x and becomes m (quadratic r + penalty (r - z + w)) with r = A x - y,
// quadratic = 2 lambda2 and penalty = theta1.
StepSums data_step(const ProxStep& step, float quadratic, float penalty, const float* y,
                   const float* m, float* u, float* ax, int n);

// Cost and subgradient: `ax` becomes m (2 lambda2 r + lambda1 sign r).
StepSums data_gradient(float lambda1, float quadratic, const float* y, const float* m, float* ax,
                       int n);

// f = weight e sign(s); returns sum e |s|
double prior_gradient_row(float weight, const float* s, const float* e, float* f, int n);

// s = b - a, and s = a - 2 b + c
void first_difference_row(const float* a, const float* b, float* s, int n);
void second_difference_row(const float* a, const float* b, const float* c, float* s, int n);

// q <- q + c (count p - box)
void add_scaled_laplacian_row(float c, float count, const float* p, const float* box, float* q,
                              int n);

// e = floor + (1 - floor) occlusion exp(-|grad|^2 / g0^2), gradient by central differences of the
// rows above, here and below; `occlusion` may be null. Returns the sum of e.
double edge_weight_row(float floor, float g0, const float* above, const float* here,
                       const float* below, const float* occlusion, float* e, int n);

}  // namespace plenosr::cpu
