#include "plenosr/reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/engine.h"
#include "noise/automatic_lambda.h"
#include "noise/residual_noise.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"
#include "problem/mean_weight.h"
#include "problem/planes.h"

namespace plenosr {
namespace {

// The views as the solver sees them: luma, or all three channels.
std::vector<Image> solved_channels(const LightField& light_field, Colour colour) {
    std::vector<Image> views;
    for (const View& view : light_field.views)
        views.push_back(colour == Colour::luma ? luma(view.image) : view.image);
    return views;
}

Problem make_problem(const ReconstructOptions& o, const Psf& psf, const std::vector<Image>& views,
                     const std::vector<ViewGeometry>& geometry, double noise) {
    Problem p;
    p.width = views.front().width * o.scale;
    p.height = views.front().height * o.scale;
    p.channels = views.front().channels;
    p.scale = o.scale;
    p.psf = psf;
    p.interpolation = o.interpolation;
    p.form = o.operator_form;
    p.directions = prior_directions(o.prior, o.window);
    p.weights.adaptive = o.prior == Prior::weighted;
    for (std::size_t k = 0; k < views.size(); ++k)
        p.observations.push_back({geometry[k].crop.u, geometry[k].crop.v, views[k],
                                  geometry[k].disparity,
                                  visibility_weight(geometry[k], o.visibility, noise)});
    return p;
}

// Conjugate-gradient steps when none are given: the wider the blur, the worse the conditioning. At
// x2 two steps reach the quality of five in under half of the work; at x4 they lose 0.2 dB.
int automatic_cg(const Psf& psf) {
    double energy = 0;  // x2: 0.61, x3: 0.16, x4: 0.085
    for (const float k : psf.kernel.values)
        energy += double(k) * double(k);
    return energy > 0.4 ? 2 : energy > 0.12 ? 3 : 5;
}

SolveOptions solve_options(const ReconstructOptions& o, const Psf& psf, double samples_per_pixel,
                           double noise, double texture) {
    SolveOptions s;
    Objective& f = s.objective;
    f.lambda1 = o.data == DataTerm::l2 ? 0.0 : o.lambda1;
    f.lambda2 = o.data == DataTerm::l1 ? 0.0 : o.lambda2;
    f.lambda = o.lambda.value_or(
        automatic_lambda(f.lambda1, f.lambda2, samples_per_pixel, noise, texture));
    s.iterations = o.iterations;
    s.tolerance = o.tolerance;
    s.reweight = o.reweight;
    s.cg_steps = o.cg.value_or(automatic_cg(psf));
    s.first_step = std::max(0.25, 0.1 * noise);
    return s;
}

std::string message_of(Termination termination, int iterations) {
    switch (termination) {
        case Termination::not_run:
            break;
        case Termination::converged:
            return fmt::format("converged after {} iterations", iterations);
        case Termination::max_iterations:
            return fmt::format("{} iterations done", iterations);
        case Termination::cancelled:
            return fmt::format("cancelled after {} iterations", iterations);
        case Termination::diverged:
            return fmt::format(
                "the cost is not finite after {} iterations; the result is the "
                "initial image",
                iterations);
    }
    return "the solver was not run";
}

// The truth may be larger by what the decimation cut off at the right and at the bottom.
Image truth_for(const Image& truth, int width, int height, int scale) {
    if (truth.width < width || truth.width >= width + scale || truth.height < height ||
        truth.height >= height + scale)
        throw Error(ErrorKind::input,
                    fmt::format("the true image is {} x {} pixels; the result will be {} x {}",
                                truth.width, truth.height, width, height));
    return crop(truth, width, height);
}

// The engine counts pixels and samples with ints.
void check_size(const LightField& light_field, const ReconstructOptions& o) {
    const double channels = o.colour == Colour::luma ? 1 : light_field.channels();
    const double low = double(light_field.width()) * light_field.height() * channels;
    const double most = std::numeric_limits<int>::max();
    if (low * double(light_field.views.size()) > most || low * o.scale * o.scale > most)
        throw Error(ErrorKind::input,
                    fmt::format("{} views of {} x {} pixels at scale {} are more than the engine "
                                "can index; use fewer views or a smaller scale",
                                light_field.views.size(), light_field.width(), light_field.height(),
                                o.scale));
}

}  // namespace

ReconstructResult reconstruct(const LightField& light_field, ViewPosition reference,
                              const Image& disparity, const ReconstructOptions& o,
                              const Progress& progress, const Image* truth) {
    o.validate();
    light_field.validate();
    const auto engines = make_engines(o.device, o.threads);
    const View* centre = light_field.find(reference);
    if (centre == nullptr)
        throw Error(ErrorKind::input, fmt::format("the view {} that is to be reconstructed is not "
                                                  "among the views",
                                                  to_string(reference)));
    check_size(light_field, o);
    const int width = light_field.width() * o.scale;
    const int height = light_field.height() * o.scale;
    const Psf psf = make_psf(o.blur, o.scale);
    const Image known = truth != nullptr ? truth_for(*truth, width, height, o.scale) : Image();
    Stopwatch clock;

    // io -> views -> geometry: where each low-resolution pixel looks in the reference
    const Image full_disparity = disparity_at_full_size(disparity, light_field.width(),
                                                        light_field.height(), o.scale, "given");
    const std::vector<Image> views = solved_channels(light_field, o.colour);
    Engine& engine = *engines.front();
    const std::vector<ViewGeometry> geometry = engine.geometry(
        whole_image(light_field, reference, full_disparity, psf, o.scale, o.operator_form),
        progress);

    // pilot: the median of the views; it tells the noise and where the views contradict each other
    const Image& reference_values = views[std::size_t(centre - light_field.views.data())];
    const Image enlarged = engine.enlarge_bicubic(reference_values, o.scale);
    const MedianImage pilot =
        engine.median_of_views(views, geometry, full_disparity, enlarged, o.scale);
    const Box core{0, 0, width, height};
    ResidualNoise residuals(light_field.width(), light_field.height(), views.size());
    residuals.add(views, geometry, pilot.median, psf, o.scale, core, 0, 0);
    const NoiseEstimate noise = residuals.estimate();
    Texture texture;
    texture.add(pilot.median, core);

    // problem -> engine
    Problem problem = make_problem(o, psf, views, geometry, noise.residual);
    if (problem.weights.adaptive) {
        problem.weights.occlusion = occlusion_weight(full_disparity, pilot.spread, noise.residual);
        MeanWeight weight(problem.weights);
        weight.add(pilot.median, full_disparity, pilot.spread, core);
        problem.weights.mean = weight.mean(noise.residual);
    }
    const Image& start = o.init == Initial::median ? pilot.median : enlarged;

    ReconstructResult result;
    result.seconds.setup = clock.lap();
    result.device = engine.name();

    // solver
    std::size_t samples = 0;
    for (const Observation& observation : problem.observations)
        samples += std::size_t(std::count_if(observation.weight.values.begin(),
                                             observation.weight.values.end(),
                                             [](float m) { return m > 0.0F; }));
    const SolveOptions options =
        solve_options(o, psf, double(samples) / double(problem.pixels()), noise.sensor,
                      texture.value(noise.sensor, views.size()));
    double comparing = 0;  // seconds spent on PSNR and SSIM, which are not part of the job
    const Monitor monitor = [&](IterationReport& row, const auto& image) {
        const Stopwatch watch;
        if (!known.empty()) {
            const Quality q = compare(from_planes(image(), width, height), known);
            row.psnr = q.psnr;
            row.ssim = q.ssim;
        }
        comparing += watch.seconds();
        return report(progress, {"solving", row.iteration, o.iterations, row.cost});
    };
    Solution solution = engine.solve(problem, start, o.solver, options, monitor);
    SolveSummary& summary = solution.summary;

    // result: brightness solved, colours interpolated
    const auto coloured = [&](const Image& brightness) {
        if (o.colour == Colour::rgb || light_field.channels() == 1) return brightness;
        const Image ycc = engine.enlarge_bicubic(rgb_to_ycbcr(centre->image), o.scale);
        return ycbcr_to_rgb(merge_channels({brightness, channel(ycc, 1), channel(ycc, 2)}));
    };
    result.image = coloured(solution.image);
    result.initial = coloured(start);
    result.termination = summary.termination;
    result.message = message_of(summary.termination, int(summary.iterations.size()) - 1);
    result.iterations = std::move(summary.iterations);
    result.samples = solution.samples;
    result.operator_bytes = solution.operator_bytes;
    result.seconds.setup += summary.setup_seconds;
    result.seconds.zw_step = summary.zw_seconds;
    result.seconds.x_step = summary.x_seconds;
    result.noise = noise.residual;
    result.sensor_noise = noise.sensor;
    result.lambda = options.objective.lambda;
    result.cg = options.cg_steps;
    result.wall_seconds = clock.seconds() - comparing;
    return result;
}

}  // namespace plenosr
