#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "problem/mixture.h"
#include "solver/vectors.h"

namespace plenosr {

// Sums over all samples (data) or all differences (prior) that a solver step returns.
struct TermSums {
    double l1 = 0;      // data: sum m |r|;  prior: sum w_d e |S_d x|
    double l2 = 0;      // data: sum m r^2
    double primal = 0;  // sum m (s - z)^2
    double dual = 0;    // sum m (z - z_old)^2
};

// Sums over all samples that the mixture's expectation step returns.
struct MixtureSums {
    double cost = 0;     // sum m (minus the logarithm of the likelihood)
    double weight = 0;   // sum m
    double trusted = 0;  // sum m omega
};

// One proximal and dual step: thresholds in grey levels, over-relaxation (1: none). z and the
// scaled dual w are stored as u = z + w; w = clip(u, ±threshold). The first step has
// old_threshold 0, and u holds the initial residual.
struct ProxParameters {
    double relax = 1;
    double old_threshold = 0;
    double threshold = 0;
};

// The operations that solvers need of a backend. Vectors live where the backend computes; nothing
// is allocated inside a loop. A Scalar may live on the device: value() fetches it, which only
// convergence checks do.
//
//   x, g, p, q, r   images: channels x height x width
//   s               samples of all views, in the operator's order, per channel
//   u               samples, or fields: one image per direction and channel
//   e               the prior's weights, shared by all channels: one image, or one per direction
template <class B>
concept SolverBackend = VectorSource<B> &&
    requires(B b, typename B::Vector& v, const typename B::Vector& c, typename B::Scalar a,
             double t, ProxParameters prox, const Mixture& mixture, std::span<const float> host) {
    { b.image_size() } -> std::convertible_to<std::size_t>;
    { b.largest_direction_weight() } -> std::convertible_to<double>;
    { b.download(c) } -> std::same_as<std::vector<float>>;
    b.upload(host, v);
    b.finish();           // waits for the device, before a clock is read
    b.copy(c, v);         // v <- c
    b.axpby(t, c, t, v);  // v <- a c + b v
    { b.dot(c, c) } -> std::same_as<typename B::Scalar>;
    { b.value(a) } -> std::same_as<double>;
    { b.scaled(a, t) } -> std::same_as<typename B::Scalar>;

    b.forward(c, v);      // s <- A x
    b.residual(v);        // s <- s - y
    b.adjoint(c, v);      // g <- A' s
    b.differences(c, v);  // u <- S x
    b.weights(c, v);      // e <- edge and occlusion weights of x

    // s = A x becomes m (quadratic r + penalty (r - z + w)) with r = A x - y
    { b.data_step(prox, t, t, v, v) } -> std::same_as<TermSums>;
    // s = A x becomes the slope of the likelihood's cost, m omega (A x - yhat) / sigma^2 where
    // sigma is constant (problem/mixture.h)
    { b.mixture_step(mixture, v) } -> std::same_as<MixtureSums>;
    // Sets M in A'MA to m times the curvature of the likelihood's cost at s = A x; s is undefined
    // afterwards.
    b.set_curvature(mixture, v);
    { b.prior_step(prox, c, c, c, v) } -> std::same_as<TermSums>;
    b.add_prior_force(t, t, c, c, c, v);  // g <- g + t S'(S x - z + w)
    // s = A x becomes m (2 lambda2 r + lambda1 sign r)
    { b.data_gradient(t, t, v) } -> std::same_as<TermSums>;
    { b.prior_cost(c, c) } -> std::same_as<double>;
    b.add_prior_gradient(t, c, c, v);  // g <- g + t S'(w_d e sign(S x))

    // v <- 1 / diag(a A'MA + b S'S + c), estimated
    b.inverse_diagonal(t, t, t, v);
    // q <- a A'MA p + b S'S p; returns <p, q>
    { b.normal(t, t, c, v) } -> std::same_as<typename B::Scalar>;
    // p <- Z r; returns <r, p>
    { b.cg_start(c, c, v) } -> std::same_as<typename B::Scalar>;
    // alpha = rho / pq (0 once rho <= floor); x <- x + alpha p; r <- r - alpha q; returns <r, Z r>
    { b.cg_step(a, a, a, c, c, c, v, v) } -> std::same_as<typename B::Scalar>;
    // p <- Z r + (rho_new / rho) p
    b.cg_direction(a, a, c, c, v);
};

}  // namespace plenosr
