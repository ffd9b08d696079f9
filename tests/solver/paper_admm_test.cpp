#include "solver/paper_admm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backends/cpu/paper_form.h"
#include "cases/laws.h"
#include "cases/problems.h"
#include "solver/admm.h"
#include "solver/gradient_descent.h"

namespace plenosr {
namespace {

constexpr auto no_monitor = [](IterationReport&, const auto&) { return true; };
constexpr Objective objective{1.0, 0.01, 0.4};

// A smooth image with an edge, observed by all views, with outliers. The weights m and e are 1, as
// in the published form.
Problem tiny_convex_problem() {
    Problem p =
        test::make_problem({"convex", 12, 10, 2, "gaussian", Interpolation::bicubic,
                            OperatorForm::sampling, NormalForm::direct, -1.5F, 1.5F, 9, false});
    cpu::Backend a(p, 1);
    std::vector<float> x(p.pixels());
    for (int y = 0; y < p.height; ++y)
        for (int c = 0; c < p.width; ++c)
            x[std::size_t(y * p.width + c)] =
                (c < 11 ? 60.0F : 180.0F) + 30.0F * std::sin(0.4F * float(y));
    auto s = a.new_samples();
    a.forward(a.upload(x), s);
    const std::size_t low = std::max<std::size_t>(1, p.pixels() / 4);
    test::RandomValues random(5);
    for (std::size_t i = 0; i < s.size(); ++i) {
        float value = s[i] + random.next(-8.0F, 8.0F);
        if (random.next(0.0F, 1.0F) < 0.05F) value = random.next() < 0 ? 0.0F : 255.0F;
        p.observations[a.sample_order()[i] / low].values.values[a.sample_order()[i] % low] = value;
    }
    return p;
}

// All weights e are 1.
cpu::Vector no_weights(cpu::Backend& b) {
    return b.upload(std::vector<float>(b.new_weights().size(), 1.0F));
}

class PaperAdmm : public testing::Test {
protected:
    Problem problem = tiny_convex_problem();
    cpu::Backend backend{problem, 1};
    PaperProblem paper =
        cpu::in_paper_form(problem, backend, objective.lambda, no_weights(backend));
    PaperProblem::Values start = PaperProblem::Values(problem.pixels(), 110.0);

    SolveSummary run_paper(int iterations, double theta, PaperProblem::Values& x) {
        x = start;
        PaperAdmmOptions o;
        o.lambda1 = objective.lambda1;
        o.lambda2 = objective.lambda2;
        o.theta = theta;
        o.iterations = iterations;
        return paper_admm(paper, o, x, no_monitor);
    }
    SolveSummary run_fast(int iterations, double relax, cpu::Vector& x) {
        x = backend.upload(std::vector<float>(start.begin(), start.end()));
        SolveOptions o;
        o.objective = objective;
        o.iterations = iterations;
        o.cg_steps = 10;
        o.relax = relax;
        return admm(backend, o, x, no_monitor);
    }
};

TEST_F(PaperAdmm, ReachesTheCostAndImageOfTheFastSolver) {
    PaperProblem::Values x;
    cpu::Vector fast_x;
    const double paper_cost = run_paper(600, 0.2, x).iterations.back().cost;
    const double fast_cost = run_fast(400, 1.7, fast_x).iterations.back().cost;
    EXPECT_NEAR(fast_cost, paper_cost, 1e-3 * paper_cost);
    double difference = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        difference += std::pow(x[i] - double(fast_x[i]), 2);
    EXPECT_LE(std::sqrt(difference / double(x.size())), 1.0);
}

TEST_F(PaperAdmm, OverRelaxationChangesTheSpeedNotTheResult) {
    cpu::Vector x;
    const double plain = run_fast(400, 1.0, x).iterations.back().cost;
    const double relaxed = run_fast(400, 1.7, x).iterations.back().cost;
    EXPECT_NEAR(plain, relaxed, 1e-3 * plain);
    EXPECT_LT(run_fast(6, 1.7, x).iterations.back().cost,
              run_fast(6, 1.0, x).iterations.back().cost);
}

TEST_F(PaperAdmm, CostFallsAndUnitsAreCounted) {
    PaperProblem::Values x;
    const SolveSummary summary = run_paper(10, 0.05, x);
    ASSERT_EQ(summary.iterations.size(), 11U);
    EXPECT_LT(summary.iterations.back().cost, 0.3 * summary.iterations.front().cost);
    EXPECT_EQ(summary.iterations.front().units, 1.0);           // a cost
    EXPECT_EQ(summary.iterations.back().units, 1 + 10 * 22.0);  // gradient, 10 CG steps, cost
    EXPECT_EQ(summary.termination, Termination::max_iterations);
}

TEST_F(PaperAdmm, IterationsEqualThoseOfTheFastSolverWithEqualPenalties) {
    // If all directions have one weight, both forms are the same algorithm with suitable penalties:
    // F scaled by c with penalty theta is F with penalty theta c^2.
    for (Direction& d : problem.directions)
        d.weight = 1.0F;
    cpu::Backend b(problem, 1);
    const PaperProblem scaled = cpu::in_paper_form(problem, b, objective.lambda, no_weights(b));
    const double theta = 0.1;
    PaperAdmmOptions paper_options{objective.lambda1, objective.lambda2, theta, 6, 400, 1e-12};
    PaperProblem::Values x = start;
    const SolveSummary expected = paper_admm(scaled, paper_options, x, no_monitor);

    SolveOptions o;
    o.objective = objective;
    o.iterations = 6;
    o.cg_steps = 400;
    o.cg_tolerance = 1e-7;
    o.relax = 1;
    o.data_threshold = objective.lambda1 / (theta * objective.lambda1 * objective.lambda1);
    o.prior_threshold = objective.lambda / (theta * objective.lambda * objective.lambda);
    auto fast = b.upload(std::vector<float>(start.begin(), start.end()));
    const SolveSummary actual = admm(b, o, fast, no_monitor);
    // The fast solver starts from z = F x - b and w = 0, the published one from w = 0. Its first
    // step applies the same prox, so all rows agree.
    for (std::size_t n = 0; n < actual.iterations.size(); ++n)
        EXPECT_NEAR(actual.iterations[n].cost, expected.iterations[n].cost,
                    2e-3 * expected.iterations[n].cost)
            << "iteration " << n;
}

TEST_F(PaperAdmm, StopsWhenTheMonitorCancelsAndKeepsItsRows) {
    PaperProblem::Values x = start;
    const SolveSummary summary =
        paper_admm(paper, {}, x, [](IterationReport& row, const auto& image) {
            EXPECT_EQ(image().size(), 480U);
            return row.iteration < 2;
        });
    EXPECT_EQ(summary.termination, Termination::cancelled);
    EXPECT_EQ(summary.iterations.size(), 3U);
}

TEST_F(PaperAdmm, RecomputesItsWeightsBeforeEachIteration) {
    int calls = 0;
    paper.reweight = [&](const PaperProblem::Values& x) {
        EXPECT_EQ(x.size(), problem.pixels());
        ++calls;
    };
    PaperProblem::Values x;
    run_paper(4, 0.1, x);
    EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace plenosr
