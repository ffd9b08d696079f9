#include "explain.h"

#include <fmt/format.h>

#include <charconv>

#include "auto_parameters.h"
#include "plenosr/options.h"
#include "problem/model.h"

namespace plenosr {
namespace {

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

std::string noise_sentence(const Setup& setup, const NoiseEstimate& noise) {
    const bool frames = setup.geometry.of_frames();
    return fmt::format(
        "Estimated from the {}: noise with a standard deviation of {:.3g} grey levels ({:.3g} "
        "together with model errors such as a wrong {}), impulses (salt and pepper) in {:.3g} % of "
        "the pixels.",
        frames ? "frames" : "views", noise.sensor, noise.residual,
        frames ? "registration" : "disparity", 100 * noise.impulses);
}

// How NoiseEstimate::of_samples() follows from the two values of noise_sentence().
std::string samples_noise_sentence(const NoiseEstimate& noise) {
    const double raised = noise.sensor_factor * noise.sensor;
    const double percent = 100 * (noise.sensor_factor - 1);
    const std::string reason =
        raised < 1 ? "the least value that is used"
        : raised <= noise.residual
            ? fmt::format("the first value plus {:.0f} %, by which it is too low in pure noise",
                          percent)
            : fmt::format("the second value, because the first one plus {:.0f} % exceeds it",
                          percent);
    return fmt::format("The reconstruction assumes {:.3g} grey levels: {}.", noise.of_samples(),
                       reason);
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

std::string lambda_reason(const Setup& setup, const ImageStatistics& statistics,
                          const SolveOptions& s) {
    if (statistics.lambda) return "is that of --estimates";
    const std::string blur = blur_words(blur_energy(setup.geometry.psf()));
    const std::string trial =
        statistics.lambda_factor == 1 ? ""
        : statistics.lambda_factor > 1
            ? fmt::format("; this is {:.3g} times the usual value, because the blur was estimated",
                          statistics.lambda_factor)
            : fmt::format(
                  "; this is {:.3g} of the usual value, which removed detail in a trial on "
                  "parts of the image",
                  statistics.lambda_factor);
    if (s.objective.mixture)
        return fmt::format(
            "follows from the noise that remains in a pixel of the result ({:.3g} grey levels, "
            "averaged over about {:.3g} samples per pixel), {} and {}{}",
            noise_per_pixel(setup, statistics, *s.objective.mixture),
            statistics.weight / setup.geometry.pixels(), blur, texture_words(statistics.detail),
            trial);
    return fmt::format(
        "follows from the noise ({:.3g} grey levels), {:.3g} samples per pixel and {}{}",
        statistics.noise.sensor, double(statistics.samples) / setup.geometry.pixels(),
        setup.geometry.of_frames() ? blur : texture_words(statistics.texture), trial);
}

std::string denoiser_reason(const Setup& setup, const ImageStatistics& statistics,
                            const ReconstructOptions& chosen, const Objective& objective) {
    const double energy = blur_energy(setup.geometry.psf());
    const bool wide_blur = is_wide(setup.geometry.psf());
    if (chosen.data != DataTerm::mixture)
        return fmt::format("a denoiser is chosen for --data mixture only, and --data is {}",
                           shown_value("data", chosen));
    if (*chosen.iterations == 0) return "without iterations the initial image is the result";
    const double noise = noise_per_pixel(setup, statistics, *objective.mixture);
    const double part = denoiser_part(noise);
    if (part == 1)
        return fmt::format(
            "the noise that remains in a pixel, {:.3g} grey levels, is strong (at least {})", noise,
            denoiser_full);
    if (wide_blur)
        return fmt::format("removing a wide blur (energy {:.3g}) amplifies the noise", energy);
    if (part > 0)
        return fmt::format(
            "the noise that remains in a pixel is {:.3g} grey levels; from {} to {} the denoiser's "
            "part of the result grows, and is {:.0f} % of that in strong noise",
            noise, denoiser_begins, denoiser_full, 100 * part);
    return fmt::format(
        "the noise that remains in a pixel, {:.3g} grey levels, is below {} and the blur is narrow "
        "(energy {:.3g}), so a denoiser would gain little",
        noise, denoiser_begins, energy);
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

std::string iterations_reason(const Setup& setup, bool likelihood) {
    if (!likelihood) return "the default for the data terms l1, l2 and l1+l2";
    return fmt::format("enough for a {} blur (energy {:.3g})",
                       is_wide(setup.geometry.psf()) ? "wide" : "narrow",
                       blur_energy(setup.geometry.psf()));
}

}  // namespace

std::string why_it_ended(const SolveOptions& s, const SolveSummary& summary) {
    const bool ended = summary.termination == Termination::converged ||
                       summary.termination == Termination::max_iterations;
    if (s.least_change <= 0 || s.iterations == 0 || !ended) return {};
    const int done = int(summary.iterations.size()) - 1 - summary.denoiser_steps;
    const bool early = summary.termination == Termination::converged;
    return fmt::format(
        "{} of at most {} iterations were done: the last one changed the image by {:.3g} grey "
        "levels (root mean square), {} the stopping threshold of {:.3g}, which is {} of the noise "
        "that remains in a pixel.",
        done, s.iterations, summary.last_change, early ? "below" : "still above", s.least_change,
        negligible_change);
}

std::vector<std::string> explanation(const ReconstructOptions& given, const Setup& setup,
                                     const ImageStatistics& statistics, const SolveOptions& s) {
    const ReconstructOptions chosen = with_solver_choices(setup.options, s);
    const bool mixture = s.objective.mixture.has_value();
    Sentences out(given, chosen);
    out.lines.push_back(noise_sentence(setup, statistics.noise));
    if (mixture && !s.objective.mixture->varies())
        out.lines.push_back(samples_noise_sentence(statistics.noise));
    out.add("data", data_reason(given));
    if (chosen.data == DataTerm::poisson_gauss) {
        out.add("gain", "measured: how the noise grows with the brightness");
        out.add("read-noise", "measured: the noise in dark areas");
    }
    if (!mixture) {
        out.add("lambda1", "the default");
        out.add("lambda2", "the default");
    }
    out.add("prior", prior_reason(chosen));
    out.add("lambda", lambda_reason(setup, statistics, s));
    out.add("denoiser", denoiser_reason(setup, statistics, chosen, s.objective));
    out.add("window", "the default; larger windows are slower and usually worse");
    out.add("init", init_reason(chosen));
    out.add("iterations", iterations_reason(setup, mixture));
    out.add("cg", fmt::format("conjugate-gradient steps in each iteration; the wider {}, the more",
                              blur_words(blur_energy(setup.geometry.psf()))));
    return out.lines;
}

}  // namespace plenosr
