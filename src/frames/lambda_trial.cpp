#include "frames/lambda_trial.h"

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "light_field/interpolate.h"
#include "noise/residual_noise.h"
#include "problem/model.h"

namespace plenosr {
namespace {

// Window, margin and shift were chosen by reasoning. The thresholds of c were set on crops of two
// large photos, rendered views and kodim19: at x3 with noise of 1 a crop of grain has c = 0.067 and
// gains 1.2 dB from the trial, other crops have -0.05 or less and keep lambda.
constexpr int window_size = 160;          // high-resolution pixels
constexpr int margin = 12;                // high-resolution pixels on each side that are ignored
constexpr double largest_shift = 4;       // pixels of the frames
constexpr int least_area_ratio = 4;       // area of the result, divided by that of all windows
constexpr double outlier_sigmas = 2;      // residuals are clipped there, because of strong edges
constexpr double smallest_factor = 0.25;  // of lambda
constexpr double mixture_threshold_per_energy = -0.066;  // c, times the blur's energy: a wider blur
                                                         // fits less of the noise
constexpr double other_threshold = -0.01;                // c, for the other data terms
constexpr float no_sample = -1e30F;

// Centres of the windows, as fractions of the image's size.
struct Centre {
    double x;
    double y;
};
constexpr Centre centres[] = {{0.5, 0.5}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};
constexpr int most_windows = 2 * int(std::size(centres));  // for lambda and lambda / 2

// The c that white noise leaves where lambda is right.
double white_noise_correlation(const ReconstructOptions& o, const PsfGrid& psf) {
    return o.data == DataTerm::mixture ? mixture_threshold_per_energy * blur_energy(psf)
                                       : other_threshold;
}

bool can_be_tried(const TrialFrames& trial, const ReconstructOptions& options,
                  const EarlierResults& known) {
    const int size = window_size / options.scale;  // pixels of the frames
    const double pixels = double(trial.frames.width()) * trial.frames.height();
    const auto is_small_shift = [](const FrameMotion& motion) {
        return motion.is_translation() && std::abs(motion.matrix[2]) <= largest_shift &&
               std::abs(motion.matrix[5]) <= largest_shift;
    };
    return !options.lambda && !options.iterations && std::isfinite(known.max_noise) &&
           trial.frames.width() >= 2 * size && trial.frames.height() >= 2 * size &&
           pixels >= double(least_area_ratio) * std::size(centres) * size * size &&
           std::all_of(trial.motions.begin(), trial.motions.end(), is_small_shift);
}

}  // namespace

void add_residuals(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                   int scale, const Image& blurred, const ValueLimits& limits,
                   Correlation& correlation) {
    Image residuals(blurred.width, blurred.height, 1, no_sample);
    std::vector<float> sizes;
    for (std::size_t k = 0; k < frames.size(); ++k)
        for (int i = 0; i < frames[k].height; ++i)
            for (int j = 0; j < frames[k].width; ++j) {
                const float sample = frames[k].at(i, j);
                if (limits.reached(sample)) continue;
                const Place p = motions[k].to_reference({double(j), double(i)});
                const int x = int(std::lround(scale * p.x));
                const int y = int(std::lround(scale * p.y));
                if (x < margin || y < margin || x >= blurred.width - margin ||
                    y >= blurred.height - margin)
                    continue;
                const float r = sample - bilinear_at(blurred, scale * p.x, scale * p.y);
                residuals.at(y, x) = r;
                sizes.push_back(std::abs(r));
            }
    if (sizes.empty()) return;
    const auto bound = float(outlier_sigmas * sigma_per_median * double(upper_median(sizes)));
    const auto known = [&](int y, int x) { return residuals.at(y, x) != no_sample; };
    const auto clipped = [&](int y, int x) {
        return double(std::clamp(residuals.at(y, x), -bound, bound));
    };
    for (int y = 0; y + 1 < residuals.height; ++y)
        for (int x = 0; x + 1 < residuals.width; ++x) {
            if (!known(y, x)) continue;
            const double r = clipped(y, x);
            correlation.squares += r * r;
            ++correlation.samples;
            if (known(y, x + 1))
                correlation.neighbours += r * clipped(y, x + 1), ++correlation.pairs;
            if (known(y + 1, x))
                correlation.neighbours += r * clipped(y + 1, x), ++correlation.pairs;
        }
}

double lambda_factor_of_frames(const Engines& engines, const TrialFrames& trial,
                               const ReconstructOptions& options, const EarlierResults& known,
                               const Progress& progress) {
    if (!can_be_tried(trial, options, known)) return 1;
    const LightField& frames = trial.frames;
    const int scale = options.scale;
    const int size = window_size / scale;
    const PsfGrid psf = psf_for(options, size, size);
    if (!psf.uniform()) return 1;
    ReconstructOptions solve = options;
    solve.memory_limit = 0;
    solve.self_check = false;
    solve.keep_iterations = 0;
    const Setup setup =
        frames_setup(size, size, frames.channels(), trial.motions, trial.trust, solve);
    EarlierResults before = known;
    int done = 0;
    for (before.lambda_factor = 1; before.lambda_factor > smallest_factor;
         before.lambda_factor /= 2) {
        Correlation correlation;
        for (const Centre& centre : centres) {
            const Box box{int(centre.x * frames.width()) - size / 2,
                          int(centre.y * frames.height()) - size / 2, size, size};
            LightField part;
            part.grid = frames.grid;
            part.clipped = frames.clipped;
            std::vector<Image> grey;
            for (const View& view : frames.views) {
                part.views.push_back({view.position, crop(view.image, box)});
                grey.push_back(luma(part.views.back().image));
            }
            if (!report(progress, {"trying lambda", 0, 1, 0, double(done++) / most_windows}))
                return before.lambda_factor;
            const ReconstructResult result = reconstruct_view(
                engines, setup, {part, trial.reference, solve.colour}, solve, {}, nullptr, before);
            add_residuals(grey, trial.motions, scale,
                          ResidualNoise::blurred(luma(result.image), psf), trial.limits,
                          correlation);
        }
        if (correlation.value() <= white_noise_correlation(setup.options, psf)) break;
    }
    report(progress, {"trying lambda", 1, 1, 0});
    return before.lambda_factor;
}

}  // namespace plenosr
