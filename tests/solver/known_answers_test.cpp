// Solvers and conjugate gradients against dense solutions in double precision.
#include <gtest/gtest.h>

#include "backends/cpu/backend.h"
#include "cases/laws.h"
#include "cases/plain_operators.h"
#include "cases/problems.h"
#include "solver/admm.h"
#include "solver/gradient_descent.h"

namespace plenosr {
namespace {

using test::plain::Dense;
using test::plain::dense_of;
using test::plain::Doubles;

constexpr auto no_monitor = [](IterationReport&, const auto&) { return true; };

Problem tiny_problem(OperatorForm form = OperatorForm::sampling,
                     NormalForm normal = NormalForm::direct) {
    Problem p = test::make_problem(
        {"tiny", 4, 3, 2, "gaussian", Interpolation::bicubic, form, normal, -1.4F, 1.4F, 9});
    for (Observation& o : p.observations)  // every sample has a positive weight of its own
        for (float& m : o.weight.values)
            m = std::max(m, 0.1F);
    return p;
}

Doubles observed(const Problem& p) {
    Doubles y;
    for (const Observation& o : p.observations)
        y.insert(y.end(), o.values.values.begin(), o.values.values.end());
    return y;
}

Doubles sample_weights(const Problem& p) {
    Doubles m;
    for (const Observation& o : p.observations)
        m.insert(m.end(), o.weight.values.begin(), o.weight.values.end());
    return m;
}

// data A'MA + prior S'S and data A'M y
struct NormalEquations {
    Dense h;
    Doubles b;
};
NormalEquations normal_equations(const Problem& p, double data, double prior) {
    const std::size_t n = p.pixels();
    const Doubles y = observed(p);
    const Doubles m = sample_weights(p);
    const Dense a = dense_of([&](auto& x) { return test::plain::forward(p, x); }, y.size(), n);
    const Dense s = dense_of(
        [&](auto& x) { return test::plain::differences(p.directions, x, p.width, p.height); },
        n * p.directions.size(), n);
    NormalEquations e{Dense(n, n), Doubles(n, 0.0)};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < a.rows; ++k)
                e.h.at(i, j) += data * a.at(k, i) * m[k] * a.at(k, j);
            for (std::size_t k = 0; k < s.rows; ++k)
                e.h.at(i, j) += prior * s.at(k, i) * s.at(k, j);
        }
        for (std::size_t k = 0; k < a.rows; ++k)
            e.b[i] += data * a.at(k, i) * m[k] * y[k];
    }
    return e;
}

void expect_solution(const std::vector<float>& x, const Doubles& expected, double tolerance) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(double(x[i]), expected[i], tolerance) << "pixel " << i;
}

struct Form {
    OperatorForm form;
    NormalForm normal;
};
class KnownAnswers : public testing::TestWithParam<Form> {
protected:
    Problem problem = tiny_problem(GetParam().form, GetParam().normal);
    cpu::Backend backend{problem, 1};
};

TEST_P(KnownAnswers, ConjugateGradientsAreExactAfterAsManyStepsAsUnknowns) {
    const double data = 0.07;
    const double prior = 0.02;
    const NormalEquations e = normal_equations(problem, data, prior);
    auto x = backend.new_image();
    auto r = backend.new_image();
    for (std::size_t i = 0; i < r.size(); ++i)
        r[i] = float(e.b[i]);
    CgWorkspace<cpu::Backend> workspace(backend);
    backend.inverse_diagonal(data, prior, 0.0, workspace.inverse_diagonal);
    conjugate_gradients(backend, data, prior, int(r.size()), 0.0, workspace, r, x);
    expect_solution(backend.download(x), test::plain::solve(e.h, e.b), 0.02);
    EXPECT_LE(test::norm(backend.download(r)),
              1e-4 * std::sqrt(test::plain::Doubles(e.b).size()) * 255.0);
}

TEST_P(KnownAnswers, LeastSquaresAloneIsTheDenseSolution) {
    SolveOptions o;
    o.objective = {0.0, 0.01, 0.0};
    o.iterations = 8;
    o.cg_steps = int(problem.pixels());
    o.cg_tolerance = 0;
    auto x = backend.new_image();
    const SolveSummary summary = admm(backend, o, x, no_monitor);
    const NormalEquations e = normal_equations(problem, 1.0, 0.0);
    expect_solution(backend.download(x), test::plain::solve(e.h, e.b), 0.2);
    EXPECT_EQ(summary.termination, Termination::max_iterations);
    EXPECT_EQ(summary.iterations.size(), 9U);
}

TEST_P(KnownAnswers, ReportedCostIsTheFormula) {
    test::RandomValues random(3);
    const auto start = random.vector(problem.pixels(), 0.0F, 255.0F);
    const Doubles x0(start.begin(), start.end());
    const Doubles ax = test::plain::forward(problem, x0);
    const Doubles y = observed(problem);
    const Doubles m = sample_weights(problem);
    const Doubles sx =
        test::plain::differences(problem.directions, x0, problem.width, problem.height);
    double data = 0;
    double prior = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double r = ax[i] - y[i];
        data += m[i] * (0.9 * std::abs(r) + 0.02 * r * r);
    }
    for (std::size_t i = 0; i < sx.size(); ++i)
        prior += 0.3 * double(problem.directions[i / problem.pixels()].weight) * std::abs(sx[i]);

    SolveOptions o;
    o.objective = {0.9, 0.02, 0.3};
    o.iterations = 0;
    auto x = backend.upload(start);
    for (const IterationReport& row :
         {admm(backend, o, x, no_monitor).iterations.at(0),
          gradient_descent(backend, o, false, x, no_monitor).iterations.at(0)}) {
        EXPECT_NEAR(row.data, data, 1e-5 * data);
        EXPECT_NEAR(row.prior, prior, 1e-5 * prior);
        EXPECT_DOUBLE_EQ(row.cost, row.data + row.prior);
        EXPECT_EQ(row.iteration, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, KnownAnswers,
                         testing::Values(Form{OperatorForm::sampling, NormalForm::direct},
                                         Form{OperatorForm::sampling, NormalForm::stencil_f16},
                                         Form{OperatorForm::chain, NormalForm::automatic}));

TEST(Admm, SolvesTheMedianProblemExactly) {
    // lambda2 = 0, no blur, no shift, scale 2: each observed pixel becomes the weighted median of
    // its observations: the middle one of three.
    Problem p;
    p.width = 6;
    p.height = 4;
    p.psf = identity_psf();
    p.normal = NormalForm::stencil_f16;
    p.directions = window_directions(1);
    for (const float value : {10.0F, 50.0F, 240.0F}) {
        Observation o;
        o.values = Image(3, 2, 1, value);
        o.disparity = Image(3, 2);
        p.observations.push_back(o);
    }
    cpu::Backend backend(p, 1);
    SolveOptions o;
    o.objective = {1.0, 0.0, 0.05};
    o.iterations = 400;
    auto x = backend.upload(std::vector<float>(24, 100.0F));
    const SolveSummary summary = admm(backend, o, x, no_monitor);
    for (const float value : backend.download(x))
        ASSERT_NEAR(value, 50.0F, 0.05F);
    EXPECT_NEAR(summary.iterations.back().cost, 6 * (40.0 + 0.0 + 190.0), 0.5);
    EXPECT_LT(summary.iterations.back().primal_residual, 1.0);
    EXPECT_LT(summary.iterations.back().dual_residual, 1.0);
}

TEST(Admm, PerfectStartStaysAndHasNoCost) {
    Problem p = tiny_problem();
    for (Observation& o : p.observations)
        o.values = Image(4, 3, 1, 80.0F);
    cpu::Backend backend(p, 1);
    auto x = backend.upload(std::vector<float>(p.pixels(), 80.0F));
    const SolveSummary summary = admm(backend, {}, x, no_monitor);
    EXPECT_LE(summary.iterations.back().cost, 0.1);
    for (const float value : backend.download(x))
        ASSERT_NEAR(value, 80.0F, 1e-2F);
}

}  // namespace
}  // namespace plenosr
