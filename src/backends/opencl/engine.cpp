#include "backends/opencl/engine.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include "backends/opencl/backend.h"
#include "backends/opencl/denoise.h"
#include "backends/opencl/initial.h"
#include "backends/opencl/matching.h"
#include "backends/opencl/stencil.h"
#include "backends/opencl/tuning_store.h"
#include "denoise/denoise.h"
#include "problem/planar_layout.h"
#include "psf/psf_factors.h"
#include "solver/run_solver.h"

namespace plenosr::opencl {
namespace {

constexpr std::size_t word = sizeof(float);

Tuning tuning_with(const DeviceDescription& description, const EngineOptions& options) {
    Tuning tuning = tuning_for(description);
    if (options.strategy) tuning.strategy = *options.strategy;
    return tuning;
}

int host_threads() {
    return tbb::this_task_arena::max_concurrency();
}

// Host memory of the samples while they are sorted and sent: a start per cell, and per sample
// fraction, order, value and weight.
std::size_t sorting_bytes(std::size_t cells, std::size_t samples) {
    return cells * word + samples * (2 + 1 + 2) * word;
}

}  // namespace

OpenclEngine::OpenclEngine(const ListedDevice& device, const EngineOptions& options)
    : description_(device.description),
      handle_(device.handle),
      tuning_(tuning_with(device.description, options)),
      profile_(options.profile) {
    start_device();
}

void OpenclEngine::start_device() {
    device_ = std::make_unique<Device>(handle_, tuning_, profile_);
    device_->count_into(memory());
}

std::string OpenclEngine::name() const {
    return fmt::format("{} ({}, {})", description_.id, description_.name,
                       to_string(tuning_.strategy));
}

std::vector<ViewGeometry> OpenclEngine::geometry(const GeometryDesc& desc,
                                                 const Progress& progress) {
    return view_geometry(*device_, desc, progress);
}

Image OpenclEngine::enlarge_bicubic(const Image& low, int scale) {
    return opencl::enlarge_bicubic(*device_, low, scale);
}

MedianImage OpenclEngine::median_of_views(const std::vector<Image>& views,
                                          const std::vector<ViewGeometry>& geometry,
                                          const Image& disparity, const Image& enlarged_reference,
                                          int scale) {
    return opencl::median_of_views(*device_, views, geometry, disparity, enlarged_reference, scale);
}

void OpenclEngine::make_usable(const Problem& problem) {
    const PaddedShape padded{{problem.width, problem.height}, psf_radius(problem.psf) + 3};
    const Usable usable = usable_strategy(tuning_, description_, padded.stride(), padded.rows());
    if (usable.reason.empty()) return;
    notes_.push_back(usable.reason);
    tuning_.strategy = usable.strategy;
    start_device();
}

Solution OpenclEngine::solve(const Problem& problem, const Image& start, Solver solver,
                             const SolveOptions& options, const Monitor& monitor) {
    make_usable(problem);
    const CountedScope counted(memory());
    Stopwatch clock;
    const double built = device_->builds().seconds;
    const PaddedShape padded{{problem.width, problem.height}, psf_radius(problem.psf) + 3};
    Charge sorting(
        sorting_bytes(padded.cells(), problem.observations.size() * problem.low_pixels()));
    Backend backend(*device_, problem);
    sorting.resize(0);
    Vector x = backend.upload(to_planes(start));
    device_->finish();
    Solution solution;
    solution.operator_bytes = device_->memory().live - x.memory.bytes();
    solution.samples = backend.samples_taking_part();
    const double setup = clock.lap();
    std::unique_ptr<DeviceDenoiser> denoiser;  // made when it is needed: the solver's vectors go
    const PlaneShape shape{problem.width, problem.height};
    const Denoise<Backend> denoise_planes = [&](const Vector& noisy, double sigma, Vector& v) {
        const Denoiser kind = options.plug_and_play->denoiser;
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
    return match_views(*device_, desc, progress);
}

EngineMemory OpenclEngine::memory_for(const ProblemShape& s) const {
    const PlaneShape plane{s.width, s.height};
    const PaddedShape padded{plane, s.blur_radius + 3};
    const int taps = Sampler::taps_of(s.interpolation);
    const bool images = tuning_.strategy == Strategy::image;
    const bool local = tuning_.strategy == Strategy::local;
    const std::size_t channels = std::size_t(s.channels);
    const std::size_t image = plane.size() * channels * word;
    const std::size_t samples = s.samples();
    const NormalForm form = normal_form(s.normal, samples, s.pixels());
    EngineMemory need;
    const auto take = [&](std::size_t bytes, std::size_t count = 1) {
        need.solve += bytes * count;
        need.largest = std::max(need.largest, bytes);
    };
    take(padded.size() * word, 2);
    take(s.psf_values * word, 2);  // a grid of PSFs, and their squares
    if (images) take(plane.size() * word);
    if (s.adaptive) take(plane.size() * word, channels == 3 ? 2 : 1);  // occlusion, luma
    take(samples * channels * word);                                   // y
    take(samples * word, s.varying_noise ? 2 : 1);                     // m, curvature
    if (s.form == OperatorForm::sampling) {
        take(padded.cells() * word);
        take(samples * 2 * word);
        if (form == NormalForm::direct || form == NormalForm::periodic) {
            if (!local) take(samples * word);
            // the samples along the border once more: cells; fractions, weights, products
            if (form == NormalForm::periodic) {
                const std::size_t along = 2 * std::size_t(s.low_width + s.low_height) * 8 * s.views;
                take(padded.cells() * word);
                take(std::min(along, samples) * 4 * word);
            }
        } else {
            take(Stencil::bytes_for(padded, taps, false));
        }
    } else {
        const PlaneShape view{s.low_width * s.scale, s.low_height * s.scale};
        const PaddedShape padded_image_shape{plane, 3};
        const PaddedShape padded_view_shape{view, s.blur_radius + 3};
        take(view.size() * word, 2);  // warped, ordered
        take(padded_image_shape.size() * word, 2);
        take(padded_view_shape.size() * word, 2);
        take(plane.size() * word);
        take(samples * word);
        take(padded_image_shape.cells() * word, s.views);
        take(view.size() * 2 * word, s.views);
        take(view.size() * word, s.views);
    }
    const std::size_t making = need.solve + sorting_bytes(padded.cells(), samples);
    // the solver's vectors
    const std::size_t field = image * s.directions;
    if (s.solver == Solver::admm) {
        take(image, 5 + (s.keeps_previous ? 1 : 0));             // x, gradient, p, q, Z
        take(samples * channels * word, s.splits_data ? 2 : 1);  // samples, u
        take(field);
        take(plane.size() * word * s.weight_planes, 2);  // e, e_old
    } else {
        take(image, 3);
        take(samples * channels * word);
        take(plane.size() * word * s.weight_planes);
    }
    if (s.denoises) {  // start, v beside x, gradient, p, q, Z; samples, e; the denoiser's pictures
        const std::size_t operators = making - sorting_bytes(padded.cells(), samples);
        const std::size_t denoising = denoises_on_host()
                                          ? image + denoise_bytes(s.width, s.height, host_threads())
                                          : DeviceDenoiser::bytes(plane);
        need.solve = std::max(need.solve, operators + 7 * image + samples * channels * word +
                                              plane.size() * word * s.weight_planes + denoising);
    }
    need.solve = std::max(need.solve, making);
    need.solve += need.solve / 64 + (1U << 20);  // padding, tables, scalars
    // the geometry of one view after the other
    const std::size_t map = std::size_t(s.disparity_width) * std::size_t(s.disparity_height) * word;
    const std::size_t fine = s.low_pixels() * std::size_t(s.scale * s.scale) * word;
    need.geometry = map + s.psf_values * word + 3 * fine + 2 * s.low_pixels() * word + (1U << 16);
    need.pilot = 2 * samples * (channels + 1) * word + image + 2 * plane.size() * word + (1U << 16);
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
