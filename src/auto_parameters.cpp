#include "auto_parameters.h"

#include <fmt/format.h>

#include <algorithm>

#include "plenosr/options.h"
#include "problem/model.h"

namespace plenosr {
namespace {

double pixels_of(const Tiling& tiling) {
    return double(tiling.width()) * double(tiling.height());
}

// The likelihood of a sample, for the data terms that have one and for the denoiser step.
Mixture likelihood(const ReconstructOptions& o, const ImageStatistics& wide,
                   const ValueLimits& limits) {
    Mixture m{wide.noise.of_samples(), wide.noise.impulses, limits};
    if (o.data == DataTerm::huber) {
        m.impulses = 0;
        m.limits = ValueLimits::nowhere();
    }
    if (o.data == DataTerm::poisson_gauss) {
        m.impulses = 0;
        m.gain = wide.noise.gain;
        m.sigma = std::max(0.5, wide.noise.read);
    }
    return m;
}

double noise_per_pixel(const Tiling& tiling, const ImageStatistics& wide, const Mixture& mixture) {
    const double sigma = mixture.varies() ? wide.noise.of_samples() : mixture.sigma;
    return effective_noise(sigma, mixture.impulses, wide.weight / pixels_of(tiling));
}

// "--name value: given" or "--name value: reason"
class Sentences {
public:
    Sentences(const ReconstructOptions& given, const ReconstructOptions& chosen)
        : given_(given), chosen_(chosen) {}

    void add(const std::string& name, const std::string& reason) {
        for (const Option<ReconstructOptions>& option : reconstruct_options())
            if (option.name == name) {
                const bool open = option.show(given_) == "auto";
                lines.push_back(fmt::format("--{} {}: {}", name, option.show(chosen_),
                                            open ? reason : "as given"));
            }
    }
    std::vector<std::string> lines;

private:
    const ReconstructOptions& given_;
    const ReconstructOptions& chosen_;
};

std::string data_reason(const ReconstructOptions& given) {
    if (given.lambda1 || given.lambda2) return "since lambda1 or lambda2 is given";
    if (given.gain || given.read_noise) return "since gain or read-noise is given";
    if (given.solver != Solver::admm) return "only the solver admm knows the mixture";
    return "it tells impulses from clipped noise, and resists what the model does not explain";
}

std::string lambda_reason(const Tiling& tiling, const ImageStatistics& wide,
                          const SolveOptions& s) {
    const double energy = blur_energy(tiling.psf());
    const std::string trial =
        wide.lambda_share == 1
            ? ""
            : fmt::format(
                  "; {} of the rule's, since in windows that were tried more of it left detail in "
                  "the residuals",
                  wide.lambda_share);
    if (s.objective.mixture)
        return fmt::format(
            "a pixel of the result is left with noise of {:.2f} after averaging {:.2f} samples; "
            "the blur's energy is {:.3f}, the scene's texture {:.2f}{}",
            noise_per_pixel(tiling, wide, *s.objective.mixture), wide.weight / pixels_of(tiling),
            energy, wide.detail, trial);
    return fmt::format("{:.2f} samples per pixel, sensor noise {:.2f}, texture {:.2f}{}",
                       double(wide.samples) / pixels_of(tiling), wide.noise.sensor, wide.texture,
                       trial);
}

constexpr double noise_worth_a_denoiser = 5;
// Of the noise left in a pixel: what an iteration may change, root mean square, and be the last.
constexpr double worthless_change = 0.01;

std::optional<PlugAndPlay> plug_and_play_of(const Tiling& tiling, const ImageStatistics& wide,
                                            const ValueLimits& limits) {
    const Denoiser wanted = tiling.options().denoiser;
    PlugAndPlay p;
    p.mixture = likelihood(tiling.options(), wide, limits);
    if (wanted == Denoiser::none) return {};
    // A wide blur amplifies what little noise there is.
    const bool worth_it =
        wide.noise.of_samples() >= noise_worth_a_denoiser || is_wide(tiling.psf());
    const bool at_all = *tiling.options().iterations > 0;  // else the initial image is wanted
    if (wanted == Denoiser::automatic && !(worth_it && at_all)) return {};
    if (wanted != Denoiser::automatic) p.denoiser = wanted;
    // Non-local means smooth by what they are told, however little noise there is.
    const double left =
        (p.denoiser == Denoiser::nlm ? 0.3 : 1.0) * noise_per_pixel(tiling, wide, p.mixture);
    p.first_noise = 2.5 * left;
    p.last_noise = left;
    return p;
}

// The threshold of the data's penalty, in grey levels. Impulses of the start must be left within a
// few iterations, and a small threshold is slow at that; where there is little to leave, it reaches
// the minimum in half of the work. Frames keep the large one: their start is far from the samples.
double data_threshold(const Tiling& tiling, const NoiseEstimate& noise) {
    constexpr double clean = 5;
    const double most = SolveOptions().data_threshold;
    if (tiling.motions() != nullptr) return most;
    return clean + (most - clean) * std::min(1.0, noise.sensor / 10 + noise.impulses / 0.005);
}

}  // namespace

SolveOptions solve_options(const Tiling& tiling, const ImageStatistics& wide,
                           const ValueLimits& limits) {
    const ReconstructOptions& o = tiling.options();
    SolveOptions s;
    s.plug_and_play = plug_and_play_of(tiling, wide, limits);
    Objective& f = s.objective;
    f.lambda1 = o.data == DataTerm::l2 ? 0.0 : *o.lambda1;
    f.lambda2 = o.data == DataTerm::l1 ? 0.0 : *o.lambda2;
    if (is_likelihood(o.data)) {
        f.mixture = likelihood(o, wide, limits);
        f.lambda =
            mixture_lambda(noise_per_pixel(tiling, wide, *f.mixture), blur_energy(tiling.psf()),
                           wide.detail, s.plug_and_play.has_value(),
                           wide.weight / pixels_of(tiling) * o.scale * o.scale) /
            weight_sum(prior_directions(o.prior, *o.window));
        if (tiling.motions() != nullptr)
            f.lambda *= o.prior == Prior::first_second
                            ? frames_share(noise_per_pixel(tiling, wide, *f.mixture))
                            : frames_share_of_blur(blur_energy(tiling.psf()));
    } else {
        const double density = double(wide.samples) / pixels_of(tiling);
        f.lambda =
            tiling.motions() != nullptr
                ? frames_lambda(f.lambda1, f.lambda2, density, wide.noise.sensor,
                                blur_energy(tiling.psf()))
                : automatic_lambda(f.lambda1, f.lambda2, density, wide.noise.sensor, wide.texture);
    }
    f.lambda *= wide.lambda_share;
    if (o.lambda) f.lambda = *o.lambda;
    s.iterations = *o.iterations;
    s.tolerance = *o.tolerance;
    s.weights = o.weights;
    s.data_threshold = o.data_threshold ? *o.data_threshold : data_threshold(tiling, wide.noise);
    if (o.prior_threshold) s.prior_threshold = *o.prior_threshold;
    if (f.mixture && tiling.motions() == nullptr)
        s.least_change = worthless_change * noise_per_pixel(tiling, wide, *f.mixture);
    // These weights settle quickly; going on, they would feed on the image they shape.
    constexpr int few = 3;
    const bool settles = f.mixture || prior_weights(o.prior).patch;
    s.reweights = !o.reweight ? 0 : settles ? few : every_iteration;
    s.cg_steps = *o.cg;
    s.first_step = std::max(0.25, 0.1 * wide.noise.sensor);
    return s;
}

std::string why_it_ended(const SolveOptions& s, const SolveSummary& summary) {
    const int done = int(summary.iterations.size()) - 1 - summary.denoiser_steps;
    const bool early = summary.termination == Termination::converged;
    return fmt::format(
        "{} of {} iterations were done: the last changed the image by {:.3f} grey levels (root "
        "mean square), {} than the {:.3f} that are {} of the noise left in a pixel.",
        done, s.iterations, summary.last_change, early ? "no more" : "more", s.least_change,
        worthless_change);
}

std::vector<std::string> explanation(const ReconstructOptions& given, const Tiling& tiling,
                                     const ImageStatistics& wide, const SolveOptions& s) {
    ReconstructOptions chosen = tiling.options();
    chosen.lambda = s.objective.lambda;
    chosen.denoiser = s.plug_and_play ? s.plug_and_play->denoiser : Denoiser::none;
    const double energy = blur_energy(tiling.psf());
    const bool mixture = s.objective.mixture.has_value();
    Sentences out(given, chosen);
    out.lines.push_back(
        fmt::format("Estimated from the residuals of the views' median: noise {:.2f} with what the "
                    "model does not explain, {:.2f} alone, impulses {:.2f} %.",
                    wide.noise.residual, wide.noise.sensor, 100 * wide.noise.impulses));
    out.add("data", data_reason(given));
    if (chosen.data == DataTerm::poisson_gauss) {
        chosen.gain = s.objective.mixture->gain;
        chosen.read_noise = s.objective.mixture->sigma;
        const std::string how = "how the residuals spread at each brightness";
        out.add("gain", how);
        out.add("read-noise", how);
    }
    if (!mixture) {
        out.add("lambda1", "the usual weight");
        out.add("lambda2", "the usual weight");
    }
    out.add("prior", mixture ? "first and second differences with edge weights suit the mixture"
                             : "it spares edges and occlusions");
    out.add("lambda", lambda_reason(tiling, wide, s));
    out.add("denoiser",
            s.plug_and_play
                ? "similar blocks teach each other where noise is strong or the blur wide"
                : fmt::format("noise below {} leaves too little to gain, or no mixture is used",
                              noise_worth_a_denoiser));
    out.add("window", "larger windows lose quality as a rule");
    out.add("init", mixture ? "telling impulses apart needs a start near the truth"
                            : "the solver leaves any start quickly");
    out.add("iterations",
            fmt::format("enough for a blur of energy {:.3f}; more no longer pay", energy));
    out.add("cg", fmt::format("by the blur's energy {:.3f}{}", energy,
                              mixture ? " and the mixture" : ""));
    return out.lines;
}

}  // namespace plenosr
