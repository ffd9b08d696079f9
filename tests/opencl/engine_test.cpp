// The OpenCL engine as the pipeline uses it: it agrees with the native engine, gives the same
// bits every time, keeps to its threads, reports compilation, and survives faults.
#include "backends/opencl/engine.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cmath>

#include "backends/cpu/engine.h"
#include "base/cancelled.h"
#include "cases/problems.h"
#include "devices/make_engines.h"
#include "opencl/on_device.h"
#include "opencl/support.h"
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
    // A smooth scene instead of noise.
    for (Observation& o : problem.observations)
        for (int i = 0; i < o.values.height; ++i)
            for (int j = 0; j < o.values.width; ++j)
                for (int k = 0; k < channels; ++k)
                    o.values.at(i, j, k) =
                        float(120 + 60 * std::sin(0.3 * j + k) * std::cos(0.2 * i));
    return problem;
}

bool always(IterationReport&, const std::function<std::vector<float>()>&) {
    return true;
}

Image flat_start(const Problem& p) {
    return Image(p.width, p.height, p.channels, 120.0F);
}

class EngineOnDevice : public testing::TestWithParam<opencl::Strategy> {};

TEST_P(EngineOnDevice, AgreesWithTheNativeEngine) {
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain})
        for (const Solver solver : {Solver::admm, Solver::gd, Solver::gd_ls})
            for (const int channels : {1, 3}) {
                const Problem problem = problem_of(form, channels);
                SolveOptions options;
                options.iterations = 4;
                opencl::OpenclEngine engine(listed(), {GetParam()});
                cpu::CpuEngine native(1);
                const auto found =
                    engine.solve(problem, flat_start(problem), solver, options, always);
                const auto expected =
                    native.solve(problem, flat_start(problem), solver, options, always);
                double largest = 0;
                for (std::size_t i = 0; i < found.image.values.size(); ++i)
                    largest = std::max(largest, double(std::abs(found.image.values[i] -
                                                                expected.image.values[i])));
                // A subgradient jumps at kinks: the images differ there while the costs agree.
                if (solver == Solver::admm) {
                    EXPECT_LE(largest, 0.02) << int(form) << int(solver) << channels;
                }
                EXPECT_NEAR(
                    found.summary.iterations.back().cost / expected.summary.iterations.back().cost,
                    1.0, 1e-3);
                EXPECT_EQ(found.samples, expected.samples);
            }
}

TEST_P(EngineOnDevice, GivesTheSameBitsEveryTime) {
    const Problem problem = problem_of(OperatorForm::sampling);
    SolveOptions options;
    options.iterations = 5;
    opencl::OpenclEngine engine(listed(), {GetParam()});
    opencl::OpenclEngine again(listed(), {GetParam()});
    const auto a = engine.solve(problem, flat_start(problem), Solver::admm, options, always);
    const auto b = again.solve(problem, flat_start(problem), Solver::admm, options, always);
    EXPECT_EQ(a.image.values, b.image.values);
}

TEST_P(EngineOnDevice, ReleasesItsMemoryAfterAFault) {
    const Problem problem = problem_of(OperatorForm::sampling);
    opencl::OpenclEngine engine(listed(), {GetParam()});
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
                         testing::ValuesIn(test::strategies({opencl::Strategy::buffer,
                                                             opencl::Strategy::local})),
                         [](const auto& param) { return opencl::to_string(param.param); });

TEST(EngineGroups, AreCutDownToWhatAKernelAllows) {
    const Problem problem = problem_of(OperatorForm::sampling);
    SolveOptions options;
    options.iterations = 2;
    opencl::ListedDevice as_gpu = listed();  // groups of many work-items
    as_gpu.description.type = DeviceType::gpu;
    opencl::OpenclEngine usual(as_gpu, {});
    opencl::OpenclEngine limited(as_gpu, {});
    opencl::Faults faults;
    faults.group_size = 16;
    limited.device().inject(faults);
    const auto expected = usual.solve(problem, flat_start(problem), Solver::admm, options, always);
    const auto found = limited.solve(problem, flat_start(problem), Solver::admm, options, always);
    for (std::size_t i = 0; i < found.image.values.size(); ++i)
        ASSERT_NEAR(found.image.values[i], expected.image.values[i], 1e-2) << i;
    EXPECT_TRUE(usual.notes().empty());
    ASSERT_EQ(limited.notes().size(), 1U);
    EXPECT_NE(limited.notes()[0].find("allows 16 work-items per group"), std::string::npos);
    EXPECT_LE(limited.device().tuning().group, 16);
    EXPECT_LE(limited.device().tuning().local_width * limited.device().tuning().local_height, 16);
}

TEST(EngineThreads, BoundTheWorkOnTheHost) {
    for (const int threads : {1, 2, 3}) {
        opencl::OpenclEngine engine(listed(), {std::nullopt, false, threads});
        int allowed = 0;
        engine.run([&] { allowed = tbb::this_task_arena::max_concurrency(); });
        EXPECT_EQ(allowed, threads);
        // The same holds inside a solve, from which the monitor is called.
        const Problem problem = problem_of(OperatorForm::sampling);
        engine.solve(problem, flat_start(problem), Solver::admm, {}, [&](auto&, const auto&) {
            allowed = tbb::this_task_arena::max_concurrency();
            return false;
        });
        EXPECT_EQ(allowed, threads);
    }
}

TEST(EngineThreads, AreThoseOfTheOptions) {
    ReconstructOptions options;
    options.device = "opencl";
    options.threads = 3;
    int allowed = 0;
    make_engines(options).front()->run([&] { allowed = tbb::this_task_arena::max_concurrency(); });
    EXPECT_EQ(allowed, 3);
}

TEST(EngineCompiling, IsReportedOnlyIfNoCacheHasTheKernels) {
    const test::Folder folder;
    const test::Environment cache("PLENOSR_CACHE", folder.path().c_str());
    ReconstructOptions options;
    options.device = "opencl";
    int events = 0;
    const Progress count = [&](const ProgressEvent& event) {
        EXPECT_EQ(event.stage, "compiling kernels");
        EXPECT_EQ(event.step, events);
        ++events;
        return true;
    };
    const Image low(4, 4, 1, 1.0F);
    make_engines(options, count).front()->enlarge_bicubic(low, 2);
    EXPECT_GE(events, 1);
    events = 0;
    make_engines(options, count).front()->enlarge_bicubic(low, 2);
    EXPECT_EQ(events, 0);
}

TEST(EngineCompiling, CanBeCancelled) {
    const test::Folder folder;
    const test::Environment cache("PLENOSR_CACHE", folder.path().c_str());
    ReconstructOptions options;
    options.device = "opencl";
    const auto engines = make_engines(options, [](const ProgressEvent&) { return false; });
    EXPECT_THROW(engines.front()->enlarge_bicubic(Image(4, 4, 1, 1.0F), 2), Cancelled);
}

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
