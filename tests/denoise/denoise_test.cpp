#include "denoise/denoise.h"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <cmath>

#include "cases/random_values.h"
#include "cases/scenes.h"
#include "denoise/blocks.h"

namespace plenosr {
namespace {

// Approximately normal: the sum of 12 uniform values.
std::vector<float> noisy(const std::vector<float>& clean, float sigma, std::uint64_t seed = 3) {
    test::RandomValues random(seed);
    std::vector<float> values = clean;
    for (float& v : values) {
        float sum = 0;
        for (int i = 0; i < 12; ++i)
            sum += random.next(-0.5F, 0.5F);
        v += sigma * sum;
    }
    return values;
}

double rms(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += double(a[i] - b[i]) * double(a[i] - b[i]);
    return std::sqrt(sum / double(a.size()));
}

TEST(Blocks, CosineTransformIsOrthonormalAndInvertible) {
    test::RandomValues random(1);
    const auto values = random.vector(10 * 8);
    alignas(64) float transformed[block_area];
    alignas(64) float back[block_area];
    cosine_transform(values.data(), 10, transformed);
    double energy = 0;
    double transformed_energy = 0;
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x) {
            energy += double(values[y * 10 + x]) * double(values[y * 10 + x]);
            transformed_energy += double(transformed[y * 8 + x]) * double(transformed[y * 8 + x]);
        }
    EXPECT_NEAR(transformed_energy, energy, 1e-4);
    inverse_cosine_transform(transformed, back);
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 8; ++x)
            EXPECT_NEAR(back[y * 8 + x], values[y * 10 + x], 1e-5);
}

TEST(Blocks, FiltersThatKeepEverythingChangeNothing) {
    for (const int n : {1, 2, 4, 16}) {
        test::RandomValues random{std::uint64_t(n)};
        alignas(64) float stack[most_blocks * block_area];
        alignas(64) float guide[most_blocks * block_area];
        const auto values = random.vector(std::size_t(n * block_area), 1.0F, 2.0F);
        std::copy(values.begin(), values.end(), stack);
        EXPECT_EQ(filter_by_threshold(stack, n, 0.0F), float(n * block_area));
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(stack[i], values[i], 1e-4);
        std::copy(values.begin(), values.end(), guide);
        filter_by_guide(stack, guide, n, 1e-12F);
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(stack[i], values[i], 1e-3);
    }
}

class Denoisers : public testing::TestWithParam<Denoiser> {};

TEST_P(Denoisers, RemoveNoiseFromAnImage) {
    const auto scene = test::degraded_scene({"curved", 1, 128, 96});
    const std::vector<float>& clean = scene.truth.values;
    std::vector<float> image = noisy(clean, 20);
    const double before = rms(image, clean);
    denoise(GetParam(), image, 128, 96, 20);
    EXPECT_LE(rms(image, clean), (GetParam() == Denoiser::bm3d ? 0.64 : 0.69) * before);
}

TEST_P(Denoisers, FlattenPureNoise) {
    const std::vector<float> clean(64 * 64, 100.0F);
    std::vector<float> image = noisy(clean, 10);
    denoise(GetParam(), image, 64, 64, 10);
    EXPECT_LE(rms(image, clean), GetParam() == Denoiser::bm3d ? 1.98 : 1.37);
}

TEST_P(Denoisers, TakeAnySizeAndKeepAConstant) {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {3, 5}, {7, 40}, {41, 9}, {33, 34}, {100, 8}}) {
        std::vector<float> image(std::size_t(width) * std::size_t(height), 77.0F);
        denoise(GetParam(), image, width, height, 5);
        for (const float v : image)
            ASSERT_NEAR(v, 77.0F, 2e-3F) << width << " x " << height;
        test::RandomValues random(2);
        image = random.vector(image.size(), 0.0F, 255.0F);
        denoise(GetParam(), image, width, height, 50);
        for (const float v : image)
            ASSERT_TRUE(v > -50.0F && v < 305.0F);
    }
}

TEST_P(Denoisers, ChangeNothingIfSigmaIsZero) {
    test::RandomValues random(5);
    std::vector<float> image = random.vector(40 * 40, 0.0F, 255.0F);
    const std::vector<float> before = image;
    denoise(GetParam(), image, 40, 40, 0);
    EXPECT_EQ(image, before);
}

TEST_P(Denoisers, GiveTheSameBitsForAnyNumberOfThreads) {
    test::RandomValues random(6);
    const std::vector<float> start = random.vector(150 * 131, 0.0F, 255.0F);
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 7}) {
        results.push_back(start);
        tbb::task_arena arena(threads);
        arena.execute([&] { denoise(GetParam(), results.back(), 150, 131, 30); });
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Denoisers, testing::Values(Denoiser::bm3d, Denoiser::nlm),
                         [](const auto& test) {
                             return test.param == Denoiser::bm3d ? "bm3d" : "nlm";
                         });

TEST(DenoiserStep, RaisesThePsnrInStrongNoiseAndIsChosenAutomatically) {
    test::SceneSetup setup;
    setup.scene = "staircase";
    setup.gaussian = 30;
    setup.impulse = 5;
    const auto scene = test::degraded_scene(setup);
    ReconstructOptions o;
    const ReconstructResult with = test::reconstruct_scene(scene, o);
    EXPECT_EQ(with.chosen.denoiser, Denoiser::bm3d);
    EXPECT_NE(with.message.find("2 denoiser steps"), std::string::npos) << with.message;
    o.denoiser = Denoiser::none;
    const ReconstructResult without = test::reconstruct_scene(scene, o);
    EXPECT_EQ(with.iterations.size(), without.iterations.size() + 2);
    EXPECT_GE(with.iterations.back().psnr, without.iterations.back().psnr + 0.769 - 0.2);
}

}  // namespace
}  // namespace plenosr
