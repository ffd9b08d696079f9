#pragma once

#include <memory>
#include <span>

#include "backends/cpu/data_operator.h"
#include "backends/cpu/differences.h"
#include "backends/cpu/simd_mixture.h"
#include "backends/cpu/weights.h"
#include "solver/backend.h"

namespace plenosr::cpu {

// Bytes of one vector of each kind.
struct VectorBytes {
    std::size_t image = 0;
    std::size_t samples = 0;
    std::size_t field = 0;
    std::size_t weights = 0;
    std::size_t sum(const VectorCount& count) const {
        return image * count.images + samples * count.samples + field * count.fields +
               weights * count.weights;
    }
};

// One problem's operators and the steps that the solvers need, on the CPU. solver/backend.h
// documents the functions.
class Backend {
public:
    using Vector = cpu::Vector;
    using Scalar = double;

    Backend(const Problem& problem, int threads);

    // Sets m of each stored sample.
    void set_sample_weights(std::span<const float> m);
    // Place of sample i of one channel in (view, y, x).
    std::span<const std::uint32_t> sample_order() const { return data_->order(); }
    std::size_t samples() const { return data_->samples(); }
    std::size_t samples_taking_part() const;  // those with m > 0
    std::size_t operator_bytes() const;
    // Memory for a problem of this shape: the operators, one vector of each kind, and
    // inverse_diagonal() beside its result.
    static OperatorBytes bytes_for(const ProblemShape& shape);
    static VectorBytes vector_bytes(const ProblemShape& shape);
    static std::size_t diagonal_bytes(const ProblemShape& shape);
    Parallel& parallel() { return parallel_; }
    DataOperator& data_operator() { return *data_; }

    Vector new_image() const { return Vector(image_size()); }
    Vector new_weights() const { return Vector(prior_.weights_size()); }
    Vector new_samples() const { return Vector(samples() * std::size_t(channels_)); }
    Vector new_field() const { return Vector(prior_.field_size() * std::size_t(channels_)); }
    std::size_t image_size() const { return plane_ * std::size_t(channels_); }
    double largest_direction_weight() const;

    Vector upload(std::span<const float> planes) const;
    void upload(std::span<const float> planes, Vector& v) const;
    std::vector<float> download(const Vector& v) const { return {v.data(), v.data() + v.size()}; }

    void finish() const {}  // all calls are synchronous
    void copy(const Vector& from, Vector& to);
    void axpby(double a, const Vector& x, double b, Vector& y);
    Scalar dot(const Vector& a, const Vector& b);
    double value(Scalar s) const { return s; }
    Scalar scaled(Scalar s, double factor) const { return s * factor; }

    void forward(const Vector& x, Vector& s);
    void residual(Vector& s);
    void adjoint(const Vector& s, Vector& g);
    void differences(const Vector& x, Vector& u);
    void weights(const Vector& x, Vector& e);

    TermSums data_step(const ProxParameters& prox, double quadratic, double penalty, Vector& u,
                       Vector& s);
    MixtureSums mixture_step(const Mixture& mixture, Vector& s);
    void set_curvature(const Mixture& mixture, Vector& s);
    TermSums prior_step(const ProxParameters& prox, const Vector& x, const Vector& e_old,
                        const Vector& e, Vector& u);
    void add_prior_force(double theta, double threshold, const Vector& x, const Vector& e,
                         const Vector& u, Vector& g);
    TermSums data_gradient(double lambda1, double quadratic, Vector& s);
    double prior_cost(const Vector& x, const Vector& e);
    void add_prior_gradient(double c, const Vector& x, const Vector& e, Vector& g);

    void inverse_diagonal(double data, double prior, double ridge, Vector& z);
    Scalar normal(double data, double prior, const Vector& p, Vector& q);
    Scalar cg_start(const Vector& z, const Vector& r, Vector& p);
    Scalar cg_step(Scalar rho, Scalar pq, Scalar floor, const Vector& p, const Vector& q,
                   const Vector& z, Vector& x, Vector& r);
    void cg_direction(Scalar rho_new, Scalar rho, const Vector& z, const Vector& r, Vector& p);

private:
    // fn(first sample of the chunk, the same within its channel, length)
    template <class Sums, class Fn>
    Sums sum_over_samples(std::vector<Sums>& chunk_sums, const Fn& fn);
    template <class Fn>  // fn(offset, length) row by row over an image of all channels
    double sum_over_rows(const Fn& fn);

    Parallel parallel_;
    int width_;
    int height_;
    int channels_;
    std::size_t plane_;
    std::unique_ptr<DataOperator> data_;
    Differences prior_;
    Weights weights_;
    Vector y_;          // observations in the operator's order, per channel
    Vector m_;          // their weights, shared by the channels
    Vector curvature_;  // m times the likelihood's curvature, if the noise varies
    std::vector<StepSums> chunk_sums_;
    std::vector<MixtureRunSums> mixture_sums_;
    std::vector<double> row_dots_;
};

static_assert(SolverBackend<Backend>);

}  // namespace plenosr::cpu
