// Every kernel once, on images of at most 32 x 32 pixels, and small solves: small enough for a
// simulator. The simulator (ctest -R oclgrind) checks each memory access, these tests the results.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/engine.h"
#include "backends/opencl/backend.h"
#include "backends/opencl/denoise.h"
#include "backends/opencl/engine.h"
#include "backends/opencl/matching.h"
#include "cases/laws.h"
#include "cases/matching.h"
#include "cases/problems.h"
#include "cases/random_values.h"
#include "denoise/denoise.h"
#include "opencl/on_device.h"
#include "problem/planar_layout.h"
#include "solver/run_solver.h"

namespace plenosr {
namespace {

class Small : public testing::TestWithParam<test::Variant> {
protected:
    opencl::Device& device = test::device(GetParam());

    Small() { device.keep_released_memory(); }

    // 2 ADMM iterations of 2 conjugate-gradient steps end where the native engine ends.
    void expect_agreement(const Problem& problem, Solver solver, SolveOptions options = {}) {
        options.iterations = 2;
        options.cg_steps = 2;
        options.tolerance = 1e-9;
        const auto go_on = [](IterationReport&, const auto&) { return true; };
        const Image start(problem.width, problem.height, problem.channels, 120.0F);
        opencl::Backend backend(device, problem);
        auto x = backend.upload(std::vector<float>(start.values.size(), 120.0F));
        run_solver(backend, solver, options, x, {}, go_on);
        const std::vector<float> found = backend.download(x);
        cpu::CpuEngine native(1);
        const Image expected = native.solve(problem, start, solver, options, go_on).image;
        const std::vector<float> planes = to_planes(expected);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], planes[i], 0.05) << i;
    }
};

Problem problem_of(const test::ProblemCase& c) {
    Problem problem = test::make_problem(c);
    problem.weights.adaptive = true;
    return problem;
}

TEST_P(Small, AdmmWithTheStencil) {
    expect_agreement(problem_of({"f16", 7, 6, 2, "gaussian", Interpolation::bicubic,
                                 OperatorForm::sampling, NormalForm::stencil_f16, -1, 1, 2}),
                     Solver::admm);
}

TEST_P(Small, MixtureWithFirstAndSecondDifferences) {
    Problem problem = problem_of({"mixture", 7, 6, 2, "gaussian", Interpolation::bicubic,
                                  OperatorForm::sampling, NormalForm::stencil_f16, -1, 1, 2});
    problem.directions = prior_directions(Prior::first_second, 1);
    for (Observation& o : problem.observations)
        for (std::size_t i = 0; i < o.values.values.size(); i += 5)
            o.values.values[i] = i % 2 == 0 ? 0.0F : 255.0F;
    SolveOptions options;
    options.objective.mixture = Mixture{40.0, 0.1, {}};
    expect_agreement(problem, Solver::admm, options);
}

TEST_P(Small, PhotonNoiseWithWeightsOfPatches) {
    for (const Prior prior : {Prior::nltv, Prior::bswtv}) {
        Problem problem = problem_of({"photons", 6, 5, 2, "gaussian", Interpolation::bicubic,
                                      OperatorForm::sampling, NormalForm::stencil_f16, -1, 1, 2});
        problem.directions = prior_directions(prior, 1);
        problem.weights.patch = prior_weights(prior).patch;
        problem.weights.noise = {20.0F, 2.0F, 4.0F};
        SolveOptions options;
        options.objective.mixture = Mixture{2.0, 0.0, {}, 1.5, 4.0};
        expect_agreement(problem, Solver::admm, options);
    }
}

TEST_P(Small, AdmmSampleBySampleInThreeChannels) {
    expect_agreement(problem_of({"direct", 5, 4, 2, "gaussian", Interpolation::bilinear,
                                 OperatorForm::sampling, NormalForm::direct, -1, 1, 2, true, 3}),
                     Solver::admm);
}

TEST_P(Small, GradientDescentOnTheChain) {
    expect_agreement(problem_of({"chain", 5, 4, 2, "motion:3,120", Interpolation::bicubic,
                                 OperatorForm::chain, NormalForm::direct, -1, 1, 2}),
                     Solver::gd);
}

TEST_P(Small, BlurThatChangesOverTheImage) {
    const Problem problem = problem_of({"grid", 5, 4, 2, "grid 2x2", Interpolation::bicubic,
                                        OperatorForm::sampling, NormalForm::direct, -1, 1, 2});
    opencl::Backend backend(device, problem);
    test::RandomValues random(5);
    const auto x = backend.upload(random.vector(problem.pixels()));
    auto samples = backend.new_samples();
    auto back = backend.new_image();
    backend.forward(x, samples);
    backend.adjoint(samples, back);
    // <A x, A x> = <x, A'A x>, for weights of 1
    const std::vector<float> ax = backend.download(samples);
    EXPECT_NEAR(backend.value(backend.dot(x, back)) / test::dot(ax, ax), 1.0, 1e-5);
}

// Scalars must not be overwritten while later steps still need them: a simulator sees the race.
TEST_P(Small, ManyStepsOfConjugateGradients) {
    const Problem problem = problem_of({"cg", 3, 3, 2, "none", Interpolation::bilinear,
                                        OperatorForm::sampling, NormalForm::direct, -1, 1, 1});
    opencl::Backend backend(device, problem);
    CgWorkspace<opencl::Backend> workspace(backend);
    backend.inverse_diagonal(1.0, 0.1, 0.0, workspace.inverse_diagonal);
    test::RandomValues random(6);
    auto r = backend.upload(random.vector(problem.pixels()));
    auto x = backend.new_image();
    const double before = backend.value(backend.dot(r, r));
    conjugate_gradients(backend, 1.0, 0.1, 10, 1e-4, workspace, r, x);
    EXPECT_LT(backend.value(backend.dot(r, r)), 1e-2 * before);
}

TEST_P(Small, DifferencesAndTheirNormal) {
    Problem problem = problem_of({"differences", 6, 5, 2});
    problem.weights.adaptive = false;
    for (const Direction& d : window_directions(1, 2))
        problem.directions.push_back(d);
    opencl::Backend backend(device, problem);
    test::RandomValues random(4);
    const auto x = backend.upload(random.vector(problem.pixels()));
    auto u = backend.new_field();
    auto e = backend.new_weights();
    auto back = backend.new_image();
    backend.differences(x, u);
    backend.weights(x, e);
    // <S x, S x> = <x, S'S x>
    const std::vector<float> sx = backend.download(u);
    EXPECT_NEAR(backend.value(backend.normal(0.0, 1.0, x, back)) / test::dot(sx, sx), 1.0, 1e-5);
    EXPECT_GT(backend.prior_cost(x, e), 0.0);
}

TEST_P(Small, GeometryPilotAndEnlargement) {
    opencl::OpenclEngine engine(opencl::listed_devices().at(0), {GetParam().strategy});
    engine.device().keep_released_memory();
    GeometryDesc desc;
    desc.width = 22;
    desc.height = 18;
    desc.low_width = 11;
    desc.low_height = 9;
    desc.disparity = Image(22, 18, 1, 0.5F);
    for (int y = 4; y < 12; ++y)
        for (int x = 6; x < 14; ++x)
            desc.disparity.at(y, x) = 1.5F;
    desc.psf = make_psf(BlurSpec{}, 2);
    desc.views = {{0, 0}, {1, 0}, {-1, 2}};
    const auto geometry = engine.geometry(desc, {});
    const std::vector<Image> views(3, Image(11, 9, 1, 77.0F));
    const Image enlarged = engine.enlarge_bicubic(views.front(), 2);
    const MedianImage pilot = engine.median_of_views(views, geometry, desc.disparity, enlarged, 2);
    for (const float value : pilot.median.values)
        ASSERT_NEAR(value, 77.0F, 1e-3F);
    for (const float spread : pilot.spread.values)
        ASSERT_NEAR(spread, 0.0F, 1e-3F);
}

std::vector<test::Variant> small_variants() {
    std::vector<test::Variant> result;
    for (const auto s : test::strategies({opencl::Strategy::local, opencl::Strategy::image}))
        result.push_back({s, 1});
    return result;
}

INSTANTIATE_TEST_SUITE_P(Variants, Small, testing::ValuesIn(small_variants()),
                         testing::PrintToStringParamName());

// In buffers with every strategy.
TEST(SmallDenoisers, GiveTheNativeResult) {
    opencl::Device& device = test::device({opencl::Strategy::buffer, 1});
    device.keep_released_memory();
    test::RandomValues random(6);
    constexpr int width = 11;
    constexpr int height = 9;
    const opencl::PlaneShape shape{width, height};
    const std::vector<float> image = random.vector(std::size_t(width * height), 100.0F, 140.0F);
    for (const Denoiser kind : {Denoiser::bm3d, Denoiser::nlm}) {
        opencl::Memory x = device.new_buffer(shape.size() * sizeof(float));
        opencl::Memory v = device.new_buffer(shape.size() * sizeof(float));
        device.write_rows(x, image.data(), width, height, shape.stride());
        opencl::DeviceDenoiser denoiser(device, kind, shape);
        denoiser(x, 1, 25, v);
        std::vector<float> found(image.size());
        device.read_rows(v, found.data(), width, height, shape.stride());
        std::vector<float> expected = image;
        denoise(kind, expected, width, height, 25);
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i], 0.05) << i;
    }
}

// In buffers with every strategy.
TEST(SmallMatching, FindsThePlane) {
    opencl::Device& device = test::device({opencl::Strategy::buffer, 1});
    device.keep_released_memory();
    MatchDesc desc = test::plane_at(0.5, 13, 5);
    desc.views.resize(5);
    desc.offsets.resize(5);
    desc.labels = 5;
    desc.first = 0;
    desc.step = 0.25;
    for (const MatchLoss loss : {MatchLoss::absolute, MatchLoss::squared}) {
        desc.loss = loss;
        desc.half_views = loss == MatchLoss::absolute ? Image(13, 5, 1, 1.0F) : Image();
        const Match match = opencl::match_views(device, desc, {});
        for (int x = 3; x < 10; ++x)
            ASSERT_NEAR(match.disparity.at(2, x), 0.5F, 0.1F) << x;
    }
}

// Two work-items write one value without synchronisation. A simulator that looks for races must
// report this one.
TEST(OnPurpose, RaceBetweenWorkItems) {
    opencl::Device& device = test::device({opencl::Strategy::buffer, 1});
    auto kernel = device.kernel("decimate", "scatter_order");
    const float samples[2] = {1.0F, 2.0F};
    const cl_uint order[2] = {0, 0};  // both go to one place
    const auto from = device.new_constants(samples, sizeof samples);
    const auto to_zero = device.new_constants(order, sizeof order);
    auto plane = device.new_buffer(16);
    kernel({2, 1, 1, 2, 1}, from, to_zero, 2, 1, 1, plane);
    float value = 0;
    device.read(plane, &value, sizeof value);
    EXPECT_TRUE(value == 1.0F || value == 2.0F) << value;
}

}  // namespace
}  // namespace plenosr
