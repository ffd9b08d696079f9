#include "backends/cpu/engine.h"

#include <fmt/format.h>

#include "backends/cpu/backend.h"
#include "backends/cpu/initial.h"
#include "backends/cpu/matching.h"
#include "backends/cpu/paper_form.h"
#include "backends/cpu/simd_rows.h"
#include "denoise/denoise.h"
#include "problem/planar_layout.h"
#include "problem/user_denoiser.h"
#include "solver/run_solver.h"
#include "solver/vector_count.h"

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

Image CpuEngine::enlarge_bicubic(const Image& low, const SamplingGrid& sampling) {
    return cpu::enlarge_bicubic(low, sampling, parallel_);
}

MedianImage CpuEngine::median_of_views(const std::vector<Image>& views,
                                       const std::vector<ViewGeometry>& geometry,
                                       const Image& disparity, const Image& enlarged_reference,
                                       const SamplingGrid& sampling) {
    return cpu::median_of_views(views, geometry, disparity, enlarged_reference, sampling,
                                parallel_);
}

// Of the denoiser, and of the image that it works on.
std::size_t CpuEngine::denoiser_bytes(int width, int height, int channels) const {
    const std::size_t pixels = std::size_t(width) * std::size_t(height);
    return Vector::bytes_for(pixels * std::size_t(channels)) +
           denoise_bytes(width, height, parallel_.threads());
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
        const Charge charge(denoiser_bytes(problem.width, problem.height, problem.channels));
        const PlugAndPlay& steps = *options.plug_and_play;
        std::vector<float> planes = backend.download(noisy);
        if (steps.function)
            denoise_by(steps.function, planes, problem.width, problem.height, sigma);
        else
            parallel_.run(
                [&] { denoise(steps.denoiser, planes, problem.width, problem.height, sigma); });
        backend.upload(planes, v);
    };
    solution.summary = solver == Solver::admm_paper
                           ? solve_in_paper_form(problem, backend, options, x, monitor)
                           : run_solver(backend, solver, options, x, denoise_planes, monitor);
    solution.summary.setup_seconds = setup;
    const Charge result(Vector::bytes_for(start.values.size()));
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

std::size_t CpuEngine::memory_for(const MatchShape& shape) const {
    return match_bytes(shape, parallel_.threads());
}

EngineMemory CpuEngine::memory_for(const ProblemShape& s) const {
    const OperatorBytes operators = Backend::bytes_for(s);
    const VectorBytes vector = Backend::vector_bytes(s);
    const std::size_t solving =
        s.solver == Solver::admm_paper
            ? vector.image + paper_form_bytes(vector)
            : vector.sum(vector_count(s.solver, s.splits_data, s.keeps_previous)) +
                  Backend::diagonal_bytes(s);
    const std::size_t denoising = s.denoises
                                      ? vector.sum(plug_and_play_vector_count()) +
                                            std::max(Backend::diagonal_bytes(s),
                                                     denoiser_bytes(s.width, s.height, s.channels))
                                      : 0;
    EngineMemory memory;
    memory.geometry = view_geometry_bytes(s.low_width, s.low_height, s.scale, s.views,
                                          std::size_t(parallel_.threads()));
    memory.solve = std::max(operators.making, operators.kept + std::max(solving, denoising));
    memory.largest = std::max({vector.field, vector.weights, operators.largest});
    return memory;
}

}  // namespace plenosr::cpu
