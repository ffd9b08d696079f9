#include "noise/sample_trust.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/random_values.h"
#include "light_field/interpolate.h"
#include "light_field/smooth.h"
#include "noise/view_correction.h"

namespace plenosr {
namespace {

constexpr int width = 112;  // high resolution
constexpr int height = 64;
constexpr int scale = 2;
constexpr int overlap = 24;  // more than three sigma of the local means
constexpr int misfit_width = 32;

struct Scene {
    Image before;
    Problem problem;  // the first observation is the reference
};

// Views of `before` with the given corrections; noise of one grey level is added, and the samples
// of the left part contradict each other by `misfit` grey levels.
Scene views_of(const std::vector<ViewCorrection>& faults, float noise, float misfit) {
    test::RandomValues random(5);
    Scene scene;
    scene.before = smoothed(random.image(width, height, 1, -400.0F, 650.0F), 2);
    Problem& p = scene.problem;
    p.width = width;
    p.height = height;
    p.scale = scale;
    p.psf = make_psf_grid({"gaussian"}, scale, width, height);
    const Image blurred = blurred_mean(scene.before, p.psf);
    for (std::size_t k = 0; k < faults.size(); ++k) {
        Observation o;
        o.u = k == 0 ? 0 : double(k % 3) - 1;
        o.v = k == 0 ? 0 : double(k / 3) - 1;
        if (k == 4) o.u = 2;
        o.disparity = random.image(width / scale, height / scale, 1, -1.5F, 1.5F);
        o.weight = random.image(width / scale, height / scale, 1, 0.5F, 1.0F);
        o.values = random.image(width / scale, height / scale, 1, -1.0F, 1.0F);
        const ViewCorrection& c = faults[k];
        for (int i = 0; i < o.values.height; ++i)
            for (int j = 0; j < o.values.width; ++j) {
                const Place at = o.place(scale, i, j);
                const double d = double(o.disparity.at(i, j));
                if (at.x < 0 || at.y < 0 || at.x > width - 1 || at.y > height - 1)
                    o.weight.at(i, j) = 0;
                const float error =
                    (at.x < misfit_width && k > 0 ? misfit : noise) * o.values.at(i, j);
                o.values.at(i, j) =
                    error + float(c.offset +
                                  (1 + c.gain) * double(bicubic_at(blurred, at.x + c.dx + d * c.du,
                                                                   at.y + c.dy + d * c.dv, 0)));
            }
        p.observations.push_back(o);
    }
    return scene;
}

constexpr Box everywhere{-1000, -1000, 3000, 3000};

TEST(CorrectionFit, FindsExposureShiftAndStepOfEachView) {
    std::vector<ViewCorrection> faults(9);
    for (std::size_t k = 1; k < faults.size(); ++k) {
        const double sign = k % 2 == 0 ? 1 : -1;
        faults[k] = {3 * sign,    0.01 * double(k) * sign, 0.02 * double(k), -0.08 * sign,
                     0.03 * sign, -0.006 * double(k)};
    }
    Scene scene = views_of(faults, 0.5F, 0.5F);
    CorrectionFit fit(faults.size());
    fit.add(scene.problem, scene.before, everywhere, ValueLimits::nowhere(), 1);
    const auto found = fit.corrections();
    ASSERT_EQ(found.size(), faults.size());
    for (std::size_t k = 0; k < faults.size(); ++k) {
        EXPECT_NEAR(found[k].offset + 127.5 * found[k].gain,
                    faults[k].offset + 127.5 * faults[k].gain, 0.1);
        EXPECT_NEAR(found[k].gain, faults[k].gain, 0.003);
        EXPECT_NEAR(found[k].dx, faults[k].dx, 0.012);
        EXPECT_NEAR(found[k].dy, faults[k].dy, 0.012);
        EXPECT_NEAR(found[k].du, faults[k].du, 0.012);
        EXPECT_NEAR(found[k].dv, faults[k].dv, 0.012);
    }

    // The corrected views fit: what is left is their noise, which is harmless.
    const auto contradiction = [&] {
        const TrustResiduals residuals(scene.problem, scene.before, ValueLimits::nowhere());
        return residuals.counts(scene.problem, everywhere).scale().others;
    };
    EXPECT_GT(contradiction(), 4);
    correct_views(scene.problem, found, ValueLimits::nowhere());
    EXPECT_NEAR(contradiction(), 0.7 * 0.7, 1e-9);
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
        for_each_sample(tile, o, [&](int i, int j, const Place& p) {
            if (p.x < 0 || p.y < 0 || p.x > box.width - 1 || p.y > box.height - 1)
                o.weight.at(i, j) = 0;
        });
    }
    return tile;
}

struct TileBoxes {
    Box box, core;  // the core in the tile's coordinates
};
constexpr int middle = width / 2;
const TileBoxes tiles[] = {
    {{0, 0, middle + overlap, height}, {-1000, -1000, middle + 1000, 3000}},
    {{middle - overlap, 0, middle + overlap, height}, {overlap, -1000, 3000, 3000}}};

TEST(SampleTrust, FallsWhereViewsContradictEachOtherAndIsTheSameInTiles) {
    const Scene scene = views_of(std::vector<ViewCorrection>(9), 1.0F, 12.0F);
    const ValueLimits limits = ValueLimits::nowhere();
    const TrustResiduals residuals(scene.problem, scene.before, limits);
    const TrustScale scale_of_image = residuals.counts(scene.problem, everywhere).scale();
    Problem whole = scene.problem;
    weight_by_trust(whole, residuals, scale_of_image, 1, 0.01, 1);

    TrustResiduals::Counts sum;
    for (const auto& [box, core] : tiles) {
        const Problem tile = tile_of(scene.problem, box);
        const TrustResiduals of_tile(tile, crop(scene.before, box), limits);
        sum.add(of_tile.counts(tile, core));
    }
    EXPECT_NEAR(sum.scale().others, scale_of_image.others, 1e-3 * scale_of_image.others);

    double least = 1e9;
    double most = 0;
    for (const auto& [box, core] : tiles) {
        Problem tile = tile_of(scene.problem, box);
        const TrustResiduals of_tile(tile, crop(scene.before, box), limits);
        weight_by_trust(tile, of_tile, scale_of_image, 1, 0.01, 1);
        for (std::size_t k = 0; k < tile.observations.size(); ++k)
            for_each_sample(tile, tile.observations[k], [&](int i, int j, const Place& at) {
                if (!is_in(core, at)) return;
                const double expected = double(whole.observations[k].weight.at(i, j));
                EXPECT_NEAR(double(tile.observations[k].weight.at(i, j)), expected,
                            2e-3 * expected);
                const double trust =
                    expected / double(scene.problem.observations[k].weight.at(i, j));
                if (k > 0 && at.x + box.x0 < misfit_width - 12) least = std::min(least, trust);
                if (k > 0 && at.x + box.x0 > misfit_width + 12) most = std::max(most, trust);
                if (k > 0 && at.x + box.x0 < misfit_width - 12) {
                    EXPECT_LT(trust, 0.1);
                }
                if (k > 0 && at.x + box.x0 > misfit_width + 12) {
                    EXPECT_GT(trust, 0.5);
                }
            });
    }
    EXPECT_GT(most, 50 * least);

    // Where the prior would pull edges by a grey level and more, no weight falls by much unless the
    // contradiction shows: 12 grey levels do, in the mean 6.9.
    Problem sharp = scene.problem;
    weight_by_trust(sharp, residuals, scale_of_image, 1, 1.5, 1);
    for (std::size_t k = 0; k < sharp.observations.size(); ++k)
        for_each_sample(sharp, sharp.observations[k], [&](int i, int j, const Place&) {
            EXPECT_GE(sharp.observations[k].weight.at(i, j),
                      0.4F * scene.problem.observations[k].weight.at(i, j));
        });
}

}  // namespace
}  // namespace plenosr
