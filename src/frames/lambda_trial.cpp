#include "frames/lambda_trial.h"

#include <algorithm>
#include <cmath>

#include "noise/residual_noise.h"
#include "problem/model.h"

namespace plenosr {
namespace {

constexpr int window = 160;      // pixels of the result
constexpr int margin = 12;       // of them that are not looked at, on each side
constexpr double farthest = 4;   // shifts, pixels of the frames
constexpr int times_larger = 4;  // than the windows together the result must be
constexpr double clip = 2;       // robust deviations: edges must not speak for the rest
constexpr float not_known = -1e30F;

struct Middle {
    double x;
    double y;
};
constexpr Middle middles[] = {{0.5, 0.5}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}};

constexpr int most_windows = 2 * int(std::size(middles));  // for lambda and its half

float bilinear(const Image& image, double x, double y) {
    const int i = std::clamp(int(std::floor(x)), 0, image.width - 2);
    const int j = std::clamp(int(std::floor(y)), 0, image.height - 2);
    const auto a = float(x - i);
    const auto b = float(y - j);
    return (1 - b) * ((1 - a) * image.at(j, i) + a * image.at(j, i + 1)) +
           b * ((1 - a) * image.at(j + 1, i) + a * image.at(j + 1, i + 1));
}

// As low as white noise leaves c where lambda is right, found on crops of photos and of rendered
// views: with the wider blur less of the noise is fitted.
double white(const ReconstructOptions& o, const PsfGrid& psf) {
    return o.data == DataTerm::mixture ? -0.066 * blur_energy(psf) : -0.01;
}

}  // namespace

void add_residuals(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                   int scale, const Image& blurred, Correlation& correlation) {
    Image residuals(blurred.width, blurred.height, 1, not_known);
    std::vector<float> sizes;
    for (std::size_t k = 0; k < frames.size(); ++k)
        for (int i = 0; i < frames[k].height; ++i)
            for (int j = 0; j < frames[k].width; ++j) {
                const float sample = frames[k].at(i, j);
                if (sample <= 0.0F || sample >= 255.0F) continue;
                const Place p = motions[k].to_reference({double(j), double(i)});
                const int x = int(std::lround(scale * p.x));
                const int y = int(std::lround(scale * p.y));
                if (x < margin || y < margin || x >= blurred.width - margin ||
                    y >= blurred.height - margin)
                    continue;
                const float r = sample - bilinear(blurred, scale * p.x, scale * p.y);
                residuals.at(y, x) = r;
                sizes.push_back(std::abs(r));
            }
    if (sizes.empty()) return;
    const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    const auto bound = float(clip * 1.4826 * double(*middle));
    const auto known = [&](int y, int x) { return residuals.at(y, x) != not_known; };
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

double lambda_share_of_frames(const Engines& engines, const LightField& frames,
                              const std::vector<FrameMotion>& motions,
                              const std::vector<double>& trust, std::size_t reference,
                              const ReconstructOptions& options, const EarlierResults& known,
                              const Progress& progress) {
    const int scale = options.scale;
    const int size = window / scale;  // pixels of the frames
    const double pixels = double(frames.width()) * frames.height();
    if (options.lambda || options.iterations || !std::isfinite(known.max_noise) ||
        frames.width() < 2 * size || frames.height() < 2 * size ||
        pixels < double(times_larger) * std::size(middles) * size * size)
        return 1;
    for (const FrameMotion& motion : motions)
        if (!motion.is_translation() || std::abs(motion.matrix[2]) > farthest ||
            std::abs(motion.matrix[5]) > farthest)
            return 1;
    const PsfGrid psf = psf_for(options, size, size);
    if (!psf.uniform()) return 1;
    ReconstructOptions solve = options;
    solve.memory_limit = 0;
    const Setup setup = frames_setup(size, size, frames.channels(), motions, trust, solve);
    EarlierResults before = known;
    int done = 0;
    for (before.lambda_factor = 1; before.lambda_factor > 0.25; before.lambda_factor /= 2) {
        Correlation correlation;
        for (const Middle& middle : middles) {
            const Box box{int(middle.x * frames.width()) - size / 2,
                          int(middle.y * frames.height()) - size / 2, size, size};
            LightField part;
            part.grid = frames.grid;
            std::vector<Image> grey;
            for (const View& view : frames.views) {
                part.views.push_back({view.position, crop(view.image, box)});
                grey.push_back(luma(part.views.back().image));
            }
            if (!report(progress, {"trying lambda", done++, most_windows, 0}))
                return before.lambda_factor;
            const ReconstructResult result = reconstruct_view(
                engines, setup, {part, reference, solve.colour}, solve, {}, nullptr, before);
            add_residuals(grey, motions, scale, ResidualNoise::blurred(luma(result.image), psf),
                          correlation);
        }
        if (correlation.value() <= white(setup.options, psf)) break;
    }
    return before.lambda_factor;
}

}  // namespace plenosr
