#include "auto_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

// At most four significant digits for numbers that are not whole; other text stays as it is.
std::string shortened(const std::string& shown) {
    double value = 0;
    const char* end = shown.data() + shown.size();
    const auto [stop, error] = std::from_chars(shown.data(), end, value);
    const bool real =
        error == std::errc() && stop == end && shown.find_first_of(".e") != shown.npos;
    return real ? fmt::format("{:.4g}", value) : shown;
}

// "--name value: as given" or "--name value: reason"
class Sentences {
public:
    Sentences(const ReconstructOptions& given, const ReconstructOptions& chosen)
        : given_(given), chosen_(chosen) {}

    void add(const std::string& name, const std::string& reason) {
        for (const Option<ReconstructOptions>& option : reconstruct_options())
            if (option.name == name) {
                const bool open = option.show(given_) == "auto";
                lines.push_back(fmt::format("--{} {}: {}", name, shortened(option.show(chosen_)),
                                            open ? reason : "as given"));
            }
    }
    std::vector<std::string> lines;

private:
    const ReconstructOptions& given_;
    const ReconstructOptions& chosen_;
};

std::string shown_value(const std::string& name, const ReconstructOptions& o) {
    for (const Option<ReconstructOptions>& option : reconstruct_options())
        if (option.name == name) return option.show(o);
    return {};
}

std::string noise_sentence(const Tiling& tiling, const NoiseEstimate& noise) {
    const bool frames = tiling.motions() != nullptr;
    return fmt::format(
        "Estimated from the {}: noise with a standard deviation of {:.3g} grey levels ({:.3g} "
        "together with model errors such as a wrong {}), impulses (salt and pepper) in {:.3g} % of "
        "the pixels.",
        frames ? "frames" : "views", noise.sensor, noise.residual,
        frames ? "registration" : "disparity", 100 * noise.impulses);
}

// The order of the cases is that of chosen_model().
std::string data_reason(const ReconstructOptions& given) {
    if (given.gain || given.read_noise)
        return fmt::format("{} is given, which describes noise that grows with the brightness",
                           given.gain ? "--gain" : "--read-noise");
    if (given.lambda1 || given.lambda2)
        return fmt::format("{} is given, which is a weight of this data term",
                           given.lambda1 ? "--lambda1" : "--lambda2");
    if (given.solver != Solver::admm)
        return fmt::format("--solver {} does not support the default, mixture",
                           shown_value("solver", given));
    return "the default; it distinguishes impulses from noise clipped at black and white, and "
           "down-weights outliers";
}

std::string prior_reason(const ReconstructOptions& chosen) {
    const std::string suits =
        fmt::format("the default for --data {}; ", shown_value("data", chosen));
    return suits + (is_likelihood(chosen.data)
                        ? "it penalises first and second differences, less so at edges"
                        : "it smooths less at edges and occlusions");
}

std::string blur_words(double energy) {
    return fmt::format("the blur (energy {:.3g}; 1 is no blur, less is wider)", energy);
}

std::string texture_words(double difference) {
    return fmt::format("the texture of the scene (neighbouring pixels differ by {:.3g})",
                       difference);
}

std::string lambda_reason(const Tiling& tiling, const ImageStatistics& wide,
                          const SolveOptions& s) {
    const std::string blur = blur_words(blur_energy(tiling.psf()));
    const std::string trial =
        wide.lambda_factor == 1
            ? ""
            : fmt::format(
                  "; this is {:.3g} of the usual value, which removed detail in a trial on "
                  "parts of the image",
                  wide.lambda_factor);
    if (s.objective.mixture)
        return fmt::format(
            "follows from the noise that remains in a pixel of the result ({:.3g} grey levels, "
            "from about {:.3g} samples per pixel), {} and {}{}",
            noise_per_pixel(tiling, wide, *s.objective.mixture), wide.weight / pixels_of(tiling),
            blur, texture_words(wide.detail), trial);
    return fmt::format(
        "follows from the noise ({:.3g} grey levels), {:.3g} samples per pixel and {}{}",
        wide.noise.sensor, double(wide.samples) / pixels_of(tiling),
        tiling.motions() != nullptr ? blur : texture_words(wide.texture), trial);
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

std::string denoiser_reason(const Tiling& tiling, const ImageStatistics& wide,
                            const ReconstructOptions& chosen) {
    const double noise = wide.noise.of_samples();
    const double energy = blur_energy(tiling.psf());
    const bool noisy = noise >= noise_worth_a_denoiser;
    const bool wide_blur = is_wide(tiling.psf());
    if (chosen.data != DataTerm::mixture)
        return fmt::format("a denoiser is chosen for --data mixture only, and --data is {}",
                           shown_value("data", chosen));
    if (*chosen.iterations == 0) return "without iterations the initial image is the result";
    if (noisy)
        return fmt::format("the noise of {:.3g} grey levels is strong (at least {})", noise,
                           noise_worth_a_denoiser);
    if (wide_blur)
        return fmt::format("removing a wide blur (energy {:.3g}) amplifies the noise", energy);
    return fmt::format(
        "the noise of {:.3g} grey levels is below {} and the blur is narrow (energy {:.3g}), so a "
        "denoiser would gain little",
        noise, noise_worth_a_denoiser, energy);
}

std::string init_reason(const ReconstructOptions& chosen) {
    if (is_likelihood(chosen.data))
        return "starts from the median of all pictures, because impulses and outliers are "
               "recognised by their distance from the current image";
    if (prior_weights(chosen.prior).patch)
        return fmt::format(
            "starts from the median of all pictures, because --prior {} compares patches of the "
            "current image",
            shown_value("prior", chosen));
    return fmt::format("starts from the enlarged reference, which suffices for --data {}",
                       shown_value("data", chosen));
}

std::string iterations_reason(const Tiling& tiling, bool likelihood) {
    if (!likelihood) return "the default for the data terms l1, l2 and l1+l2";
    return fmt::format("enough for a {} blur (energy {:.3g})",
                       is_wide(tiling.psf()) ? "wide" : "narrow", blur_energy(tiling.psf()));
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
                            ? frames_lambda_factor(noise_per_pixel(tiling, wide, *f.mixture))
                            : frames_lambda_factor_of_blur(blur_energy(tiling.psf()));
    } else {
        const double density = double(wide.samples) / pixels_of(tiling);
        f.lambda =
            tiling.motions() != nullptr
                ? frames_lambda(f.lambda1, f.lambda2, density, wide.noise.sensor,
                                blur_energy(tiling.psf()))
                : automatic_lambda(f.lambda1, f.lambda2, density, wide.noise.sensor, wide.texture);
    }
    f.lambda *= wide.lambda_factor;
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
        "{} of at most {} iterations were done: the last one changed the image by {:.3g} grey "
        "levels (root mean square), {} the stopping threshold of {:.3g}, which is {} of the noise "
        "that remains in a pixel.",
        done, s.iterations, summary.last_change, early ? "below" : "still above", s.least_change,
        worthless_change);
}

std::vector<std::string> explanation(const ReconstructOptions& given, const Tiling& tiling,
                                     const ImageStatistics& wide, const SolveOptions& s) {
    ReconstructOptions chosen = tiling.options();
    chosen.lambda = s.objective.lambda;
    chosen.denoiser = s.plug_and_play ? s.plug_and_play->denoiser : Denoiser::none;
    const bool mixture = s.objective.mixture.has_value();
    Sentences out(given, chosen);
    out.lines.push_back(noise_sentence(tiling, wide.noise));
    out.add("data", data_reason(given));
    if (chosen.data == DataTerm::poisson_gauss) {
        chosen.gain = s.objective.mixture->gain;
        chosen.read_noise = s.objective.mixture->sigma;
        out.add("gain", "measured: how the noise grows with the brightness");
        out.add("read-noise", "measured: the noise in dark areas");
    }
    if (!mixture) {
        out.add("lambda1", "the default");
        out.add("lambda2", "the default");
    }
    out.add("prior", prior_reason(chosen));
    out.add("lambda", lambda_reason(tiling, wide, s));
    out.add("denoiser", denoiser_reason(tiling, wide, chosen));
    out.add("window", "the default; larger windows are slower and usually worse");
    out.add("init", init_reason(chosen));
    out.add("iterations", iterations_reason(tiling, mixture));
    out.add("cg", fmt::format("conjugate-gradient steps in each iteration; the wider {}, the more",
                              blur_words(blur_energy(tiling.psf()))));
    return out.lines;
}

}  // namespace plenosr
