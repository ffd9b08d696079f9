#include "backends/cpu/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include "backends/cpu/backend.h"
#include "backends/cpu/initial.h"
#include "backends/cpu/matching.h"
#include "backends/cpu/paper_form.h"
#include "backends/cpu/sampler.h"
#include "backends/cpu/simd_rows.h"
#include "denoise/denoise.h"
#include "problem/planar_layout.h"
#include "solver/run_solver.h"

namespace plenosr::cpu {

CpuEngine::CpuEngine(int threads) : parallel_(threads) {}

std::string CpuEngine::name() const {
    return fmt::format("cpu ({} threads, {})", parallel_.threads(), simd_target());
}

std::vector<ViewGeometry> CpuEngine::geometry(const GeometryDesc& desc, const Progress& progress) {
    return parallel_.run([&] {
        const CountedScope counted(memory());
        return view_geometry(desc, progress);
    });
}

Image CpuEngine::enlarge_bicubic(const Image& low, int scale) {
    return cpu::enlarge_bicubic(low, scale, parallel_);
}

MedianImage CpuEngine::median_of_views(const std::vector<Image>& views,
                                       const std::vector<ViewGeometry>& geometry,
                                       const Image& disparity, const Image& enlarged_reference,
                                       int scale) {
    return cpu::median_of_views(views, geometry, disparity, enlarged_reference, scale, parallel_);
}

Solution CpuEngine::solve(const Problem& problem, const Image& start, Solver solver,
                          const SolveOptions& options, const Monitor& monitor) {
    const CountedScope counted(memory());
    Stopwatch clock;
    Backend backend(problem, parallel_.threads());
    Vector x = backend.upload(to_planes(start));
    Solution solution;
    const double setup = clock.lap();
    const Denoise<Backend> denoise_planes = [&](const Vector& noisy, double sigma, Vector& v) {
        std::vector<float> planes = backend.download(noisy);
        const Charge charge(planes.size() * sizeof(float) +
                            denoise_bytes(problem.width, problem.height, parallel_.threads()));
        parallel_.run([&] {
            denoise(options.plug_and_play->denoiser, planes, problem.width, problem.height, sigma);
        });
        backend.upload(planes, v);
    };
    solution.summary = solver == Solver::admm_paper
                           ? solve_in_paper_form(problem, backend, options, x, monitor)
                           : run_solver(backend, solver, options, x, denoise_planes, monitor);
    solution.summary.setup_seconds = setup;
    const Charge result(start.values.size() * sizeof(float));
    solution.image = solution.summary.termination == Termination::diverged
                         ? start
                         : from_planes(x.view(), problem.width, problem.height);
    if (options.weights) {
        Vector e = backend.new_weights();
        backend.weights(x, e);
        solution.weights =
            from_planes(std::span(e.view()).first(problem.pixels()), problem.width, problem.height);
    }
    solution.samples = backend.samples_taking_part();
    solution.operator_bytes = backend.operator_bytes();
    return solution;
}

Match CpuEngine::match(const MatchDesc& desc, const Progress& progress) {
    return match_views(desc, parallel_, progress);
}

std::size_t CpuEngine::memory_available() const {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGE_SIZE);
    return std::size_t(pages) * std::size_t(size);
}

std::size_t CpuEngine::memory_for(const MatchShape& shape) const {
    return match_bytes(shape, parallel_.threads());
}

EngineMemory CpuEngine::memory_for(const ProblemShape& s) const {
    constexpr std::size_t f = sizeof(float);
    const std::size_t plane = f * s.pixels();
    const std::size_t image = plane * std::size_t(s.channels);
    const std::size_t samples = s.samples();
    const std::size_t fine = s.low_pixels() * std::size_t(s.scale) * std::size_t(s.scale);
    const bool chain = s.form == OperatorForm::chain;
    const bool admm = s.solver == Solver::admm;

    EngineMemory memory;
    // splat, filled splat and visibility of the views that are worked on at once
    const auto at_once = std::min({s.views, views_at_once, std::size_t(parallel_.threads())});
    memory.geometry = 3 * f * fine * at_once;

    const FrameShape frame{chain ? s.low_width * s.scale : s.width,
                           chain ? s.low_height * s.scale : s.height, s.blur_radius + 3};
    const std::size_t framed = f * frame.size();
    const std::size_t taps = s.interpolation == Interpolation::bicubic ? 4 : 2;
    const std::size_t coefficients = taps * (2 * taps - 1) - (taps - 1);
    std::size_t making = 0;     // operators, at the peak while they are made
    std::size_t operators = 0;  // … and afterwards
    std::size_t stencil = 0;
    if (chain) {
        const FrameShape around{s.width, s.height, 3};
        const std::size_t warp =
            fine * (sizeof(Sample) + sizeof(std::uint32_t) + f) + f * around.size();
        operators = s.views * warp + framed + f * fine + plane + f * samples +
                    samples * sizeof(std::uint32_t);
        making = operators + fine * sizeof(Position);
    } else {
        // of the periodic form, the samples along the border once more
        const std::size_t along = 2 * std::size_t(s.low_width + s.low_height) * 8 * s.views;
        const std::size_t border = std::min(along, samples);
        stencil = s.normal == NormalForm::direct     ? 0
                  : s.normal == NormalForm::periodic ? border * (sizeof(Sample) + 3 * f)
                  : s.normal == NormalForm::stencil  ? framed * coefficients
                                                     : framed * coefficients / 2;
        operators = 2 * framed + samples * (sizeof(Sample) + sizeof(std::uint32_t)) + stencil;
        making =
            2 * framed + samples * (sizeof(Sample) + 2 * sizeof(std::uint32_t) + sizeof(Position));
    }
    operators += 2 * f * s.psf_values;              // a grid of PSFs, and their squares
    const FrameShape smooth{s.width, s.height, 6};  // G_1 of the weights
    const std::size_t weights =
        s.adaptive ? plane + f * smooth.size() + (s.channels == 3 ? plane : 0) : 0;
    const std::size_t weighing = plane * s.weight_planes;  // e
    const std::size_t observed =
        f * samples * (std::size_t(s.channels) + (s.varying_noise ? 2 : 1));
    // x and the solver's vectors (solver/admm.h, solver/gradient_descent.h)
    const std::size_t field = plane * s.directions * std::size_t(s.channels);
    const std::size_t vectors =
        admm ? image * (5 + (s.keeps_previous ? 1 : 0)) + plane + 2 * weighing + field +
                   (s.splits_data ? 2 : 1) * f * samples * std::size_t(s.channels)
             : 3 * image + weighing + f * samples * std::size_t(s.channels);
    // in the published form: doubles, of which an iteration makes new ones as it goes
    const std::size_t published =
        s.solver == Solver::admm_paper
            ? 2 * (12 * image + 10 * field + 10 * f * samples * std::size_t(s.channels))
            : 0;
    // x, start, v, gradient, p, q, Z; e, the diagonal; samples; planes on the host
    // (plug_and_play.h)
    const std::size_t denoiser =
        s.denoises ? 8 * image + plane + weighing + f * samples * std::size_t(s.channels) +
                         denoise_bytes(s.width, s.height, parallel_.threads())
                   : 0;
    memory.solve =
        std::max(making, operators + weights + observed + std::max({vectors, denoiser, published}));
    memory.largest = std::max({field, weighing, stencil, samples * sizeof(Position)});
    return memory;
}

}  // namespace plenosr::cpu
