#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backends/opencl/data_operator.h"
#include "backends/opencl/differences.h"
#include "backends/opencl/weights.h"
#include "solver/backend.h"
#include "solver/vector_count.h"

namespace plenosr::opencl {

// One problem's operators on one device and the steps that the solvers need; solver/backend.h
// documents each function. Data goes to the device in the constructor and by upload(), and returns
// by download(); in between only scalars return.
class Backend {
public:
    using Vector = opencl::Vector;
    using Scalar = opencl::Scalar;

    Backend(Device& device, const Problem& problem);

    // Of the operators and observations; of a solver's vectors; of the tables that
    // inverse_diagonal() takes for a while.
    static MemoryPlan memory(const ProblemShape& s, const Tuning& tuning);
    static MemoryPlan vector_memory(const ProblemShape& s, const VectorCount& count);
    static MemoryPlan diagonal_memory(const ProblemShape& s);

    // Replaces the weight m of each stored sample.
    void set_sample_weights(std::span<const float> m);
    // Index of sample i of one channel in (view, y, x).
    const std::vector<std::uint32_t>& sample_order() const { return data_->order(); }
    std::size_t samples() const { return std::size_t(data_->samples()); }
    std::size_t samples_taking_part() const { return taking_part_; }

    Vector new_image() { return new_vector(channels_ * shape_.height, shape_.width); }
    Vector new_weights() { return new_vector(weight_planes_ * shape_.height, shape_.width); }
    Vector new_samples() { return new_vector(channels_, data_->samples()); }
    Vector new_field() {
        return new_vector(channels_ * prior_.directions() * shape_.height, shape_.width);
    }
    std::size_t image_size() const {
        return std::size_t(channels_) * std::size_t(shape_.width) * std::size_t(shape_.height);
    }
    double largest_direction_weight() const { return largest_weight_; }

    Vector upload(std::span<const float> planes);
    void upload(std::span<const float> values, Vector& v);
    std::vector<float> download(const Vector& v);

    void finish() { device_.finish(); }
    void copy(const Vector& from, Vector& to);
    void axpby(double a, const Vector& x, double b, Vector& y);
    Scalar dot(const Vector& a, const Vector& b);
    double value(const Scalar& s) const { return scalars_.value(s); }
    Scalar scaled(const Scalar& s, double factor) const {
        return {s.partial_sums, s.factor * float(factor)};
    }

    void forward(const Vector& x, Vector& s);
    void residual(Vector& s);
    void adjoint(const Vector& s, Vector& g);
    void differences(const Vector& x, Vector& u) { prior_.forward(x.memory, u.memory); }
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
    Scalar cg_step(const Scalar& rho, const Scalar& pq, const Scalar& floor, const Vector& p,
                   const Vector& q, const Vector& z, Vector& x, Vector& r);
    void cg_direction(const Scalar& rho_new, const Scalar& rho, const Vector& z, const Vector& r,
                      Vector& p);

private:
    Vector new_vector(int rows, int width);
    const Memory& operator_weights() const {
        return curvature_.rows > 0 ? curvature_.memory : m_.memory;
    }
    Grid run(std::size_t arrays, const Vector& v) const;
    int vectors(const Vector& v) const { return int(v.size()) / device_.tuning().vector; }

    Device& device_;
    PlaneShape shape_;
    int channels_;
    int weight_planes_;
    double largest_weight_ = 0;
    std::size_t taking_part_ = 0;
    PaddedPair padded_;
    std::unique_ptr<DataOperator> data_;
    Differences prior_;
    Weights weights_;
    Scalars scalars_;
    Vector y_;          // observations in the operator's order, per channel
    Vector m_;          // their weights, shared by the channels
    Vector curvature_;  // m times the likelihood's curvature, if that varies
    Memory term_sums_;  // most_terms scalars, one after the other
    Kernel axpby_, dot_, residual_, data_step_, mixture_step_, curvature_step_, data_gradient_;
    Kernel cg_start_, cg_step_, cg_direction_, invert_, largest_;
};

static_assert(SolverBackend<Backend>);

}  // namespace plenosr::opencl
