#include "disparity/parallax_order.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "light_field/interpolate.h"
#include "plenosr/disparity.h"

namespace plenosr {
namespace {

// Chosen by reasoning: a block has one disparity, roughly, and enough texture.
constexpr int block_side = 16;      // pixels of the reduced pictures
constexpr int stride = 3;           // between the compared pixels
constexpr double truncation = 40;   // grey levels: occlusions and impulses
constexpr double fine_step = 0.25;  // pixels by which the farthest view moves: captures have
constexpr double fine_until = 4;    // parallax of half a pixel in all
constexpr double coarse_step = 0.5;
constexpr double largest_move = 0.12;    // of the pictures' longer side, of the farthest view
constexpr double least_inside = 0.5;     // share of a block's samples that lie in the pictures
constexpr double surface_gap = 0.5;      // pixels per step between two surfaces
constexpr double visible_contrast = 12;  // grey levels between two surfaces that look different

struct Blocks {
    int across;
    int down;
    int count() const { return across * down; }
    Box at(int b) const {
        return {b % across * block_side, b / across * block_side, block_side, block_side};
    }
};

Blocks blocks_of(const Image& image) {
    return {image.width / block_side, image.height / block_side};
}

// Moves of the farthest view, of both signs.
std::vector<double> moves_to_try(int side) {
    std::vector<double> moves = {0};
    for (double move = fine_step; move <= largest_move * side;
         move += move < fine_until ? fine_step : coarse_step) {
        moves.push_back(move);
        moves.push_back(-move);
    }
    return moves;
}

// Mean difference over a block; infinite if too much of it lies outside, or if it certainly exceeds
// `least`. `move(view, y, x)` is the shift of the view against the reference.
template <class Move>
double block_cost(const Image& reference, const std::vector<NumberedView>& views, const Box& block,
                  const Move& move, double least = std::numeric_limits<double>::infinity()) {
    double sum = 0;
    int inside = 0;
    int all = 0;
    constexpr int places = (block_side + stride - 1) / stride;
    const double enough = least * places * places * double(views.size());
    for (const NumberedView& view : views) {
        if (sum > enough) return std::numeric_limits<double>::infinity();
        for (int y = block.y0; y < block.y1(); y += stride)
            for (int x = block.x0; x < block.x1(); x += stride) {
                ++all;
                const auto [dx, dy] = move(view, y, x);
                const double px = x - dx;
                const double py = y - dy;
                if (!(px >= 0 && py >= 0 && px <= view.image.width - 1 &&
                      py <= view.image.height - 1))
                    continue;
                ++inside;
                sum += std::min(truncation, std::abs(double(bilinear_at(view.image, px, py)) -
                                                     double(reference.at(y, x))));
            }
    }
    return inside < least_inside * all ? std::numeric_limits<double>::infinity() : sum / inside;
}

// One row per block in which every renumbering has a cost.
template <class Cost>  // cost(block, renumbering)
BlockCosts costs_of_blocks(const Image& reference, std::size_t renumberings, const Cost& cost) {
    const Blocks blocks = blocks_of(reference);
    BlockCosts all(std::size_t(blocks.count()), std::vector<double>(renumberings));
    tbb::parallel_for(0, blocks.count(), [&](int b) {
        for (std::size_t i = 0; i < renumberings; ++i)
            all[std::size_t(b)][i] = cost(blocks.at(b), i);
    });
    std::erase_if(all, [](const auto& row) {
        return std::any_of(row.begin(), row.end(), [](double c) { return !std::isfinite(c); });
    });
    return all;
}

Image negated(Image map) {
    for (float& value : map.values)
        value = -value;
    return map;
}

}  // namespace

BlockCosts parallax_costs(const Image& reference, const std::vector<NumberedView>& views,
                          const std::vector<GridSymmetry>& renumberings) {
    double farthest = 0;  // steps
    for (const NumberedView& view : views)
        farthest = std::max({farthest, std::abs(view.u), std::abs(view.v)});
    if (farthest == 0) return {};
    const std::vector<double> moves = moves_to_try(std::max(reference.width, reference.height));
    return costs_of_blocks(reference, renumberings.size(), [&](const Box& block, std::size_t i) {
        double best = std::numeric_limits<double>::infinity();
        for (const double move : moves) {
            const double d = move / farthest;
            best = std::min(best, block_cost(
                                      reference, views, block,
                                      [&](const NumberedView& view, int, int) {
                                          const auto [u, v] = renumberings[i].of(view.u, view.v);
                                          return std::pair(u * d, v * d);
                                      },
                                      best));
        }
        return best;
    });
}

BlockCosts parallax_costs(const Image& reference, const std::vector<NumberedView>& views,
                          const std::vector<GridSymmetry>& renumberings, const Image& map) {
    return costs_of_blocks(reference, renumberings.size(), [&](const Box& block, std::size_t i) {
        return block_cost(reference, views, block, [&](const NumberedView& view, int y, int x) {
            const auto [u, v] = renumberings[i].of(view.u, view.v);
            const double d = double(map.at(y, x));
            return std::pair(u * d, v * d);
        });
    });
}

Advantage advantage(const BlockCosts& costs, std::size_t one, std::size_t other) {
    const auto count = double(costs.size());
    double sum = 0;
    double squares = 0;
    double sum_one = 0;
    double sum_other = 0;
    for (const std::vector<double>& block : costs) {
        const double difference = block[one] - block[other];
        sum += difference;
        squares += difference * difference;
        sum_one += block[one];
        sum_other += block[other];
    }
    Advantage result;
    if (count < 2) return result;
    const double mean = sum / count;
    const double variance = std::max(0.0, squares / count - mean * mean) / (count - 1);
    constexpr double least = 1e-9;
    result.significance = mean / std::sqrt(std::max(variance, least));
    result.ratio = sum_one / std::max(sum_other, least);
    return result;
}

Occlusions occlusions(const Image& reference, const std::vector<NumberedView>& views,
                      const GridSymmetry& renumbering, const Image& map) {
    std::vector<Occlusions> of_views(views.size());
    const Image opposite = negated(map);
    tbb::parallel_for(std::size_t(0), views.size(), [&](std::size_t k) {
        const auto [u, v] = renumbering.of(views[k].u, views[k].v);
        // In the splat the larger disparity wins; with the signs of d, u and v changed, all points
        // move alike and the smaller one wins.
        const ViewDisparity larger = disparity_of_view(map, u, v);
        const ViewDisparity smaller = disparity_of_view(opposite, -u, -v);
        const Image& view = views[k].image;
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x) {
                const double near = double(larger.disparity.at(y, x));
                const double far = -double(smaller.disparity.at(y, x));
                if (larger.visible.at(y, x) <= 0 || smaller.visible.at(y, x) <= 0 ||
                    near - far < surface_gap)
                    continue;
                const double a = double(bilinear_at(reference, x + u * near, y + v * near));
                const double b = double(bilinear_at(reference, x + u * far, y + v * far));
                if (std::abs(a - b) < visible_contrast) continue;
                const double seen = double(view.at(y, x));
                ++(std::abs(seen - a) < std::abs(seen - b) ? of_views[k].larger_in_front
                                                           : of_views[k].smaller_in_front);
            }
    });
    Occlusions total;
    for (const Occlusions& one : of_views) {
        total.larger_in_front += one.larger_in_front;
        total.smaller_in_front += one.smaller_in_front;
    }
    return total;
}

}  // namespace plenosr
