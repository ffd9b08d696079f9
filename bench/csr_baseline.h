#pragma once

#include "backends/cpu/backend.h"
#include "csr_matrix.h"

namespace plenosr::bench {

// The same mathematics on assembled sparse matrices: A and A' (blur and sampling multiplied out),
// S and S'. Everything except matrix products is cpu::Backend's: vector operations, proximal steps,
// weights. The products are optimised: m is applied while a row's sum is in a register, products
// are added to their target in the same pass, and S x is kept between the proximal step and the
// force.
class CsrBackend {
public:
    using Vector = cpu::Vector;
    using Scalar = double;

    CsrBackend(const Problem& problem, int threads);

    std::size_t matrix_bytes() const;
    CsrMatrix& a() { return a_; }
    cpu::Parallel& parallel() { return base_.parallel(); }
    // Uses S'S as one matrix instead of S and S': fewer entries. Measured in addition, since the
    // comparison is defined with S and S'.
    void assemble_prior();

    void finish() const {}
    Vector new_image() const { return base_.new_image(); }
    Vector new_weights() const { return base_.new_weights(); }
    Vector new_samples() const { return base_.new_samples(); }
    Vector new_field() const { return base_.new_field(); }
    std::size_t image_size() const { return base_.image_size(); }
    double largest_direction_weight() const { return base_.largest_direction_weight(); }
    std::vector<float> download(const Vector& v) const { return base_.download(v); }
    void upload(std::span<const float> planes, Vector& v) const { base_.upload(planes, v); }
    void copy(const Vector& from, Vector& to) { base_.copy(from, to); }
    void axpby(double a, const Vector& x, double b, Vector& y) { base_.axpby(a, x, b, y); }
    Scalar dot(const Vector& a, const Vector& b) { return base_.dot(a, b); }
    double value(Scalar s) const { return s; }
    Scalar scaled(Scalar s, double factor) const { return s * factor; }

    void forward(const Vector& x, Vector& s);
    void residual(Vector& s) { base_.residual(s); }
    void adjoint(const Vector& s, Vector& g);
    void differences(const Vector& x, Vector& u);
    void weights(const Vector& x, Vector& e) { base_.weights(x, e); }

    TermSums data_step(const ProxParameters& prox, double quadratic, double penalty, Vector& u,
                       Vector& s) {
        return base_.data_step(prox, quadratic, penalty, u, s);
    }
    MixtureSums mixture_step(const Mixture& mixture, Vector& s) {
        return base_.mixture_step(mixture, s);
    }
    void set_curvature(const Mixture& mixture, Vector& s) { base_.set_curvature(mixture, s); }
    TermSums prior_step(const ProxParameters& prox, const Vector& x, const Vector& e_old,
                        const Vector& e, Vector& u);
    void add_prior_force(double theta, double threshold, const Vector& x, const Vector& e,
                         const Vector& u, Vector& g);
    TermSums data_gradient(double lambda1, double quadratic, Vector& s) {
        return base_.data_gradient(lambda1, quadratic, s);
    }
    double prior_cost(const Vector& x, const Vector& e) { return base_.prior_cost(x, e); }
    void add_prior_gradient(double c, const Vector& x, const Vector& e, Vector& g) {
        base_.add_prior_gradient(c, x, e, g);
    }
    void inverse_diagonal(double data, double prior, double ridge, Vector& z) {
        base_.inverse_diagonal(data, prior, ridge, z);
    }
    Scalar normal(double data, double prior, const Vector& p, Vector& q);
    Scalar cg_start(const Vector& z, const Vector& r, Vector& p) { return base_.cg_start(z, r, p); }
    Scalar cg_step(Scalar rho, Scalar pq, Scalar floor, const Vector& p, const Vector& q,
                   const Vector& z, Vector& x, Vector& r) {
        return base_.cg_step(rho, pq, floor, p, q, z, x, r);
    }
    void cg_direction(Scalar rho_new, Scalar rho, const Vector& z, const Vector& r, Vector& p) {
        base_.cg_direction(rho_new, rho, z, r, p);
    }

private:
    template <class Fn>  // fn(direction, offset in the field, offset in the image, length)
    void over_field(const Fn& fn);

    cpu::Backend base_;
    std::vector<Direction> directions_;
    int plane_;
    CsrMatrix a_;
    CsrMatrix a_transposed_;
    CsrMatrix s_;
    CsrMatrix s_transposed_;
    std::unique_ptr<CsrMatrix> s_normal_;
    Vector m_;
    Vector samples_;
    Vector field_;  // S x
    Vector force_;  // S x - z + w
    std::vector<cpu::StepSums> row_sums_;
};

static_assert(SolverBackend<CsrBackend>);

}  // namespace plenosr::bench
