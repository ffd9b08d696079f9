#include "estimate_blur.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "auto_parameters.h"
#include "base/cancelled.h"
#include "noise/lambda_parameters.h"
#include "noise/single_view_noise.h"
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
constexpr double least_significant_fall = 0.01;  // below it, the widths cannot be distinguished
constexpr double least_lens = 0.3;  // high-resolution pixels: a sharper lens is not resolved
// Width of the sharpest edges in pictures without blur, in pixels of the result: rendered edges are
// smoothed over about a pixel, and those of photos are not sharper. With 0.3 the bound is 2 to 5 %
// wider. Chosen on boardgames, cotton, dishes and the random scenes 1 to 6.
constexpr double sharp_edge_width = 0.4;
// In units of the default. If even the sharpest edges are wider, the scene is taken to be soft.
constexpr double widest_alone = 2.6;
constexpr std::size_t views_max = 25;  // whose samples describe an edge
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
        if (fall < least_significant_fall)
            return {{fmt::format("gaussian:{:.3f}", unit_)}, unit_, 0, 0, 0};
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
        return {blur_of_width(width, scale_), width, width, width_of(wide), 0};
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

// The views whose samples describe an edge: those nearest to the reference.
std::vector<std::size_t> nearest_views(const LightFieldView& light_field, ViewPosition reference) {
    std::vector<std::size_t> order(light_field.views.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto distance = [&](std::size_t i) {
        const ViewPosition p = light_field.views[i].position;
        return std::hypot(p.row - reference.row, p.col - reference.col);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    order.resize(std::min(order.size(), views_max));
    return order;
}

// Disparities of the surfaces that a pixel of the views may belong to.
std::vector<double> disparities_near(const Image& map, int step, int x, int y) {
    constexpr double one_surface = 0.1;  // pixels per step
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (int j = y - 1; j <= y + 1; ++j)
        for (int i = x - 1; i <= x + 1; ++i) {
            const double d = double(map.at(j * step, i * step)) / step;
            least = std::min(least, d);
            most = std::max(most, d);
        }
    if (most - least < one_surface) return {double(map.at(y * step, x * step)) / step};
    return {least, most};
}

std::optional<double> sharpest_edges_of(const LightFieldView& light_field, ViewPosition reference,
                                        const Image& disparity, int step) {
    const std::vector<std::size_t> nearest = nearest_views(light_field, reference);
    std::vector<View> views;
    views.reserve(nearest.size());
    for (const std::size_t i : nearest)
        views.push_back({light_field.views[i].position, luma(light_field.views[i].image)});
    const auto samples = [&](int x, int y, double radius) {
        std::vector<std::vector<EdgeSample>> sets;
        for (const double d : disparities_near(disparity, step, x, y)) {
            std::vector<EdgeSample>& set = sets.emplace_back();
            for (const View& view : views) {
                const Place parallax{view.position.col - reference.col,
                                     view.position.row - reference.row};
                const Place moved{parallax.x * d, parallax.y * d};
                add_samples(
                    view.image, {x - moved.x, y - moved.y}, {double(x), double(y)}, radius,
                    parallax,
                    [&](Place p) {
                        return Place{p.x + moved.x, p.y + moved.y};
                    },
                    set);
            }
        }
        return sets;
    };
    const Image& seen = views.front().image;  // the reference is the nearest view
    return sharpest_edges(seen, single_view_noise(seen, value_limits(light_field)).sigma, samples);
}

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

BlurEstimate bounded_by_edges(BlurEstimate found, double edges, int scale) {
    const double width = edges * scale;
    const double bound =
        std::sqrt(std::max(0.0, width * width - sharp_edge_width * sharp_edge_width));
    // A width below the default comes from sparsity alone.
    const double least = default_sigma(scale);
    found.edges = std::max(bound, least);
    if (found.most == 0 && found.edges > least && found.edges < widest_alone * least) {
        found.edges_alone = true;
        found.sigma = std::sqrt(least * found.edges);
        found.blur = blur_of_width(found.sigma, scale);
        found.least = least;
        found.most = found.edges;
        return found;
    }
    if (found.most == 0 || found.sigma <= found.edges) return found;
    found.blur = blur_of_width(found.edges, scale);
    found.sigma = found.edges;
    found.least = std::min(found.least, found.edges);
    found.most = std::clamp(width, found.edges, found.most);
    return found;
}

BlurEstimate without_edges(BlurEstimate found, int scale) {
    const double least = default_sigma(scale);
    if (found.most == 0 || found.sigma <= least) return found;
    found.sigma = std::sqrt(least * found.sigma);
    found.blur = blur_of_width(found.sigma, scale);
    found.least = least;
    return found;
}

BlurEstimate estimate_blur(const std::vector<SolveWindow>& windows, std::optional<double> edges,
                           const ReconstructOptions& options, const Progress& progress) {
    ReconstructOptions o = options;
    o.denoiser = Denoiser::none;
    o.denoiser_function = {};
    o.colour = Colour::luma;
    o.weights = false;
    o.self_check = false;
    o.keep_iterations = 0;
    o.memory_limit = 0;  // windows are small
    o.iterations.reset();
    o.tolerance.reset();
    const double most = double(widths.size() * windows.size());  // the search may need fewer
    int done = 0;
    const auto sparsity = [&](double sigma) {
        o.blur.text = fmt::format("gaussian:{}", sigma);
        Gradients gradients;
        for (const SolveWindow& solve : windows) {
            const Progress within = [&](const ProgressEvent&) {
                return report(progress, {"finding the blur", 0, 1, 0, done / most});
            };
            if (!within({})) throw Cancelled();
            gradients.add(solve(o, within));
            ++done;
        }
        return gradients.sparsity();
    };
    const BlurEstimate found = Search(sparsity, o.scale).run();
    if (!report(progress, {"finding the blur", 1, 1, 0})) throw Cancelled();
    return edges ? bounded_by_edges(found, *edges, o.scale) : without_edges(found, o.scale);
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
                              const ReconstructOptions& o, const Progress& within) {
            // The search is calibrated for lambda without that factor.
            EarlierResults known;
            known.lambda_factor =
                1 / blur_factor_of_lambda(psf_for(o, part.width(), part.height()), o.scale);
            return reconstruct_view(engines, part, reference, map, o, within, nullptr, known).image;
        });
    }
    std::optional<double> edges;
    tbb::task_arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic)
        .execute([&] { edges = sharpest_edges_of(light_field, reference, disparity, step); });
    return estimate_blur(windows, edges, options, progress);
}

double lambda_factor_of(const BlurEstimate& found, int scale) {
    const auto energy = [&](const BlurSpec& blur) { return blur_energy(make_psf(blur, scale)); };
    const double ratio = energy(BlurSpec()) / energy(found.blur);
    return std::max(1.0, std::sqrt(ratio) / lambda_rule::largest_blur_factor);
}

std::string blur_note(const BlurEstimate& found) {
    if (found.most == 0)
        return fmt::format(
            "the pictures do not show the width of the blur; {} was assumed, and --blur sets it",
            found.blur.text);
    return fmt::format(
        "the blur was estimated from the pictures: --blur {}, {:.2f} pixels of the result wide "
        "(standard deviation){}; up to {:.2f} would explain the pictures about as well",
        found.blur.text, found.sigma,
        found.edges_alone            ? ", halfway from the default to what the sharpest edges allow"
        : found.edges == 0           ? ", halfway to the default, since no sharp edges confirm it"
        : found.sigma >= found.edges ? ", as wide as the sharpest edges allow"
                                     : "",
        found.most);
}

}  // namespace plenosr
