#include <gtest/gtest.h>

#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cases/refusal.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

struct Pair {
    Image estimate, truth;
};

Pair rough_pair(int width, int height, int channels) {
    Pair pair{Image(width, height, channels), Image(width, height, channels)};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) {
                const int a = (3 * x * x + 7 * y + x * y + 50 * c) % 256;
                const int b = std::clamp(a + (5 * x + 11 * y + 3 * c) % 23 - 11, 0, 255);
                pair.truth.at(y, x, c) = float(a);
                pair.estimate.at(y, x, c) = float(b);
            }
    return pair;
}

Pair stepped_pair() {
    Pair pair{Image(50, 40), Image(50, 40)};
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 50; ++x) {
            pair.truth.at(y, x) = std::min(255.0F, float(x * x) / 8 + float(y));
            pair.estimate.at(y, x) = 16 * std::floor(pair.truth.at(y, x) / 16);
        }
    return pair;
}

void expect_refused(const Image& a, const Image& b, const QualityOptions& options = {},
                    ErrorKind kind = ErrorKind::input) {
    test::refusal_of(kind, [&] { compare(a, b, options); });
}

TEST(Compare, EqualImagesHaveInfinitePsnrAndUnitSsim) {
    const Pair pair = rough_pair(40, 30, 3);
    const Quality quality = compare(pair.truth, pair.truth);
    EXPECT_EQ(quality.mse, 0);
    EXPECT_TRUE(std::isinf(quality.psnr) && quality.psnr > 0);
    EXPECT_NEAR(quality.ssim, 1, 1e-12);
}

TEST(Compare, PsnrFollowsTheMeanSquaredError) {
    const Quality quality = compare(Image(20, 15, 1, 110), Image(20, 15, 1, 100));
    EXPECT_DOUBLE_EQ(quality.mse, 100);
    EXPECT_NEAR(quality.psnr, 10 * std::log10(255.0 * 255.0 / 100), 1e-12);
}

TEST(Compare, SsimOfTwoConstantsIsTheLuminanceTerm) {
    const double c1 = 2.55 * 2.55;
    const Quality quality = compare(Image(20, 15, 1, 110), Image(20, 15, 1, 100));
    EXPECT_NEAR(quality.ssim, (2 * 110 * 100.0 + c1) / (110 * 110.0 + 100 * 100.0 + c1), 1e-12);
}

// The expected values below are from scikit-image 0.26: structural_similarity(data_range=255,
// gaussian_weights=True, sigma=1.5, use_sample_covariance=False).
TEST(Compare, AgreesWithScikitImageOnAGreyPair) {
    const Pair pair = rough_pair(37, 29, 1);
    const Quality quality = compare(pair.estimate, pair.truth);
    EXPECT_NEAR(quality.mse, 42.50419384902143, 1e-9);
    EXPECT_NEAR(quality.ssim, 0.9960596635191323, 1e-10);
}

TEST(Compare, AgreesWithScikitImageOnASmoothPair) {
    const Pair pair = stepped_pair();
    const Quality quality = compare(pair.estimate, pair.truth);
    EXPECT_NEAR(quality.mse, 97.730015625, 1e-9);
    EXPECT_NEAR(quality.ssim, 0.8787280049339161, 1e-10);
}

// The expected SSIM is that of scikit-image's structural_similarity(data_range=2,
// gaussian_weights=True) on Y / 255; data_range=2 was its default for floats.
TEST(CompareBasicLfsr, UsesTheStudioRangeAndTheSsimOfFloats) {
    const double range = 20 * std::log10(255.0 / 219.0);
    const Pair rough = rough_pair(37, 29, 1);
    EXPECT_NEAR(compare_basiclfsr(rough.estimate, rough.truth).psnr,
                compare(rough.estimate, rough.truth).psnr + range, 1e-5);
    EXPECT_NEAR(compare_basiclfsr(rough.estimate, rough.truth).ssim, 0.9961526510762129, 1e-6);
    const Pair stepped = stepped_pair();
    EXPECT_NEAR(compare_basiclfsr(stepped.estimate, stepped.truth).psnr, 29.552445238506152, 1e-5);
    EXPECT_NEAR(compare_basiclfsr(stepped.estimate, stepped.truth).ssim, 0.9524004804225377, 1e-6);
    test::refusal_of(ErrorKind::input, [] { compare_basiclfsr(Image(20, 15), Image(20, 16)); });
}

TEST(Compare, BorderIsCutOffBeforeComparing) {
    Pair pair = rough_pair(37, 29, 1);
    pair.estimate.at(3, 20) = 255 - pair.truth.at(3, 20);
    const Quality quality = compare(pair.estimate, pair.truth, {4, false});
    EXPECT_NEAR(quality.mse, 42.91133004926108, 1e-9);
    EXPECT_NEAR(quality.ssim, 0.9960710894806015, 1e-10);
}

TEST(Compare, AllChannelsAreAveraged) {
    const Pair pair = rough_pair(64, 48, 3);
    const Quality quality = compare(pair.estimate, pair.truth, {0, true});
    EXPECT_NEAR(quality.mse, 42.952365451388886, 1e-9);
    EXPECT_NEAR(quality.ssim, 0.9960163032526212, 1e-10);
}

TEST(Compare, ColourIsComparedByItsLuma) {
    const Pair pair = rough_pair(64, 48, 3);
    const Quality quality = compare(pair.estimate, pair.truth);
    EXPECT_NEAR(quality.mse, 25.374586756835935, 1e-3);  // luma is rounded to float
    EXPECT_NEAR(quality.ssim, 0.9947344015376107, 1e-6);
    EXPECT_EQ(compare(pair.estimate, luma(pair.truth)).mse, quality.mse);
}

TEST(Compare, BothSidesAreClippedUnlessTheTruthExceedsTheRange) {
    Image estimate(12, 12, 1, 300);
    estimate.at(0, 0) = -40;
    Image truth(12, 12, 1, 255);
    truth.at(0, 0) = 0;
    EXPECT_EQ(compare(estimate, truth).mse, 0);
    EXPECT_GT(compare(truth, estimate).mse, 0);
    // An HDR picture equals itself, and differs from its clipped version at both limits.
    EXPECT_EQ(compare(estimate, estimate).mse, 0);
    EXPECT_NEAR(compare(truth, estimate).mse, (143 * 45.0 * 45 + 40 * 40) / 144, 1e-3);
    // Rounding beyond the range does not make a picture HDR.
    truth.at(3, 3) = 255.25F;
    EXPECT_EQ(compare(estimate, truth).mse, 0);
    EXPECT_EQ(compare(truth, truth).mse, 0);
}

TEST(Compare, ResultDoesNotDependOnTheThreads) {
    const Pair pair = rough_pair(301, 203, 3);
    const Quality many = compare(pair.estimate, pair.truth, {0, true});
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const Quality alone = compare(pair.estimate, pair.truth, {0, true});
    EXPECT_EQ(many.mse, alone.mse);
    EXPECT_EQ(many.ssim, alone.ssim);
}

TEST(Compare, SmallestImageHasTheSizeOfTheWindow) {
    const Pair pair = rough_pair(11, 11, 1);
    EXPECT_LT(compare(pair.estimate, pair.truth).ssim, 1);
    expect_refused(Image(10, 11), Image(10, 11));
    expect_refused(Image(20, 20), Image(20, 20), {5, false});
    expect_refused(Image(), Image());
}

TEST(Compare, RefusesInvalidArguments) {
    expect_refused(Image(20, 20), Image(20, 21));
    expect_refused(Image(20, 20, 3), Image(20, 20, 1), {0, true});
    expect_refused(Image(20, 20), Image(20, 20), {-1, false}, ErrorKind::invalid_option);
    expect_refused(Image(20, 20), Image(20, 20), {2000000000, false});
}

TEST(Compare, ValuesThatAreNotFiniteAreRefused) {
    const Image good(16, 16, 1, 10.0F);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        Image other = good;
        other.at(3, 4) = bad;
        EXPECT_THROW(compare(good, other), Error);
        EXPECT_THROW(compare(other, good), Error);
    }
}

TEST(CompareDisparity, HasTheMeasuresOfTheBenchmark) {
    const Image truth(40, 40, 1, 1.0F);
    Image estimate = truth;
    for (int x = 0; x < 40; ++x)
        estimate.at(3, x) = 9;  // in the border
    for (int x = 15; x < 20; ++x) {
        estimate.at(15, x) = 1.05F;
        estimate.at(16, x) = 0.5F;
    }
    const DisparityQuality q = compare_disparity(estimate, truth);
    EXPECT_EQ(q.pixels, 100U);
    EXPECT_NEAR(q.bad_pixels[0], 10, 1e-9);
    EXPECT_NEAR(q.bad_pixels[1], 10, 1e-9);
    EXPECT_NEAR(q.bad_pixels[2], 5, 1e-9);
    EXPECT_NEAR(q.bad_pixels[3], 5, 1e-9);
    EXPECT_NEAR(q.mse100, 100 * (5 * 0.05 * 0.05 + 5 * 0.25) / 100, 1e-5);
    EXPECT_EQ(q.q25, 0);
    Image mask(40, 40, 1, 255.0F);
    for (int x = 0; x < 40; ++x)
        mask.at(16, x) = 0;
    EXPECT_NEAR(compare_disparity(estimate, truth, 15, &mask).bad_pixels[3], 0, 1e-9);
}

TEST(CompareDisparity, RefusesInvalidArguments) {
    const Image map(40, 40, 1, 1.0F);
    Image hole = map;
    hole.at(20, 20) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(compare_disparity(map, Image(40, 39)), Error);
    EXPECT_THROW(compare_disparity(map, Image(40, 40, 3)), Error);
    EXPECT_THROW(compare_disparity(hole, map), Error);
    EXPECT_THROW(compare_disparity(map, map, 20), Error);
    EXPECT_THROW(compare_disparity(map, map, -1), Error);
    const Image nothing(40, 40);
    EXPECT_THROW(compare_disparity(map, map, 15, &nothing), Error);
}

}  // namespace
}  // namespace plenosr
