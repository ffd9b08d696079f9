#include "finish_reconstruct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "as_written.h"
#include "command.h"
#include "interrupts.h"
#include "plenosr/frames.h"
#include "progress_bar.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace {

constexpr int least_side = 48;     // pixels: smaller pictures do not tell a shift
constexpr int largest_side = 768;  // pixels: the middle of larger pictures suffices

// The middle of a picture, at most largest_side wide and high.
Image middle_of(const Image& image) {
    const int width = std::min(image.width, largest_side);
    const int height = std::min(image.height, largest_side);
    return luma(
        crop(image, {(image.width - width) / 2, (image.height - height) / 2, width, height}));
}

}  // namespace

SamplingGrid sampling_of(const ReconstructOptions& options) {
    return sampling_grid(options.blur, options.phase, options.scale);
}

std::string displaced_truth_note(const Image& result, const Image& truth,
                                 const SamplingGrid& sampling) {
    constexpr double noticed = 0.2;  // pixels
    constexpr double alike = 0.15;   // pixels: tolerance of the estimated shift
    if (std::min(truth.width, truth.height) < least_side) return {};
    // The result shows at q what the truth shows at q + shift: shift = true phase - assumed phase.
    FramesOptions shift;
    shift.registration = Registration::translation;
    const FrameMotion motion =
        register_frames({middle_of(truth), middle_of(result)}, shift)[1].motion;
    const double x = motion.matrix[2];
    const double y = motion.matrix[5];
    const double largest = std::max(std::abs(x), std::abs(y));
    if (!(largest >= noticed)) return {};
    std::string text = fmt::format(
        "the true picture is displaced against the result by {:.2f} pixels to the right and {:.2f} "
        "down",
        x, y);
    const double phase = sampling.phase + (x + y) / 2;
    for (const char* name : {"corner", "centre"}) {
        const double named = sampling_grid({}, {name}, sampling.scale).phase;
        if (std::abs(x - y) < alike && std::abs(phase - named) < alike && named != sampling.phase)
            return text + fmt::format(": the pixels of the views seem to lie at --phase {}, not {}",
                                      name, phase_spec(sampling).text);
    }
    return text + "; it may show another view, or have been resized";
}

void finish_reconstruct(ReconstructReport& job, const Image& reference, const Image& truth,
                        const ImageEncoding& encoding, double read_seconds) {
    const PixelFormat format = encoding.format;
    if (job.result.termination == Termination::cancelled) throw Cancelled();
    stop_if_interrupted();
    if (job.result.termination == Termination::diverged)
        throw Diverged(
            fmt::format("the solver diverged: the cost is not finite after {} iterations, so {} "
                        "was not written; smaller --lambda1 and --lambda2 may help",
                        job.result.iterations.size() - 1, job.output));
    job.seconds = job.result.wall_seconds;
    if (!truth.empty()) {
        const QualityOptions inside{.border = job.options.border};
        const SamplingGrid sampling = sampling_of(job.options);
        job.bicubic = compare(as_written(enlarge_view(reference, sampling), format), truth, inside);
        job.initial = compare(as_written(job.result.initial, format), truth, inside);
        job.final = compare(as_written(job.result.image, format), truth, inside);
        const std::string note = displaced_truth_note(job.result.image, truth, sampling);
        if (!note.empty()) job.notes.push_back(note);
    }

    const Stopwatch writing;
    write_image(job.output, job.result.image, encoding);
    job.result.seconds.io = read_seconds + writing.seconds();
}

}  // namespace plenosr::app
