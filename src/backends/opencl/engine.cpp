#include "backends/opencl/engine.h"

#include <fmt/format.h>

#include "backends/opencl/backend.h"
#include "backends/opencl/denoise.h"
#include "backends/opencl/initial.h"
#include "backends/opencl/matching.h"
#include "backends/opencl/tuning_store.h"
#include "base/cancelled.h"
#include "denoise/denoise.h"
#include "problem/planar_layout.h"
#include "problem/user_denoiser.h"
#include "psf/psf_factors.h"
#include "solver/run_solver.h"

namespace plenosr::opencl {
namespace {

Tuning tuning_with(const DeviceDescription& description, const EngineOptions& options) {
    Tuning tuning = tuning_for(description);
    if (options.strategy) tuning.strategy = *options.strategy;
    return tuning;
}

// Host memory of the samples while they are sorted and sent: a start per cell, and per sample two
// fractions, its place in the order, its values and its weight.
std::size_t sorting_bytes(std::size_t cells, std::size_t samples, int channels) {
    return (cells + samples * (2 + 1 + std::size_t(channels) + 1)) * sizeof(float);
}

std::size_t sorting_bytes(const ProblemShape& s) {
    const auto padded = PaddedShape::for_sampling({s.width, s.height}, s.blur_radius);
    return sorting_bytes(padded.cells(), s.samples(), s.channels);
}

}  // namespace

OpenclEngine::OpenclEngine(const ListedDevice& device, const EngineOptions& options)
    : description_(device.description),
      handle_(device.handle),
      tuning_(tuning_with(device.description, options)),
      profile_(options.profile),
      arena_(options.threads > 0 ? options.threads : tbb::task_arena::automatic) {
    open_device();
}

void OpenclEngine::open_device() {
    std::optional<Faults> injected;
    if (device_) injected = device_->faults();
    // The old device is closed first, so that the new one gets its slot and its cached programs.
    device_.reset();
    device_ = std::make_unique<Device>(handle_, tuning_, profile_);
    if (injected) device_->inject(*injected);
    device_->count_into(memory());
    device_->on_compile([this](bool begins) { report_compiler(begins); });
}

void OpenclEngine::report_compiler(bool begins) {
    compiling_ = begins;
    if (begins &&
        !report(compile_progress_, {"compiling kernels", device_->builds().compiled, 0, 0}))
        throw Cancelled();
}

template <class Body>
auto OpenclEngine::on_device(const Body& body) {
    return arena_.execute([&] {
        while (true) {
            try {
                return body();
            } catch (const GroupTooLarge& refusal) {
                use_smaller_groups(refusal);
            }
        }
    });
}

void OpenclEngine::use_smaller_groups(const GroupTooLarge& refusal) {
    const Tuning smaller = with_groups_up_to(tuning_, refusal.allowed());
    if (smaller == tuning_) throw refusal;
    notes_.push_back(fmt::format("{}; groups of at most {} work-items are used", refusal.reason(),
                                 refusal.allowed()));
    tuning_ = smaller;
    open_device();
}

std::string OpenclEngine::name() const {
    return fmt::format("{} ({}, {})", description_.id, description_.name,
                       to_string(tuning_.strategy));
}

std::vector<ViewGeometry> OpenclEngine::geometry(const GeometryDesc& desc,
                                                 const Progress& progress) {
    return on_device([&] { return view_geometry(*device_, desc, progress); });
}

Image OpenclEngine::enlarge_bicubic(const Image& low, const SamplingGrid& sampling) {
    return on_device([&] { return opencl::enlarge_bicubic(*device_, low, sampling); });
}

MedianImage OpenclEngine::median_of_views(const std::vector<Image>& views,
                                          const std::vector<ViewGeometry>& geometry,
                                          const Image& disparity, const Image& enlarged_reference,
                                          const SamplingGrid& sampling) {
    return on_device([&] {
        const CountedScope counted(memory());
        return opencl::median_of_views(*device_, views, geometry, disparity, enlarged_reference,
                                       sampling);
    });
}

void OpenclEngine::make_usable(const Problem& problem) {
    const auto padded =
        PaddedShape::for_sampling({problem.width, problem.height}, psf_radius(problem.psf));
    const Usable usable = usable_strategy(tuning_, description_, padded.stride(), padded.rows());
    if (usable.reason.empty()) return;
    notes_.push_back(usable.reason);
    tuning_.strategy = usable.strategy;
    open_device();
}

Solution OpenclEngine::solve(const Problem& problem, const Image& start, Solver solver,
                             const SolveOptions& options, const Monitor& monitor) {
    make_usable(problem);
    return on_device([&] { return solve_on_device(problem, start, solver, options, monitor); });
}

Solution OpenclEngine::solve_on_device(const Problem& problem, const Image& start, Solver solver,
                                       const SolveOptions& options, const Monitor& monitor) {
    const CountedScope counted(memory());
    Stopwatch clock;
    const double built = device_->builds().seconds;
    const auto padded =
        PaddedShape::for_sampling({problem.width, problem.height}, psf_radius(problem.psf));
    Charge sorting(sorting_bytes(padded.cells(), problem.observations.size() * problem.low_pixels(),
                                 problem.channels));
    Backend backend(*device_, problem);
    sorting.resize(0);
    Vector x = backend.upload(to_planes(start));
    device_->finish();
    Solution solution;
    solution.operator_bytes = device_->memory().live - x.memory.bytes();
    solution.samples = backend.samples_taking_part();
    const double setup = clock.lap();
    std::unique_ptr<DeviceDenoiser> denoiser;  // made after the solver has freed its vectors
    const PlaneShape shape{problem.width, problem.height};
    const Denoise<Backend> denoise_planes = [&](const Vector& noisy, double sigma, Vector& v) {
        const Denoiser kind = options.plug_and_play->denoiser;
        if (const DenoiserFunction& function = options.plug_and_play->function; function) {
            std::vector<float> planes = backend.download(noisy);
            denoise_by(function, planes, shape.width, shape.height, sigma);
            return backend.upload(planes, v);
        }
        if (denoises_on_host()) {
            std::vector<float> planes = backend.download(noisy);
            const Charge charge(planes.size() * sizeof(float) +
                                denoise_bytes(shape.width, shape.height, host_threads()));
            denoise(kind, planes, shape.width, shape.height, sigma);
            return backend.upload(planes, v);
        }
        if (!denoiser) denoiser = std::make_unique<DeviceDenoiser>(*device_, kind, shape);
        (*denoiser)(noisy.memory, problem.channels, sigma, v.memory);
    };
    solution.summary = run_solver(backend, solver, options, x, denoise_planes, monitor);
    solution.summary.setup_seconds = setup;
    solution.summary.build_seconds = device_->builds().seconds - built;
    solution.image = solution.summary.termination == Termination::diverged
                         ? start
                         : from_planes(backend.download(x), problem.width, problem.height);
    if (options.weights) {
        Vector e = backend.new_weights();
        backend.weights(x, e);
        const std::vector<float> planes = backend.download(e);
        solution.weights =
            from_planes(std::span(planes).first(problem.pixels()), problem.width, problem.height);
    }
    return solution;
}

Match OpenclEngine::match(const MatchDesc& desc, const Progress& progress) {
    return on_device([&] { return match_views(*device_, desc, progress); });
}

std::size_t OpenclEngine::memory_for(const MatchShape& shape) const {
    return match_bytes(shape);
}

EngineMemory OpenclEngine::memory_for(const ProblemShape& s) const {
    const MemoryPlan operators = Backend::memory(s, tuning_);
    MemoryPlan solving =
        Backend::vector_memory(s, vector_count(s.solver, s.splits_data, s.keeps_previous));
    solving.add(operators).add(Backend::diagonal_memory(s));
    EngineMemory need;
    need.solve = std::max(solving.bytes, operators.bytes + sorting_bytes(s));
    need.largest = solving.largest;
    if (s.denoises) {
        MemoryPlan denoising = Backend::vector_memory(s, plug_and_play_vector_count());
        denoising.add(operators).add(Backend::diagonal_memory(s));
        const PlaneShape plane{s.width, s.height};
        if (denoises_on_host())
            denoising.bytes += s.pixels() * std::size_t(s.channels) * sizeof(float) +
                               denoise_bytes(s.width, s.height, host_threads());
        else
            denoising.add(DeviceDenoiser::memory(plane));
        need.solve = std::max(need.solve, denoising.bytes);
        need.largest = std::max(need.largest, denoising.largest);
    }
    need.geometry = geometry_memory(s).bytes;
    need.pilot = pilot_memory(s).bytes + pilot_host_bytes(s.samples(), s.channels);
    return need;
}

std::size_t OpenclEngine::memory_available() const {
    return std::min<std::size_t>(description_.global_memory, pretended_memory());
}

std::size_t OpenclEngine::largest_allocation() const {
    return std::min<std::size_t>(description_.largest_allocation, pretended_memory());
}

std::optional<DeviceProfile> OpenclEngine::profile() {
    if (!profile_) return std::nullopt;
    return device_->profile();
}

}  // namespace plenosr::opencl
