#pragma once

#include "solver/backend.h"

namespace plenosr {

// Vectors of conjugate gradients, allocated once.
template <VectorSource B>
struct CgWorkspace {
    typename B::Vector direction;         // p
    typename B::Vector image;             // q = H p
    typename B::Vector inverse_diagonal;  // Z, Jacobi preconditioner

    explicit CgWorkspace(B& b)
        : direction(b.new_image()), image(b.new_image()), inverse_diagonal(b.new_image()) {}
};

// Solves H dx = r for H = data A'MA + prior S'S + ridge and adds dx to x; r becomes the residual.
// Warm start: the caller passes the residual at x. Once <r, Z r> has fallen by tolerance^2, steps
// change nothing, so no scalar has to leave the device. Returns the number of steps.
template <SolverBackend B>
int conjugate_gradients(B& b, double data, double prior, int steps, double tolerance,
                        CgWorkspace<B>& w, typename B::Vector& r, typename B::Vector& x,
                        double ridge = 0) {
    auto rho = b.cg_start(w.inverse_diagonal, r, w.direction);  // p <- Z r, rho <- <r, Z r>
    const auto floor = b.scaled(rho, tolerance * tolerance);
    for (int k = 0; k < steps; ++k) {
        auto pq = b.normal(data, prior, w.direction, w.image);
        if (ridge > 0) {
            b.axpby(ridge, w.direction, 1.0, w.image);
            pq = b.dot(w.direction, w.image);
        }
        const auto rho_new =
            b.cg_step(rho, pq, floor, w.direction, w.image, w.inverse_diagonal, x, r);
        if (k + 1 < steps) b.cg_direction(rho_new, rho, w.inverse_diagonal, r, w.direction);
        rho = rho_new;
    }
    return steps;
}

}  // namespace plenosr
