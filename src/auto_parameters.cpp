#include "auto_parameters.h"

#include <algorithm>

#include "problem/model.h"

namespace plenosr {

double noise_per_pixel(const Setup& setup, const ImageStatistics& statistics,
                       const Mixture& mixture) {
    const double sigma = mixture.varies() ? statistics.noise.of_samples() : mixture.sigma;
    return effective_noise(sigma, mixture.impulses, statistics.weight / setup.geometry.pixels());
}

double denoiser_part(double noise_per_pixel) {
    return std::clamp((noise_per_pixel - denoiser_begins) / (denoiser_full - denoiser_begins), 0.0,
                      1.0);
}

namespace {

constexpr double least_read_noise = 0.5;  // grey levels: rounding to 8 bits alone leaves 0.3

// The likelihood of a sample, for the data terms that have one and for the denoiser step.
Mixture likelihood(const ReconstructOptions& o, const ImageStatistics& statistics,
                   const ValueLimits& limits) {
    Mixture m{statistics.noise.of_samples(), statistics.noise.impulses, limits};
    if (o.data == DataTerm::huber) {
        m.impulses = 0;
        m.limits = ValueLimits::nowhere();
    }
    if (o.data == DataTerm::poisson_gauss) {
        m.impulses = 0;
        m.gain = statistics.noise.gain;
        m.sigma = std::max(least_read_noise, statistics.noise.read);
    }
    return m;
}

// Where the blur of a light field is wider than usual for the scale (reduced captures, lenses,
// motion), the first step starts with the detail that the variational result lacks, in grey levels.
// Chosen on the same pictures as deblurring_steps. The usual blur of x4 keeps bm3d_steps: there the
// longer steps gain 0.3 dB on boardgames and lose 0.3 dB on cotton.
constexpr double missing_detail = 7;
constexpr double wider_than_usual = 1.2;  // factor of lambda for wide blurs

DenoiserSteps bm3d_steps_for(double noise, const Setup& setup) {
    if (setup.geometry.of_frames() ||
        blur_factor_of_lambda(setup.geometry.psf(), setup.options.scale) < wider_than_usual ||
        missing_detail < deblurring_steps.first * noise)
        return bm3d_steps;
    DenoiserSteps steps = deblurring_steps;
    steps.first = missing_detail / noise;
    return steps;
}

std::optional<PlugAndPlay> plug_and_play_of(const Setup& setup, const ImageStatistics& statistics,
                                            const ValueLimits& limits) {
    const Denoiser wanted = setup.options.denoiser;
    if (wanted == Denoiser::none) return {};
    PlugAndPlay p;
    p.mixture = likelihood(setup.options, statistics, limits);
    p.noise = noise_per_pixel(setup, statistics, p.mixture);
    const bool wide_blur = is_wide(setup.geometry.psf());
    p.use = bm3d_steps_for(p.noise, setup);
    if (wanted == Denoiser::automatic) {
        if (*setup.options.iterations == 0) return {};  // the initial image is wanted
        // Removing a wide blur amplifies even weak noise.
        p.part = wide_blur ? 1 : denoiser_part(p.noise);
        if (p.part == 0) return {};
        p.use.share *= p.part;
    } else {
        p.denoiser = wanted;
        p.function = setup.options.denoiser_function;
    }
    if (p.denoiser == Denoiser::nlm) p.use = nlm_steps;
    return p;
}

// The threshold of the data term's penalty in grey levels:
//   clean + (dirty - clean) min(1, sensor / 10 + impulses / 0.5 %)
// A small threshold reaches the minimum in half of the work where the start is good, but leaves
// impulses of the start slowly. Frames keep the large one: their start is far from the samples.
// Chosen on boardgames and cotton.
constexpr double clean_threshold = 5;     // grey levels; the dirty one is the solver's default
constexpr double dirty_noise = 10;        // grey levels
constexpr double dirty_impulses = 0.005;  // fraction of the samples

double data_threshold(const Setup& setup, const NoiseEstimate& noise) {
    const double dirty_threshold = SolveOptions().data_threshold;
    if (setup.geometry.of_frames()) return dirty_threshold;
    return clean_threshold +
           (dirty_threshold - clean_threshold) *
               std::min(1.0, noise.sensor / dirty_noise + noise.impulses / dirty_impulses);
}

// Weights of the likelihoods and of patches settle within so many iterations. If they were
// recomputed further, they would amplify structure that they created themselves.
constexpr int reweights_until_settled = 3;

// The first step of gradient descent, in grey levels.
double first_step(double noise) {
    return std::max(0.25, 0.1 * noise);
}

}  // namespace

double blur_factor_of_lambda(const PsfGrid& psf, int scale) {
    return lambda_factor_of_wide_blur(blur_energy(psf), blur_energy(make_psf(BlurSpec(), scale)));
}

SolveOptions solve_options(const Setup& setup, const ImageStatistics& statistics,
                           const ValueLimits& limits) {
    const ReconstructOptions& o = setup.options;
    SolveOptions s;
    s.plug_and_play = plug_and_play_of(setup, statistics, limits);
    Objective& f = s.objective;
    f.lambda1 = o.data == DataTerm::l2 ? 0.0 : *o.lambda1;
    f.lambda2 = o.data == DataTerm::l1 ? 0.0 : *o.lambda2;
    if (is_likelihood(o.data)) {
        f.mixture = likelihood(o, statistics, limits);
        f.lambda = mixture_lambda(noise_per_pixel(setup, statistics, *f.mixture),
                                  blur_energy(setup.geometry.psf()), statistics.detail,
                                  s.plug_and_play ? s.plug_and_play->part : 0,
                                  statistics.weight / setup.geometry.pixels() * o.scale * o.scale,
                                  setup.geometry.of_frames()
                                      ? 1.0
                                      : blur_factor_of_lambda(setup.geometry.psf(), o.scale)) /
                   weight_sum(prior_directions(o.prior, *o.window));
        if (setup.geometry.of_frames())
            f.lambda *= o.prior == Prior::first_second
                            ? frames_lambda_factor(noise_per_pixel(setup, statistics, *f.mixture))
                            : frames_lambda_factor_of_blur(blur_energy(setup.geometry.psf()));
    } else {
        const double density = double(statistics.samples) / setup.geometry.pixels();
        f.lambda = setup.geometry.of_frames()
                       ? frames_lambda(f.lambda1, f.lambda2, density, statistics.noise.sensor,
                                       blur_energy(setup.geometry.psf()))
                       : automatic_lambda(f.lambda1, f.lambda2, density, statistics.noise.sensor,
                                          statistics.texture);
    }
    f.lambda *= statistics.lambda_factor;
    if (statistics.lambda) f.lambda = *statistics.lambda;
    if (o.lambda) f.lambda = *o.lambda;
    s.iterations = *o.iterations;
    s.tolerance = *o.tolerance;
    s.weights = o.weights;
    s.data_threshold =
        o.data_threshold ? *o.data_threshold : data_threshold(setup, statistics.noise);
    if (o.prior_threshold) s.prior_threshold = *o.prior_threshold;
    if (f.mixture && !setup.geometry.of_frames())
        s.least_change = negligible_change * noise_per_pixel(setup, statistics, *f.mixture);
    const bool settles = f.mixture || prior_weights(o.prior).patch;
    s.reweights = !o.reweight ? 0 : settles ? reweights_until_settled : every_iteration;
    s.cg_steps = *o.cg;
    s.first_step = first_step(statistics.noise.sensor);
    return s;
}

ReconstructOptions with_solver_choices(ReconstructOptions o, const SolveOptions& s) {
    o.lambda = s.objective.lambda;
    o.data_threshold = s.data_threshold;
    o.prior_threshold = s.prior_threshold;
    if (o.data == DataTerm::poisson_gauss) {
        o.gain = s.objective.mixture->gain;
        o.read_noise = s.objective.mixture->sigma;
    }
    o.denoiser = s.plug_and_play ? s.plug_and_play->denoiser : Denoiser::none;
    return o;
}

}  // namespace plenosr
