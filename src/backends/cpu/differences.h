#pragma once

#include <vector>

#include "backends/cpu/buffer.h"
#include "backends/cpu/parallel.h"
#include "backends/cpu/simd_prox.h"
#include "problem/prior.h"

namespace plenosr::cpu {

// Directional differences S: image -> field (one image per direction), see problem/prior.h, and
// the steps of the solvers on them. A field is (direction, y, x).
class Differences {
public:
    // `directional`: the weights e are a field, one image per direction; else one image for all
    Differences(int width, int height, std::vector<Direction> directions, bool directional = false);

    std::size_t field_size() const {
        return directions_.size() * std::size_t(width_) * std::size_t(height_);
    }
    std::size_t weights_size() const {
        return directional_ ? field_size() : std::size_t(width_) * std::size_t(height_);
    }
    const std::vector<Direction>& directions() const { return directions_; }

    void forward(const float* x, float* field, const Parallel& parallel) const;  // field <- S x
    void adjoint(const float* field, float* x, const Parallel& parallel) const;  // x <- S' field

    // Row y of q <- q + c S'S p. For a whole window of first differences S'S p is
    // (number of neighbours) p - (sum of neighbours): a box sum, in two passes for any size.
    void add_normal_row(float c, const float* p, int y, float* q_row) const;
    void normal_diagonal(float* diagonal) const;

    // ADMM: u <- prox step (simd_prox.h); threshold of direction d is step.threshold w_d e.
    StepSums step(const ProxStep& step, const float* x, const float* e_old, const float* e,
                  float* u, const Parallel& parallel);
    // g <- g + c S'(S x - z + w), with z and w from u
    void add_force(float c, float threshold, const float* x, const float* e, const float* u,
                   float* g, const Parallel& parallel) const;

    // sum_d w_d sum e |S_d x|
    double cost(const float* x, const float* e, Parallel& parallel) const;
    // g <- g + c S'(w_d e sign(S x))
    void add_gradient(float c, const float* x, const float* e, float* g,
                      const Parallel& parallel) const;

private:
    struct Columns {
        int begin;
        int end;
    };
    Columns defined(const Direction& d, int y) const;  // columns of row y where S_d x is defined
    // s <- row y of S_d x
    void difference_row(const Direction& d, const float* x, int y, float* s) const;
    // target row `row` of x <- x + c S_d' f, where f is row y of the field of direction d
    void add_adjoint_row(const Direction& d, float c, const float* f, int y, int row,
                         float* x_row) const;
    template <class Fn>  // g <- g + c S' f with f's rows made by make_row(direction index, y, f)
    void add_adjoint(float c, float* g, const Parallel& parallel, const Fn& make_row) const;
    float* scratch() const;
    const float* weights_row(const float* e, std::size_t direction, int y) const {
        const std::size_t row =
            std::size_t(y) + (directional_ ? direction * std::size_t(height_) : 0);
        return e + row * std::size_t(width_);
    }

    int width_;
    int height_;
    int reach_ = 0;  // largest |dy|
    int box_ = 0;    // > 0: the directions are the whole window of this radius, order 1
    bool directional_;
    std::vector<Direction> directions_;
    std::vector<StepSums> row_sums_;
};

}  // namespace plenosr::cpu
