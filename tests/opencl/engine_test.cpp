// The OpenCL engine as the pipeline uses it: it ends where the native engine ends, gives the same
// bits twice, keeps to its estimate of memory, and survives faults.
#include "backends/opencl/engine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/engine.h"
#include "cases/problems.h"
#include "opencl/on_device.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

opencl::ListedDevice listed() {
    return opencl::listed_devices().at(0);
}

Problem problem_of(OperatorForm form, int channels = 1) {
    test::ProblemCase c{"engine", 40, 32, 2};
    c.form = form;
    c.normal = NormalForm::automatic;
    c.channels = channels;
    c.disparity_low = -0.4F;
    c.disparity_high = 0.4F;
    Problem problem = test::make_problem(c);
    problem.weights.adaptive = true;
    // a smooth scene instead of noise, so that solvers have something to find
    for (Observation& o : problem.observations)
        for (int i = 0; i < o.values.height; ++i)
            for (int j = 0; j < o.values.width; ++j)
                for (int k = 0; k < channels; ++k)
                    o.values.at(i, j, k) =
                        float(120 + 60 * std::sin(0.3 * j + k) * std::cos(0.2 * i));
    return problem;
}

ProblemShape shape_of(const Problem& p, const SolveOptions& options, Solver solver) {
    ProblemShape s;
    s.width = p.width;
    s.height = p.height;
    s.channels = p.channels;
    s.scale = p.scale;
    s.views = p.observations.size();
    s.low_width = p.low_width();
    s.low_height = p.low_height();
    s.disparity_width = p.width;
    s.disparity_height = p.height;
    s.blur_radius = p.psf.width() / 2;
    s.interpolation = p.interpolation;
    s.form = p.form;
    s.normal = p.normal;
    s.directions = p.directions.size();
    s.adaptive = p.weights.adaptive;
    s.solver = solver;
    s.keeps_previous = options.tolerance > 0;
    return s;
}

bool always(IterationReport&, const std::function<std::vector<float>()>&) {
    return true;
}

Image flat_start(const Problem& p) {
    return Image(p.width, p.height, p.channels, 120.0F);
}

class EngineOnDevice : public testing::TestWithParam<opencl::Strategy> {};

TEST_P(EngineOnDevice, EndsWhereTheNativeEngineEnds) {
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain})
        for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls})
            for (const int channels : {1, 3}) {
                const Problem problem = problem_of(form, channels);
                SolveOptions options;
                options.iterations = 4;
                opencl::OpenclEngine engine(listed(), {GetParam(), false});
                cpu::CpuEngine native(1);
                const auto found =
                    engine.solve(problem, flat_start(problem), solver, options, always);
                const auto expected =
                    native.solve(problem, flat_start(problem), solver, options, always);
                double largest = 0;
                for (std::size_t i = 0; i < found.image.values.size(); ++i)
                    largest = std::max(largest, double(std::abs(found.image.values[i] -
                                                                expected.image.values[i])));
                // A subgradient jumps at kinks, so there images part while the costs agree.
                if (solver == Solver::admm) {
                    EXPECT_LE(largest, 0.02) << int(form) << int(solver) << channels;
                }
                EXPECT_NEAR(
                    found.summary.iterations.back().cost / expected.summary.iterations.back().cost,
                    1.0, 1e-3);
                EXPECT_EQ(found.samples, expected.samples);
            }
}

TEST_P(EngineOnDevice, SameRunSameBits) {
    const Problem problem = problem_of(OperatorForm::sampling);
    SolveOptions options;
    options.iterations = 5;
    opencl::OpenclEngine engine(listed(), {GetParam(), false});
    opencl::OpenclEngine again(listed(), {GetParam(), false});
    const auto a = engine.solve(problem, flat_start(problem), Solver::admm, options, always);
    const auto b = again.solve(problem, flat_start(problem), Solver::admm, options, always);
    EXPECT_EQ(a.image.values, b.image.values);
}

TEST_P(EngineOnDevice, KeepsToItsEstimateOfMemory) {
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain})
        for (const Solver solver : {Solver::admm, Solver::gd_ls})
            for (const double tolerance : {0.0, 1e-9}) {
                Problem problem = problem_of(form);
                SolveOptions options;
                options.iterations = 2;
                options.tolerance = tolerance;
                opencl::OpenclEngine engine(listed(), {GetParam(), false});
                engine.solve(problem, flat_start(problem), solver, options, always);
                const EngineMemory need = engine.memory_for(shape_of(problem, options, solver));
                EXPECT_LE(engine.memory().peak(), need.solve);
                EXPECT_GE(1.4 * double(engine.memory().peak()) + double(2U << 20),
                          double(need.solve));
                EXPECT_EQ(engine.memory().live(), 0U);
            }
}

TEST_P(EngineOnDevice, MemoryIsGivenBackAlsoAfterAFault) {
    const Problem problem = problem_of(OperatorForm::sampling);
    opencl::OpenclEngine engine(listed(), {GetParam(), false});
    for (int n = 0; n < 12; n += 3) {
        opencl::Faults faults;
        faults.allocation = n;
        engine.device().inject(faults);
        EXPECT_THROW(engine.solve(problem, flat_start(problem), Solver::admm, {}, always),
                     OutOfMemory);
        EXPECT_EQ(engine.device().memory().live, 0U);
    }
    opencl::Faults lost;
    lost.launch = 20;
    lost.code = CL_DEVICE_NOT_AVAILABLE;
    engine.device().inject(lost);
    try {
        engine.solve(problem, flat_start(problem), Solver::admm, {}, always);
        ADD_FAILURE() << "a lost device was not noticed";
    } catch (const Error& error) {
        EXPECT_EQ(int(error.kind()), int(ErrorKind::device));
        EXPECT_NE(std::string(error.what()).find("CL_DEVICE_NOT_AVAILABLE"), std::string::npos)
            << error.what();
    }
    engine.device().inject({});
    EXPECT_EQ(engine.device().memory().live, 0U);
    SolveOptions options;
    options.iterations = 1;
    EXPECT_NO_THROW(engine.solve(problem, flat_start(problem), Solver::admm, options, always));
}

INSTANTIATE_TEST_SUITE_P(Strategies, EngineOnDevice,
                         testing::Values(opencl::Strategy::buffer, opencl::Strategy::image,
                                         opencl::Strategy::local),
                         [](const auto& param) { return opencl::to_string(param.param); });

TEST(EngineProfile, NamesKernelsWithTimesAndBytes) {
    const Problem problem = problem_of(OperatorForm::sampling);
    opencl::OpenclEngine engine(listed(), {std::nullopt, true});
    engine.solve(problem, flat_start(problem), Solver::admm, {}, always);
    const auto profile = engine.profile();
    ASSERT_TRUE(profile.has_value());
    EXPECT_GT(profile->bandwidth, 0);
    double seconds = 0;
    for (const KernelProfile& kernel : profile->kernels)
        seconds += kernel.seconds;
    EXPECT_GT(seconds, 0);
    EXPECT_GE(profile->kernels.size(), 15U);
}

}  // namespace
}  // namespace plenosr
