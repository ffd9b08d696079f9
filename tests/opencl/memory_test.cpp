// The memory that an engine plans for a problem covers what a solve takes, and not much more.
#include <gtest/gtest.h>

#include "backends/opencl/engine.h"
#include "backends/opencl/initial.h"
#include "cases/matching.h"
#include "cases/problem_shape.h"
#include "cases/problems.h"
#include "opencl/on_device.h"

namespace plenosr {
namespace {

struct MemoryCase {
    test::ProblemCase problem;
    Solver solver = Solver::admm;
    double tolerance = 0;
    bool photon_noise = false;
    bool denoises = false;
};

test::ProblemCase sampled(const char* name, NormalForm normal, int channels = 1,
                          const char* blur = "gaussian") {
    return {name, 64, 48, 2,     blur,    Interpolation::bicubic, OperatorForm::sampling, normal,
            -1,   1,  9,  false, channels};
}

std::vector<MemoryCase> memory_cases() {
    using enum NormalForm;
    test::ProblemCase chain = sampled("chain", direct);
    chain.form = OperatorForm::chain;
    chain.views = 4;
    test::ProblemCase shifts = sampled("shifts", periodic);
    shifts.geometry = test::ProblemCase::Geometry::whole_shifts;
    test::ProblemCase bilinear = sampled("bilinear", stencil_f16);
    bilinear.interpolation = Interpolation::bilinear;
    return {{sampled("stencil", stencil_f16)},
            {sampled("stencil_tolerance", stencil_f16), Solver::admm, 1e-9},
            {sampled("stencil_three_channels", stencil_f16, 3)},
            {sampled("direct", direct)},
            {sampled("direct_gradient_descent", direct), Solver::gd_ls},
            {sampled("direct_photon_noise", direct), Solver::admm, 0, true},
            {sampled("motion_blur", stencil_f16, 1, "motion:7,30")},
            {sampled("grid_of_psfs", stencil_f16, 1, "grid 3x4")},
            {sampled("denoiser", stencil_f16), Solver::admm, 0, false, true},
            {bilinear},
            {shifts},
            {chain},
            {chain, Solver::gd}};
}

class PlannedMemory : public testing::TestWithParam<opencl::Strategy> {};

// Within 15 %.
void expect_planned(std::size_t counted, std::size_t planned, const char* name) {
    EXPECT_LE(counted, planned) << name;
    EXPECT_LE(double(planned), 1.15 * double(counted)) << name;
}

TEST_P(PlannedMemory, CoversASolveAndIsClose) {
    for (const MemoryCase& c : memory_cases()) {
        Problem problem = test::make_problem(c.problem);
        problem.weights.adaptive = true;
        problem.weights.occlusion = std::vector<float>(problem.pixels(), 1.0F);
        SolveOptions options;
        options.iterations = 1;
        options.tolerance = c.tolerance;
        const Mixture mixture{2.0, 0.0, {}, 1.5, c.photon_noise ? 8.5 : 0.0};
        if (c.photon_noise || c.denoises) options.objective.mixture = mixture;
        if (c.denoises)
            options.plug_and_play = PlugAndPlay{Denoiser::nlm, mixture, 2, 1, {2, 2, 1, 1, 0.5}};
        opencl::OpenclEngine engine(opencl::listed_devices().at(0), {GetParam(), false, 1});
        const Image start(problem.width, problem.height, problem.channels, 120.0F);
        engine.solve(problem, start, c.solver, options,
                     [](IterationReport&, const auto&) { return true; });
        const EngineMemory need = engine.memory_for(test::shape_of(problem, options, c.solver));
        expect_planned(engine.memory().peak(), need.solve, c.problem.name);
        EXPECT_LE(need.largest, need.solve);
        EXPECT_EQ(engine.memory().live(), 0U) << c.problem.name;
    }
}

TEST_P(PlannedMemory, CoversGeometryAndPilotAndIsClose) {
    GeometryDesc desc;
    desc.low_width = 64;
    desc.low_height = 48;
    desc.width = 128;
    desc.height = 96;
    desc.disparity = Image(128, 96, 1, 0.5F);
    desc.psf = make_psf(BlurSpec{}, 2);
    desc.views = {{0, 0}, {1, 0}, {-1, 2}};
    ProblemShape s;
    s.width = s.disparity_width = desc.width;
    s.height = s.disparity_height = desc.height;
    s.low_width = desc.low_width;
    s.low_height = desc.low_height;
    s.blur_radius = psf_radius(desc.psf);
    s.views = desc.views.size();
    const opencl::ListedDevice device = opencl::listed_devices().at(0);
    opencl::OpenclEngine for_geometry(device, {GetParam()});
    const auto geometry = for_geometry.geometry(desc, {});
    expect_planned(for_geometry.memory().peak(), for_geometry.memory_for(s).geometry, "geometry");
    opencl::OpenclEngine for_pilot(device, {GetParam()});
    const std::vector<Image> views(3, Image(64, 48, 1, 77.0F));
    for_pilot.median_of_views(views, geometry, desc.disparity, Image(128, 96, 1, 77.0F), 2);
    expect_planned(for_pilot.memory().peak(), for_pilot.memory_for(s).pilot, "pilot");
}

TEST_P(PlannedMemory, CoversMatching) {
    const MatchDesc desc = test::plane_at(0.5, 96, 80);
    opencl::OpenclEngine engine(opencl::listed_devices().at(0), {GetParam()});
    engine.match(desc, {});
    const MatchShape shape{
        .width = 96, .height = 80, .labels = desc.labels, .views = desc.views.size()};
    EXPECT_LE(engine.memory().peak(), engine.memory_for(shape));
}

INSTANTIATE_TEST_SUITE_P(Strategies, PlannedMemory,
                         testing::ValuesIn(test::strategies({opencl::Strategy::local})),
                         [](const auto& param) { return opencl::to_string(param.param); });

}  // namespace
}  // namespace plenosr
