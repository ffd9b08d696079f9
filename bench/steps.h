#pragma once

#include <algorithm>
#include <span>

#include "solver/admm.h"

namespace plenosr::bench {

// The parts of one ADMM iteration: the same calls in the same order as in solver/admm.h, with its
// default options.
template <SolverBackend B>
class Steps {
public:
    Steps(B& b, std::span<const float> start)
        : b_(b),
          workspace_(b),
          x_(b.new_image()),
          gradient_(b.new_image()),
          samples_(b.new_samples()),
          u_data_(b.new_samples()),
          u_prior_(b.new_field()),
          e_(b.new_weights()),
          e_old_(b.new_weights()),
          cg_x_(b.new_image()),
          cg_r_(b.new_image()) {
        std::copy(start.begin(), start.end(), x_.data());
        b.inverse_diagonal(data_, theta2_, 0.0, workspace_.inverse_diagonal);
        b.weights(x_, e_);
        b.copy(e_, e_old_);
        b.forward(x_, u_data_);
        b.residual(u_data_);
        b.differences(x_, u_prior_);
        right_hand_side();
        restart_cg();
    }

    void right_hand_side() {
        std::swap(e_, e_old_);
        b_.weights(x_, e_);
        b_.forward(x_, samples_);
        b_.data_step(prox_data_, quadratic_, theta1_, u_data_, samples_);
        b_.prior_step(prox_prior_, x_, e_old_, e_, u_prior_);
        b_.adjoint(samples_, gradient_);
        b_.add_prior_force(theta2_, prox_prior_.threshold, x_, e_, u_prior_, gradient_);
        b_.axpby(0.0, gradient_, -1.0, gradient_);
    }

    // Restarts conjugate gradients for the current right-hand side: endless steps would end in
    // denormal numbers.
    void restart_cg() {
        b_.copy(x_, cg_x_);
        b_.copy(gradient_, cg_r_);
        rho_ = b_.cg_start(workspace_.inverse_diagonal, cg_r_, workspace_.direction);
    }
    void cg_step() {
        const auto pq = b_.normal(data_, theta2_, workspace_.direction, workspace_.image);
        const auto rho = b_.cg_step(rho_, pq, b_.scaled(rho_, 0.0), workspace_.direction,
                                    workspace_.image, workspace_.inverse_diagonal, cg_x_, cg_r_);
        b_.cg_direction(rho, rho_, workspace_.inverse_diagonal, cg_r_, workspace_.direction);
        rho_ = rho;
    }

    void admm_iteration() {
        right_hand_side();
        conjugate_gradients(b_, data_, theta2_, options_.cg_steps, options_.cg_tolerance,
                            workspace_, gradient_, x_);
    }

    const typename B::Vector& x() const { return x_; }

private:
    B& b_;
    SolveOptions options_;
    double theta1_ = options_.objective.lambda1 / options_.data_threshold;
    double theta2_ =
        options_.objective.lambda * b_.largest_direction_weight() / options_.prior_threshold;
    double quadratic_ = 2 * options_.objective.lambda2;
    double data_ = quadratic_ + theta1_;
    ProxParameters prox_data_{options_.relax, options_.data_threshold, options_.data_threshold};
    ProxParameters prox_prior_{options_.relax, options_.objective.lambda / theta2_,
                               options_.objective.lambda / theta2_};
    CgWorkspace<B> workspace_;
    typename B::Vector x_;
    typename B::Vector gradient_;
    typename B::Vector samples_;
    typename B::Vector u_data_;
    typename B::Vector u_prior_;
    typename B::Vector e_;
    typename B::Vector e_old_;
    typename B::Vector cg_x_;
    typename B::Vector cg_r_;
    typename B::Scalar rho_{};
};

}  // namespace plenosr::bench
