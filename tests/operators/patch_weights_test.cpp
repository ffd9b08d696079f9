// Weights for each direction from patches (problem/prior.h).
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/weights.h"
#include "cases/random_values.h"
#include "problem/mean_weight.h"

namespace plenosr::cpu {
namespace {

constexpr int width = 31;
constexpr int height = 22;
constexpr std::size_t plane = std::size_t(width) * std::size_t(height);

WeightsDesc desc_of(Prior prior) {
    const PriorWeights w = prior_weights(prior);
    return {w.adaptive, w.floor, w.gradient, {}, 1.0F, w.patch};
}

std::vector<float> weights_of(const Image& x, const WeightsDesc& desc,
                              const std::vector<Direction>& directions, int threads = 2) {
    Parallel parallel(threads);
    Weights weights(desc, directions, x.width, x.height, 1);
    std::vector<float> e(directions.size() * x.pixels());
    weights.compute(x.values.data(), e.data(), parallel);
    return e;
}

class PatchWeights : public testing::TestWithParam<Prior> {
protected:
    std::vector<Direction> directions = prior_directions(GetParam(), 2);
    WeightsDesc desc = desc_of(GetParam());
};

TEST_P(PatchWeights, AreOneOnConstantImages) {
    for (const float e : weights_of(Image(width, height, 1, 77.0F), desc, directions))
        ASSERT_NEAR(e, 1.0F, 1e-5F);
}

TEST_P(PatchWeights, AreSmallAcrossAnEdgeAndOneAlongIt) {
    Image x(width, height);
    for (int y = 0; y < height; ++y)
        for (int c = 0; c < width; ++c)
            x.at(y, c) = c < 15 ? 20.0F : 220.0F;
    const auto e = weights_of(x, desc, directions);
    for (std::size_t i = 0; i < directions.size(); ++i) {
        const float on_edge = e[i * plane + x.index(10, 14)];
        if (directions[i].dx == 0) {
            EXPECT_NEAR(on_edge, 1.0F, 1e-4F);
        } else if (directions[i].dx > 0) {
            EXPECT_NEAR(on_edge, desc.floor, 1e-3F);
        }
        EXPECT_NEAR(e[i * plane + x.index(10, 3)], 1.0F, 1e-4F) << "away from it";
    }
}

// The formula, pixel by pixel in double precision, inside the image.
TEST_P(PatchWeights, AreTheFormula) {
    test::RandomValues random(5);
    Image x = random.image(width, height, 1, 100.0F, 130.0F);
    const auto e = weights_of(x, desc, directions);
    const Psf psf = gaussian_psf(1.0);
    const int k = psf.kernel.width / 2;
    const auto g = [&](int y, int c) {
        double sum = 0;
        for (int dy = -k; dy <= k; ++dy)
            for (int dx = -k; dx <= k; ++dx)
                sum += double(psf.kernel.at(dy + k, dx + k)) * double(x.at(y - dy, c - dx));
        return sum;
    };
    const PatchDesc& patch = *desc.patch;
    for (std::size_t i = 0; i < directions.size(); ++i)
        for (const auto& [y, c] : {std::pair{9, 12}, {11, 17}}) {
            double sum = 0;
            double total = 0;
            for (int qy = -patch.radius; qy <= patch.radius; ++qy)
                for (int qx = -patch.radius; qx <= patch.radius; ++qx) {
                    const double here = g(y + qy, c + qx);
                    const double side = here - g(y, c);
                    const double range = double(patch.range);
                    const double b =
                        range > 0
                            ? std::exp(-(qx * qx + qy * qy) / 2.0 - side * side / (range * range))
                            : 1.0;
                    const double step =
                        g(y + qy + directions[i].dy, c + qx + directions[i].dx) - here;
                    sum += b * step * step;
                    total += b;
                }
            const double f = double(desc.floor);
            const double g0 = double(desc.gradient);
            const double expected = f + (1 - f) * std::exp(-sum / total / (g0 * g0));
            EXPECT_NEAR(double(e[i * plane + x.index(y, c)]), expected, 1e-4);
        }
}

TEST_P(PatchWeights, ThreadsChangeNoBit) {
    test::RandomValues random(3);
    const Image x = random.image(width, 70);
    const auto one = weights_of(x, desc, directions, 1);
    EXPECT_EQ(one, weights_of(x, desc, directions, 2));
    EXPECT_EQ(one, weights_of(x, desc, directions, 7));
}

TEST_P(PatchWeights, MeanDoesNotDependOnTheTiles) {
    test::RandomValues random(4);
    const Image pilot = random.image(width, height);
    const Image none(width, height);
    MeanWeight whole(prior_weights(GetParam()), directions);
    MeanWeight left = whole;
    MeanWeight right = whole;
    whole.add(pilot, none, none, {0, 0, width, height});
    left.add(pilot, none, none, {0, 0, 14, height});
    right.add(pilot, none, none, {14, 0, width - 14, height});
    left.add(right);
    EXPECT_NEAR(left.mean(5.0), whole.mean(5.0), 1e-6F);
    const auto e = weights_of(pilot, desc, directions);
    double sum = 0;
    for (std::size_t i = 0; i < e.size(); ++i)
        sum += double(directions[i / plane].weight) * double(e[i]);
    EXPECT_NEAR(double(whole.mean(5.0)), sum / double(plane) / weight_sum(directions), 1e-4);
}

TEST_P(PatchWeights, FallWithTheBrightnessInPhotonNoise) {
    desc.noise = {10.0F, 2.0F, 1.0F};
    for (const float level : {0.0F, 96.0F, 200.0F}) {
        const auto e = weights_of(Image(width, height, 1, level), desc, directions);
        EXPECT_NEAR(e[5], 10.0F / std::sqrt(4.0F + level), 1e-3F);
    }
}

INSTANTIATE_TEST_SUITE_P(Priors, PatchWeights, testing::Values(Prior::nltv, Prior::bswtv));

}  // namespace
}  // namespace plenosr::cpu
