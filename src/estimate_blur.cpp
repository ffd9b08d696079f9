#include "estimate_blur.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/cancelled.h"
#include "plenosr/disparity.h"
#include "problem/model.h"

namespace plenosr {
namespace {

// Chosen on boardgames, dishes and medieval2 of HCI and on the random scenes 1 and 3, with lenses
// of 0.4 to 1.3 pixels and noise of 0 to 10, at x2.
constexpr int window_px = 64;  // pixels of the pictures
constexpr int most_windows = 3;
constexpr int margin = 8;  // high-resolution pixels of a window's result that are ignored
// How far above its least value S may lie: as a fraction of that value, and of the fall from the
// narrowest width. 2 % to 4.5 % change the width by 10 %.
constexpr double tolerance = 0.03;
constexpr double tolerance_of_fall = 0.4;
constexpr double least_fall = 0.01;  // below it, the widths cannot be told apart
constexpr double least_lens = 0.3;   // high-resolution pixels: a sharper lens is not resolved
// Widths in units of the default, 1/4 sqrt(scale^2 - 1).
constexpr std::array widths = {0.75, 1.0, 1.25, 1.5, 1.8, 2.15, 2.6, 3.1, 3.7};
constexpr int first_width = 3;  // where the search begins

double default_sigma(int scale) {
    return std::sqrt(double(scale) * scale - 1) / 4;
}

// Squared differences of neighbours.
double texture_of(const Image& picture, const Box& box) {
    double sum = 0;
    for (int y = box.y0; y + 1 < box.y1(); ++y)
        for (int x = box.x0; x + 1 < box.x1(); ++x) {
            const double across = double(picture.at(y, x + 1) - picture.at(y, x));
            const double down = double(picture.at(y + 1, x) - picture.at(y, x));
            sum += across * across + down * down;
        }
    return sum;
}

struct Gradients {
    double sizes = 0;    // sum of |grad x|
    double squares = 0;  // sum of |grad x|^2
    double count = 0;

    void add(const Image& x) {
        for (int i = margin; i + margin < x.height; ++i)
            for (int j = margin; j + margin < x.width; ++j) {
                const double across = double(x.at(i, j + 1) - x.at(i, j));
                const double down = double(x.at(i + 1, j) - x.at(i, j));
                sizes += std::hypot(across, down);
                squares += across * across + down * down;
                ++count;
            }
    }
    double sparsity() const { return squares > 0 ? sizes / std::sqrt(count * squares) : 1; }
};

BlurSpec blur_of_width(double sigma, int scale) {
    const double lens = std::sqrt(std::max(0.0, sigma * sigma - double(scale) * scale / 12));
    if (lens < least_lens) return {fmt::format("gaussian:{:.3f}", sigma)};
    return {fmt::format("box:{:.3f}", lens)};
}

// Finds the least S by descent, then the narrowest width whose S is near it.
class Search {
public:
    Search(std::function<double(double)> sparsity, int scale)
        : sparsity_(std::move(sparsity)), unit_(default_sigma(scale)), scale_(scale) {}

    BlurEstimate run() {
        const int count = int(widths.size());
        int best = first_width;
        while (best + 1 < count && at(best + 1) < at(best))
            ++best;
        while (best > 0 && at(best - 1) < at(best))
            --best;
        const double fall = at(0) / at(best) - 1;
        if (fall < least_fall) return {{fmt::format("gaussian:{:.3f}", unit_)}, unit_, 0, 0};
        const double bound = at(best) * (1 + std::min(tolerance, tolerance_of_fall * fall));
        int narrow = best;
        while (narrow > 0 && at(narrow - 1) <= bound)
            --narrow;
        double width = width_of(narrow);
        if (narrow > 0) {  // linear between the widths that were tried
            const double above = at(narrow - 1) - bound;
            const double below = bound - at(narrow);
            width -= (width - width_of(narrow - 1)) * below / (above + below);
        }
        int wide = best;
        while (wide + 1 < count && tried_[std::size_t(wide + 1)] > 0 && at(wide + 1) <= bound)
            ++wide;
        return {blur_of_width(width, scale_), width, width, width_of(wide)};
    }

private:
    double width_of(int i) const { return widths[std::size_t(i)] * unit_; }
    double at(int i) {
        double& s = tried_[std::size_t(i)];
        if (s == 0) s = sparsity_(width_of(i));
        return s;
    }

    std::function<double(double)> sparsity_;
    double unit_;
    int scale_;
    std::array<double, widths.size()> tried_ = {};  // S, or 0 if not tried
};

}  // namespace

std::vector<Box> blur_windows(const Image& picture) {
    const int across = std::max(1, picture.width / window_px);
    const int down = std::max(1, picture.height / window_px);
    const int width = std::min(picture.width, window_px);
    const int height = std::min(picture.height, window_px);
    std::vector<std::pair<double, Box>> found;
    for (int row = 0; row < down; ++row)
        for (int col = 0; col < across; ++col) {
            const Box box{(picture.width - across * width) / 2 + col * width,
                          (picture.height - down * height) / 2 + row * height, width, height};
            found.emplace_back(texture_of(picture, box), box);
        }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    found.resize(std::min(found.size(), std::size_t(most_windows)));
    std::vector<Box> windows;
    windows.reserve(found.size());
    for (const auto& [texture, box] : found)
        windows.push_back(box);
    return windows;
}

BlurEstimate estimate_blur(const std::vector<SolveWindow>& windows,
                           const ReconstructOptions& options, const Progress& progress) {
    ReconstructOptions o = options;
    o.denoiser = Denoiser::none;
    o.denoiser_function = {};
    o.colour = Colour::luma;
    o.weights = false;
    o.self_check = false;
    o.memory_limit = 0;  // windows are small
    o.iterations.reset();
    o.tolerance.reset();
    int done = 0;
    const auto sparsity = [&](double sigma) {
        o.blur.text = fmt::format("gaussian:{}", sigma);
        Gradients gradients;
        for (const SolveWindow& solve : windows) {
            const Progress tell = [&](const ProgressEvent&) {
                return report(progress,
                              {"finding the blur", done, int(widths.size() * windows.size()), 0});
            };
            if (!tell({})) throw Cancelled();
            gradients.add(solve(o, tell));
            ++done;
        }
        return gradients.sparsity();
    };
    return Search(sparsity, o.scale).run();
}

BlurEstimate estimate_blur(const Engines& engines, const LightFieldView& light_field,
                           ViewPosition reference, const Image& disparity,
                           const ReconstructOptions& options, const Progress& progress) {
    require_disparity(disparity, light_field.width(), light_field.height(), options.scale, "given");
    const ImageView& seen = light_field.views[index_of_reference(light_field, reference)].image;
    const int step = disparity.width == light_field.width() ? 1 : options.scale;
    std::vector<SolveWindow> windows;
    for (const Box& box : blur_windows(luma(seen))) {
        LightField part;
        part.grid = light_field.grid;
        part.clipped = light_field.clipped;
        for (const PlacedView& view : light_field.views)
            part.views.push_back({view.position, luma(crop(view.image, box))});
        const Image map =
            crop(disparity, {box.x0 * step, box.y0 * step, box.width * step, box.height * step});
        windows.push_back([&engines, reference, part = std::move(part), map](
                              const ReconstructOptions& o, const Progress& tell) {
            return reconstruct_view(engines, part, reference, map, o, tell, nullptr).image;
        });
    }
    return estimate_blur(windows, options, progress);
}

double lambda_factor_of(const BlurEstimate& found, int scale) {
    const auto energy = [&](const BlurSpec& blur) { return blur_energy(make_psf(blur, scale)); };
    return std::max(1.0, std::sqrt(energy(BlurSpec()) / energy(found.blur)));
}

std::string blur_note(const BlurEstimate& found) {
    if (found.most == 0)
        return fmt::format(
            "the pictures do not tell the width of the blur; {} was assumed, and --blur sets it",
            found.blur.text);
    return fmt::format(
        "the blur was estimated from the pictures: --blur {}, {:.2f} pixels of the result wide "
        "(standard deviation); up to {:.2f} would explain the pictures about as well",
        found.blur.text, found.sigma, found.most);
}

}  // namespace plenosr
