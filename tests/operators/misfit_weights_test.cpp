#include "problem/misfit_weights.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/random_values.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

constexpr int width = 96;  // high resolution
constexpr int height = 40;
constexpr int scale = 2;
constexpr int overlap = 12;
constexpr int misfit_width = 36;
constexpr double sigma = 2;

// Shifted views whose left part differs from the earlier result by much more than noise: most of
// the left tile, a minority of the whole image.
struct Scene {
    Image before;
    Problem problem;
};

Scene misfit_on_the_left() {
    test::RandomValues random(5);
    Scene scene;
    scene.before = random.image(width, height, 1, 60.0F, 190.0F);
    Problem& p = scene.problem;
    p.width = width;
    p.height = height;
    p.scale = scale;
    p.psf = make_psf_grid({"gaussian"}, scale, width, height);
    for (int k = 0; k < 4; ++k) {
        Observation o;
        o.x0 = k % 2;
        o.y0 = k / 2;
        o.values = random.image(width / scale, height / scale, 1, 100.0F, 140.0F);
        o.weight = random.image(width / scale, height / scale, 1, 0.5F, 1.0F);
        const Image blurred = blur_decimate(scene.before, p.psf, 1);
        for (int i = 0; i < o.values.height; ++i)
            for (int j = 0; j < o.values.width; ++j) {
                const int x = scale * j + k % 2;
                const float misfit = x < misfit_width ? 14.0F : 1.0F;
                o.values.at(i, j) =
                    blurred.at(scale * i + k / 2, x) + misfit * (o.values.at(i, j) - 120) / 20;
            }
        p.observations.push_back(o);
    }
    return scene;
}

// The part of the problem that lies in `box`, as a tile sees it.
Problem tile_of(const Problem& whole, const Box& box) {
    Problem tile = whole;
    tile.width = box.width;
    tile.height = box.height;
    tile.psf = whole.psf.spread_over(whole.width, whole.height, box.x0, box.y0);
    for (Observation& o : tile.observations) {
        o.x0 -= box.x0;
        o.y0 -= box.y0;
        for (int i = 0; i < o.weight.height; ++i)
            for (int j = 0; j < o.weight.width; ++j) {
                const Place p = o.place(scale, i, j);
                if (p.x < 0 || p.y < 0 || p.x > box.width - 1 || p.y > box.height - 1)
                    o.weight.at(i, j) = 0;
            }
    }
    return tile;
}

struct TileBoxes {
    Box box, core;
};
constexpr int middle = width / 2;
const TileBoxes tiles[] = {
    {{0, 0, middle + overlap, height}, {0, 0, middle, height}},
    {{middle - overlap, 0, middle + overlap, height}, {middle, 0, middle, height}}};

TEST(MisfitWeights, AreTheSameInTilesAndInTheWholeImage) {
    Scene scene = misfit_on_the_left();
    const ValueLimits limits;
    const Image squares = misfit_squares(scene.problem, scene.before, sigma, limits);
    const float whole_scale = misfit_scale(squares);
    Problem whole = scene.problem;
    down_weight_misfits(whole, squares, sigma, whole_scale);

    Image gathered(width, height);
    for (const auto& [box, core] : tiles) {
        const Problem tile = tile_of(scene.problem, box);
        const Image part = misfit_squares(tile, crop(scene.before, box), sigma, limits);
        for (int y = core.y0; y < core.y1(); ++y)
            for (int x = core.x0; x < core.x1(); ++x)
                gathered.at(y, x) = part.at(y - box.y0, x - box.x0);
    }
    const float tiled_scale = misfit_scale(gathered);
    EXPECT_NEAR(double(tiled_scale), double(whole_scale), 1e-4 * double(whole_scale));

    for (const auto& [box, core] : tiles) {
        Problem tile = tile_of(scene.problem, box);
        const Image part = crop(gathered, box);
        // The median of the left tile alone would switch the rule off there.
        if (core.x0 == 0) {
            EXPECT_GT(misfit_scale(part), 20 * whole_scale);
        }
        down_weight_misfits(tile, part, sigma, tiled_scale);
        double least = 1;
        for (std::size_t k = 0; k < tile.observations.size(); ++k) {
            const Observation& o = tile.observations[k];
            for (int i = 0; i < o.weight.height; ++i)
                for (int j = 0; j < o.weight.width; ++j) {
                    if (o.weight.at(i, j) <= 0.0F) continue;
                    const double expected = double(whole.observations[k].weight.at(i, j));
                    EXPECT_NEAR(double(o.weight.at(i, j)), expected, 1e-4);
                    least = std::min(
                        least, expected / double(scene.problem.observations[k].weight.at(i, j)));
                }
        }
        if (core.x0 == 0) {
            EXPECT_LT(least, 0.9);
        }
    }
}

}  // namespace
}  // namespace plenosr
