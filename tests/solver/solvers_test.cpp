// The solvers through reconstruct(), on a small rendered scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

using test::reconstruct_scene;

const test::DegradedScene& scene() {
    static const auto shared = test::degraded_scene({"planes", 3, 64, 48, 1, 2, 5, 1});
    return shared;
}

ReconstructOptions options(Solver solver, int iterations) {
    ReconstructOptions o;
    o.solver = solver;
    o.iterations = iterations;
    o.reweight = false;  // the objective stays the same
    o.denoiser = Denoiser::none;
    return o;
}

TEST(Solvers, ObjectiveFallsFromIterationToIteration) {
    const ReconstructResult admm = reconstruct_scene(scene(), options(Solver::admm, 10));
    ASSERT_EQ(admm.iterations.size(), 11U);
    EXPECT_LT(admm.iterations.back().cost, 0.8 * admm.iterations.front().cost);
    // ADMM is not a descent method, but over the first iterations the objective falls.
    for (std::size_t n = 1; n < 5; ++n)
        EXPECT_LT(admm.iterations[n].cost, admm.iterations[n - 1].cost);

    const ReconstructResult ls = reconstruct_scene(scene(), options(Solver::gd_ls, 20));
    for (std::size_t n = 1; n < ls.iterations.size(); ++n)
        EXPECT_LT(ls.iterations[n].cost, ls.iterations[n - 1].cost) << "a line search descends";
}

TEST(Solvers, GradientDescentReducesTheCost) {
    for (const Solver solver : {Solver::gd, Solver::gd_ls}) {
        const ReconstructResult result = reconstruct_scene(scene(), options(solver, 25));
        EXPECT_LT(result.iterations.back().cost, 0.95 * result.iterations.front().cost);
        EXPECT_GT(result.iterations.back().psnr, result.iterations.front().psnr);
    }
}

double units_to_reach(const ReconstructResult& result, double cost) {
    for (const IterationReport& row : result.iterations)
        if (row.cost <= cost) return row.units;
    return std::numeric_limits<double>::infinity();
}

TEST(Solvers, AdmmNeedsFewerUnitsThanGradientDescent) {
    const ReconstructResult admm = reconstruct_scene(scene(), options(Solver::admm, 150));
    double best = admm.iterations.front().cost;
    for (const IterationReport& row : admm.iterations)
        best = std::min(best, row.cost);
    const double units = units_to_reach(admm, 1.01 * best);
    EXPECT_TRUE(std::isfinite(units));
    EXPECT_LT(units,
              units_to_reach(reconstruct_scene(scene(), options(Solver::gd, 300)), 1.01 * best));
    EXPECT_LT(units,
              units_to_reach(reconstruct_scene(scene(), options(Solver::gd_ls, 300)), 1.01 * best));
}

TEST(Solvers, RowsAreNumberedAndTheirUnitsGrow) {
    for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls}) {
        const ReconstructResult result = reconstruct_scene(scene(), options(solver, 4));
        ASSERT_EQ(result.iterations.size(), 5U);
        for (std::size_t n = 0; n < 5; ++n) {
            EXPECT_EQ(result.iterations[n].iteration, int(n));
            if (n == 0) continue;
            EXPECT_GT(result.iterations[n].units, result.iterations[n - 1].units);
            EXPECT_GE(result.iterations[n].seconds, result.iterations[n - 1].seconds);
        }
        EXPECT_EQ(result.termination, Termination::max_iterations);
        EXPECT_EQ(result.message, "4 iterations done");
    }
}

TEST(Solvers, WithoutIterationsReturnTheInitialImage) {
    for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls}) {
        const ReconstructResult result = reconstruct_scene(scene(), options(solver, 0));
        EXPECT_EQ(result.image, result.initial);
        EXPECT_EQ(result.iterations.size(), 1U);
    }
}

TEST(Solvers, StopWhenCancelledAndKeepTheirRows) {
    for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls}) {
        const ReconstructResult result = reconstruct_scene(
            scene(), options(solver, 50),
            [](const ProgressEvent& event) { return event.stage != "solving" || event.step < 2; });
        EXPECT_EQ(result.termination, Termination::cancelled);
        ASSERT_EQ(result.iterations.size(), 3U);
        EXPECT_EQ(result.message, "cancelled after 2 iterations");
        EXPECT_NE(result.image, result.initial) << "what was reached is returned";
        EXPECT_EQ(result.image.width, 64);
    }
}

TEST(Solvers, ReturnNoImageIfCancelledBeforeTheFirstIteration) {
    for (const char* stage : {"geometry", "solving"}) {
        const ReconstructResult result =
            reconstruct_scene(scene(), options(Solver::admm, 5),
                              [&](const ProgressEvent& e) { return e.stage != stage; });
        EXPECT_EQ(result.termination, Termination::cancelled);
        EXPECT_EQ(result.message, "cancelled before the first iteration");
        EXPECT_TRUE(result.image.empty()) << stage;
    }
}

TEST(Solvers, ConvergeOnceTheImageChangesLessThanTheTolerance) {
    for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls}) {
        ReconstructOptions o = options(solver, 2000);
        // The fixed step of gd never gets shorter than a few grey levels.
        o.tolerance = solver == Solver::gd ? 0.05 : 2e-3;
        const ReconstructResult result = reconstruct_scene(scene(), o);
        EXPECT_EQ(result.termination, Termination::converged);
        EXPECT_LT(result.iterations.size(), 2000U);
        EXPECT_NE(result.message.find("converged"), std::string::npos);
        // The last row belongs to the returned image.
        EXPECT_NEAR(result.iterations.back().psnr, compare(result.image, scene().truth).psnr, 1e-9);
    }
}

struct Terms {
    double lambda1;
    double lambda2;
    double lambda;
};

TEST(Solvers, TermsMayBeSwitchedOff) {
    for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls})
        for (const Terms t :
             {Terms{0, 0.01, 0.06}, {1, 0, 0.06}, {1, 0.01, 0}, {0, 0.01, 0}, {1, 0, 0}}) {
            SCOPED_TRACE(testing::Message() << int(solver) << ": " << t.lambda1 << ", " << t.lambda2
                                            << ", " << t.lambda);
            ReconstructOptions o = options(solver, 5);
            o.lambda1 = t.lambda1;
            o.lambda2 = t.lambda2;
            o.lambda = t.lambda;
            const ReconstructResult result = reconstruct_scene(scene(), o);
            EXPECT_NE(result.termination, Termination::diverged);
            for (const float v : result.image.values)
                ASSERT_TRUE(std::isfinite(v));
            EXPECT_LT(result.iterations.back().cost, result.iterations.front().cost);
        }
}

TEST(Solvers, RefuseToRunWithoutAnyDataTerm) {
    ReconstructOptions o;
    o.lambda1 = 0;
    o.lambda2 = 0;
    EXPECT_THROW(reconstruct_scene(scene(), o), Error);
    o = {};
    o.data = DataTerm::l1;
    o.lambda1 = 0;
    EXPECT_THROW(reconstruct_scene(scene(), o), Error);
}

TEST(Solvers, DataTermsIgnoreTheWeightsOfOtherTerms) {
    ReconstructOptions l1 = options(Solver::admm, 3);
    l1.data = DataTerm::l1;
    ReconstructOptions without_l2 = options(Solver::admm, 3);
    without_l2.lambda2 = 0;
    EXPECT_EQ(reconstruct_scene(scene(), l1).image, reconstruct_scene(scene(), without_l2).image);
    ReconstructOptions l2 = options(Solver::admm, 3);
    l2.data = DataTerm::l2;
    ReconstructOptions without_l1 = options(Solver::admm, 3);
    without_l1.lambda1 = 0;
    EXPECT_EQ(reconstruct_scene(scene(), l2).image, reconstruct_scene(scene(), without_l1).image);
}

TEST(Solvers, RefuseObservationsThatAreNotNumbers) {
    test::DegradedScene broken = scene();
    broken.views.views[3].image.at(5, 6) = std::numeric_limits<float>::quiet_NaN();
    try {
        reconstruct_scene(broken, {});
        FAIL() << "a NaN went through";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
    }
}

TEST(Solvers, ReportDivergenceAndReturnTheInitialImage) {
    // Not gd_ls: its line search never takes a step that increases the cost.
    for (const Solver solver : {Solver::admm, Solver::gd}) {
        ReconstructOptions o = options(solver, 5);
        o.data = DataTerm::l1_l2;
        o.lambda2 = 1e38;  // times a squared residual: not finite
        const ReconstructResult result = reconstruct_scene(scene(), o);
        EXPECT_EQ(result.termination, Termination::diverged);
        EXPECT_EQ(result.image, result.initial);
        EXPECT_NE(result.message.find("not finite"), std::string::npos);
    }
}

void expect_same_bits(const ReconstructOptions& base, const test::DegradedScene& s) {
    std::vector<ReconstructResult> results;
    for (const int threads : {1, 1, 2, 7}) {
        ReconstructOptions o = base;
        o.threads = threads;
        results.push_back(reconstruct_scene(s, o));
    }
    for (const ReconstructResult& result : results) {
        EXPECT_EQ(result.image, results[0].image);
        EXPECT_EQ(result.initial, results[0].initial);
        EXPECT_EQ(result.noise, results[0].noise);
        ASSERT_EQ(result.iterations.size(), results[0].iterations.size());
        for (std::size_t n = 0; n < result.iterations.size(); ++n) {
            EXPECT_EQ(result.iterations[n].cost, results[0].iterations[n].cost);
            EXPECT_EQ(result.iterations[n].psnr, results[0].iterations[n].psnr);
        }
    }
}

TEST(Solvers, ThreadsAndRepetitionChangeNoBit) {
    const auto larger = test::degraded_scene({"planes", 3, 200, 150, 1, 2, 10, 2});
    for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls}) {
        ReconstructOptions o;
        o.solver = solver;
        o.iterations = 3;
        expect_same_bits(o, larger);
    }
    ReconstructOptions chain;
    chain.operator_form = OperatorForm::chain;
    chain.init = Initial::median;
    chain.iterations = 2;
    expect_same_bits(chain, larger);
    ReconstructOptions colour;
    colour.colour = Colour::rgb;
    colour.iterations = 2;
    expect_same_bits(
        colour, test::degraded_scene({"planes", 3, 96, 80, 3, 2, 10, 2, "gaussian", Colour::rgb}));
}

TEST(Solvers, ThreadsChangeNoBitWhenRowsAreNotWholeVectors) {
    ReconstructOptions o;
    o.scale = 3;
    o.iterations = 3;
    expect_same_bits(o, test::degraded_scene({"planes", 3, 99, 99, 1, 3, 10, 2}));
    o.colour = Colour::rgb;
    for (const Solver solver : {Solver::admm, Solver::gd}) {
        o.solver = solver;
        expect_same_bits(
            o, test::degraded_scene({"planes", 3, 99, 99, 3, 3, 10, 2, "gaussian", Colour::rgb}));
    }
}

}  // namespace
}  // namespace plenosr
