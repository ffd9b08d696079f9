#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "solver/solve.h"

namespace plenosr {

// ADMM in the form of the published algorithm, written plainly: one step per line, nothing fused,
// double precision. The fast solver (admm.h) is tested against it.
//
//   minimise |A x - b|^2 + |F x - b'|_1
//   A = sqrt(lambda2) [D B W_k],   F = [ lambda1/sqrt(lambda2) A ; W_d . (S_d - I) ]
//   b = sqrt(lambda2) y,           b' = [ lambda1/sqrt(lambda2) b ; 0 ]
//
// Below, the scalars are multiplied out (F's upper part is lambda1 [D B W_k]), so lambda2 may be 0.
struct PaperProblem {
    using Values = std::vector<double>;
    using Map = std::function<Values(const Values&)>;

    Map data;  // x -> [D B W_k] x, all views
    Map data_transposed;
    Map prior;  // x -> W_d . (S_d - I) x, all directions, with the prior's weight in W_d
    Map prior_transposed;
    Values y;  // all views
    // Called with x before each iteration; may recompute W_d. Empty: W_d is constant.
    std::function<void(const Values&)> reweight;
};

struct PaperAdmmOptions {
    double lambda1 = 1;
    double lambda2 = 0.01;
    double theta = 0.05;  // the penalty
    int iterations = 10;
    int cg_steps = 10;  // K
    double tau = 0;     // conjugate gradients end when <r, r> < tau
};

namespace paper {

using Values = PaperProblem::Values;

inline double dot(const Values& a, const Values& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

inline Values sum(double a, const Values& u, double b, const Values& v) {  // a u + b v
    Values result(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
        result[i] = a * u[i] + b * v[i];
    return result;
}

inline Values prox(const Values& u, double t) {  // argmin_z t |z|_1 + |z - u|^2 / 2
    Values z(u.size());
    for (std::size_t i = 0; i < u.size(); ++i)
        z[i] = std::copysign(std::max(std::abs(u[i]) - t, 0.0), u[i]);
    return z;
}

inline double l1(const Values& v) {
    double total = 0;
    for (const double value : v)
        total += std::abs(value);
    return total;
}

// x-step: solves G'G dx = -v for G'G = (lambda2 + theta/2 lambda1^2) A'A + theta/2 S'S, with A and
// S as in PaperProblem. (The published listing starts p at +v, loops while pi < tau and exchanges r
// and p in the update of p.) Returns the number of steps.
inline int x_step(const PaperProblem& problem, const PaperAdmmOptions& o, const Values& v,
                  Values& x) {
    const double on_data = o.lambda2 + o.theta / 2 * o.lambda1 * o.lambda1;
    Values r = sum(-1, v, 0, v);
    Values p = r;
    double pi = dot(r, r);
    int k = 0;
    for (; k < o.cg_steps && pi >= o.tau && pi > 0; ++k) {
        const Values q = sum(on_data, problem.data_transposed(problem.data(p)), o.theta / 2,
                             problem.prior_transposed(problem.prior(p)));
        const double step = pi / dot(q, p);
        x = sum(1, x, step, p);
        r = sum(1, r, -step, q);
        const double pi_new = dot(r, r);
        p = sum(1, r, pi_new / pi, p);
        pi = pi_new;
    }
    return k;
}

}  // namespace paper

// x is the initial image on entry and the result on return. Row n of the summary belongs to the
// image after n iterations. Units: 2 per CG step, 1 per gradient, 1 per cost.
inline SolveSummary paper_admm(const PaperProblem& problem, const PaperAdmmOptions& o,
                               PaperProblem::Values& x, const Monitor& monitor) {
    using paper::sum;
    using paper::Values;
    SolveSummary summary;
    Stopwatch clock;
    Values w_data(problem.y.size(), 0.0);  // the scaled dual w, upper and lower part
    Values w_prior(problem.prior(x).size(), 0.0);
    IterationReport row;
    for (int n = 0;; ++n) {
        if (problem.reweight) problem.reweight(x);
        const Values a = sum(1, problem.data(x), -1, problem.y);  // A x - b
        const Values s = problem.prior(x);

        row.iteration = n;
        row.data = o.lambda1 * paper::l1(a) + o.lambda2 * paper::dot(a, a);
        row.prior = paper::l1(s);
        row.cost = row.data + row.prior;
        row.units += 1;
        row.seconds += clock.lap();
        const bool go_on = monitor(row, [&] { return std::vector<float>(x.begin(), x.end()); });
        summary.iterations.push_back(row);
        clock.lap();
        summary.termination = termination_of(row, go_on, false, o.iterations);
        if (summary.termination != Termination::not_run) return summary;

        const Values u_data = sum(o.lambda1, a, 1, w_data);  // u = F x - b' + w
        const Values u_prior = sum(1, s, 1, w_prior);
        const Values z_data = paper::prox(u_data, 1 / o.theta);  // z = prox(u)
        const Values z_prior = paper::prox(u_prior, 1 / o.theta);
        const Values w_data_new = sum(1, u_data, -1, z_data);  // w+ = u - z
        const Values w_prior_new = sum(1, u_prior, -1, z_prior);
        const Values f_data = sum(2, w_data_new, -1, w_data);  // f = 2 w+ - w
        const Values f_prior = sum(2, w_prior_new, -1, w_prior);
        w_data = w_data_new;
        w_prior = w_prior_new;
        // v = A'(A x - b) + theta/2 F' f: half the gradient of the x-step
        const Values v =
            sum(1, problem.data_transposed(sum(o.lambda2, a, o.theta / 2 * o.lambda1, f_data)),
                o.theta / 2, problem.prior_transposed(f_prior));
        row.units += 1;
        row.units += 2 * paper::x_step(problem, o, v, x);
    }
}

}  // namespace plenosr
