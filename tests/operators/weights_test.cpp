#include "backends/cpu/weights.h"

#include <gtest/gtest.h>

#include <numeric>

#include "cases/random_values.h"
#include "problem/geometry.h"
#include "problem/mean_weight.h"
#include "problem/planar_layout.h"

namespace plenosr::cpu {
namespace {

constexpr int width = 33;
constexpr int height = 20;

std::vector<float> weights_of(const Image& x, const WeightsDesc& desc) {
    Parallel parallel(2);
    Weights weights(desc, {}, x.width, x.height, x.channels);
    std::vector<float> e(x.pixels());
    weights.compute(to_planes(x).data(), e.data(), parallel);
    return e;
}

WeightsDesc adaptive() {
    WeightsDesc desc;
    desc.adaptive = true;
    return desc;
}

double mean(const std::vector<float>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0) / double(v.size());
}

// Dark on the left, bright on the right.
Image edge() {
    Image x(width, height);
    for (int y = 0; y < height; ++y)
        for (int c = 0; c < width; ++c)
            x.at(y, c) = c < 16 ? 20.0F : 220.0F;
    return x;
}

TEST(Weights, HaveMeanOneOnThePilotAndKeepTheFloor) {
    test::RandomValues random(1);
    const Image pilot = random.image(width, height);
    const Image disparity = random.image(width, height, 1, -0.2F, 0.2F);
    const Image spread = random.image(width, height, 1, 0.0F, 60.0F);
    for (const double noise : {1.0, 20.0}) {
        WeightsDesc desc = adaptive();
        MeanWeight weight({true, true, desc.floor, desc.gradient});
        weight.add(pilot, disparity, spread, {0, 0, width, height});
        desc.mean = weight.mean(noise);
        desc.occlusion = occlusion_weight(disparity, spread, noise);
        EXPECT_NEAR(mean(weights_of(pilot, desc)), 1.0, 1e-4);
    }
    const auto e = weights_of(pilot, adaptive());
    // e = (f + (1 - f) w) / mean with w in [0, 1]: the smallest is at least f of the largest
    const auto [least, most] = std::minmax_element(e.begin(), e.end());
    EXPECT_GE(*least, WeightsDesc{}.floor * *most - 1e-6F);
}

TEST(Weights, MeanOverTilesIsThatOfTheImage) {
    test::RandomValues random(4);
    const Image pilot = random.image(width, height);
    const Image disparity = random.image(width, height, 1, -0.2F, 0.2F);
    const Image spread = random.image(width, height, 1, 0.0F, 60.0F);
    MeanWeight whole(prior_weights(Prior::weighted));
    MeanWeight left(prior_weights(Prior::weighted));
    MeanWeight right(prior_weights(Prior::weighted));
    whole.add(pilot, disparity, spread, {0, 0, width, height});
    left.add(pilot, disparity, spread, {0, 0, 14, height});
    right.add(pilot, disparity, spread, {14, 0, width - 14, height});
    left.add(right);
    EXPECT_NEAR(left.mean(5.0), whole.mean(5.0), 1e-6F);
}

TEST(Weights, AreSmallAtEdgesAndEqualTheFloorAtStrongOnes) {
    const auto e = weights_of(edge(), adaptive());
    const Image at(width, height);
    for (int y = 0; y < height; ++y) {
        const float on_edge = e[at.index(y, 15)];
        const float away = e[at.index(y, 4)];
        EXPECT_LT(on_edge, 1.1F * WeightsDesc{}.floor * away);
        EXPECT_NEAR(on_edge / away, WeightsDesc{}.floor, 2e-3F);
    }
}

TEST(Weights, AreOneOnConstantImages) {
    for (const float e : weights_of(Image(width, height, 1, 77.0F), adaptive()))
        ASSERT_NEAR(e, 1.0F, 1e-5F);
}

TEST(Weights, AreOneIfNotAdaptive) {
    for (const float e : weights_of(edge(), WeightsDesc{}))
        ASSERT_EQ(e, 1.0F);
}

TEST(Weights, OcclusionMultipliesTheEdgeWeight) {
    WeightsDesc desc = adaptive();
    desc.occlusion.assign(std::size_t(width * height), 1.0F);
    EXPECT_EQ(weights_of(edge(), desc), weights_of(edge(), adaptive()));
    // On a constant image e is proportional to f + (1 - f) w_o.
    for (std::size_t i = 0; i < desc.occlusion.size(); ++i)
        desc.occlusion[i] = float(i % 5) / 4.0F;
    const auto e = weights_of(Image(width, height, 1, 50.0F), desc);
    for (std::size_t i = 0; i < e.size(); ++i)
        ASSERT_NEAR(e[i] / e[4], desc.floor + (1 - desc.floor) * desc.occlusion[i], 1e-5F);
}

TEST(Weights, OfThreeChannelsAreThoseOfLuma) {
    test::RandomValues random(2);
    const Image rgb = random.image(width, height, 3, 90.0F, 120.0F);
    const auto e = weights_of(rgb, adaptive());
    const auto expected = weights_of(luma(rgb), adaptive());
    for (std::size_t i = 0; i < e.size(); ++i)
        ASSERT_NEAR(e[i], expected[i], 1e-4F);
}

TEST(Weights, ThreadsChangeNoBit) {
    test::RandomValues random(3);
    const Image x = random.image(width, 100);
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 7}) {
        Parallel parallel(threads);
        Weights weights(adaptive(), {}, x.width, x.height, 1);
        std::vector<float> e(x.pixels());
        weights.compute(x.values.data(), e.data(), parallel);
        results.push_back(e);
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace plenosr::cpu
