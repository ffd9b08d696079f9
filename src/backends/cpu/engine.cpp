#include "backends/cpu/engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include "backends/cpu/backend.h"
#include "backends/cpu/initial.h"
#include "backends/cpu/simd_rows.h"
#include "problem/planes.h"
#include "solver/admm.h"
#include "solver/gradient_descent.h"

namespace plenosr::cpu {

CpuEngine::CpuEngine(int threads) : parallel_(threads) {}

std::string CpuEngine::name() const {
    return fmt::format("cpu ({} threads, {})", parallel_.threads(), simd_target());
}

std::vector<ViewGeometry> CpuEngine::geometry(const GeometryDesc& desc, const Progress& progress) {
    return parallel_.run([&] { return view_geometry(desc, progress); });
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
    const CountedScope counted(memory_);
    Stopwatch clock;
    Backend backend(problem, parallel_.threads());
    Vector x = backend.upload(to_planes(start));
    Solution solution;
    const double setup = clock.lap();
    solution.summary =
        solver == Solver::admm
            ? admm(backend, options, x, monitor)
            : gradient_descent(backend, options, solver == Solver::gd_ls, x, monitor);
    solution.summary.setup_seconds = setup;
    solution.image = solution.summary.termination == Termination::diverged
                         ? start
                         : from_planes(x.view(), problem.width, problem.height);
    solution.samples = backend.samples_taking_part();
    solution.operator_bytes = backend.operator_bytes();
    return solution;
}

std::size_t CpuEngine::memory_available() const {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGE_SIZE);
    return std::size_t(pages) * std::size_t(size);
}

MemoryNeed CpuEngine::memory_for(const ProblemShape& shape) const {
    return {shape.pixels() * 200, shape.pixels() * 50};
}

}  // namespace plenosr::cpu
