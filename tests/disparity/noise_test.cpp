// Noise estimates: of a single view, of frames on the high-resolution grid, and from residuals.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "cases/random_values.h"
#include "noise/fine_grid_noise.h"
#include "noise/histogram_median.h"
#include "noise/residual_noise.h"
#include "noise/single_view_noise.h"
#include "plenosr/degrade.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"
#include "plenosr/light_field.h"
#include "plenosr/noise.h"
#include "plenosr/reconstruct.h"

namespace plenosr::test {
namespace {

float normal(RandomValues& random) {
    float sum = 0;  // Irwin-Hall: variance 1
    for (int i = 0; i < 12; ++i)
        sum += random.next(-0.5F, 0.5F);
    return sum;
}

// A constant with noise.
Image flat(int width, int height, float level, float sigma, std::uint64_t seed) {
    RandomValues random(seed);
    Image image(width, height);
    for (float& v : image.values)
        v = level + sigma * normal(random);
    return image;
}

// 3 x 3 views without parallax.
LightField still_views(int size, float level, float sigma) {
    LightField field;
    field.grid = {0, 0, 3, 3};
    for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col)
            field.views.push_back({{double(row), double(col)},
                                   flat(size, size, level, sigma, std::uint64_t(3 * row + col))});
    return field;
}

TEST(SingleViewNoise, FindsGaussianNoiseAndImpulsesBesideEdgesAndTexture) {
    LightField field;
    field.grid = {0, 0, 1, 1};
    field.views.push_back({{0, 0}, Image(512, 512)});
    Image& scene = field.views[0].image;
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) {
            const bool texture = (x / 128 + y / 128) % 2 == 0;
            scene.at(y, x) = float(120 + 30 * std::sin(0.01 * x) + 20 * std::cos(0.013 * y) +
                                   (texture ? 25 * std::sin(0.8 * x + 0.9 * y) : 0.0));
        }
    for (const double sigma : {0.0, 1.0, 5.0, 20.0})
        for (const double percent : {0.0, 1.0, 5.0, 20.0}) {
            DegradeOptions degradation;
            degradation.gaussian = sigma;
            degradation.impulse = percent;
            const LightField low = degrade(field, degradation);
            const SensorNoise noise = single_view_noise(low.views[0].image, {});
            // Medians of whole grey levels: the estimates of sigma are multiples of 0.82.
            EXPECT_NEAR(noise.sigma, sigma, std::max(0.2 * std::min(sigma, 4.0), 0.075 * sigma))
                << sigma << "/" << percent;
            EXPECT_NEAR(100 * noise.impulses, percent, percent > 0 ? 0.16 : 0.0)
                << sigma << "/" << percent;
        }
}

TEST(SingleViewNoise, IsZeroForDegenerateViews) {
    for (const Image& view : {Image(1, 1, 1, 7.0F), Image(40, 40, 1, 255.0F), Image(3, 50, 3)}) {
        const SensorNoise noise = single_view_noise(view, {});
        EXPECT_EQ(noise.sigma, 0);
        EXPECT_EQ(noise.impulses, 0);
    }
}

TEST(SingleViewNoise, UsesPixelsAbove255OfHdrViews) {
    const Image view = flat(128, 128, 700, 6, 1);
    const SensorNoise noise = single_view_noise(view, value_limits(view));
    EXPECT_NEAR(noise.sigma, 6, 0.6);
    EXPECT_EQ(noise.impulses, 0);
}

TEST(SingleViewNoise, TakesNoHighlightOfHdrViewsForAnImpulse) {
    Image view = flat(128, 128, 120, 2, 2);
    RandomValues random(3);
    for (float& v : view.values)
        if (random.next(0, 1) < 0.03F) v = random.next(255, 900);
    EXPECT_EQ(single_view_noise(view, value_limits(view)).impulses, 0);
    LightField field;
    field.grid = {0, 0, 1, 1};
    field.views.push_back({{0, 0}, view});
    EXPECT_EQ(estimate_noise(field).impulses, 0);
}

TEST(FineGridNoise, IsTheNoiseOfTheFramesAlsoForHdr) {
    for (const float level : {120.0F, 900.0F}) {
        const auto shifts = grid_shifts(2);
        std::vector<Image> frames;
        std::vector<FrameMotion> motions;
        for (const Place& s : shifts) {
            frames.push_back(flat(100, 100, level, 4, frames.size()));
            motions.push_back(FrameMotion::translation(s.x, s.y));
        }
        std::vector<const Image*> pointers;
        for (const Image& frame : frames)
            pointers.push_back(&frame);
        const auto noise = fine_grid_noise(pointers, motions, 2, value_limits(frames));
        ASSERT_TRUE(noise.has_value());
        EXPECT_NEAR(*noise, 4, 0.6) << level;
    }
}

TEST(HistogramMedian, LiesWithinItsBin) {
    EXPECT_EQ(histogram_median(std::vector<double>{2, 4, 2}, 8), 1.5);
    EXPECT_EQ(histogram_median(std::vector<double>{0, 10, 0, 0}, 10), 1.5);
}

// sigma_beyond() counts residuals that were clipped as missing. It divided 0 by 0 when half of them
// or more were.
TEST(HistogramMedian, IsFiniteWhenHalfOfTheValuesAreMissing) {
    EXPECT_EQ(histogram_median(std::vector<double>{5, 5, 0, 0}, 20), 3);
    EXPECT_EQ(histogram_median(std::vector<double>{5, 5, 0, 0}, 25), 3);
    EXPECT_EQ(histogram_median(std::vector<double>{5, 4, 0, 1}, 40), 4);
}

NoiseEstimate residual_noise_of(const LightField& field, float pilot_level) {
    const int scale = 2;
    const int width = field.width() * scale;
    const int height = field.height() * scale;
    const Psf psf = make_psf(BlurSpec{}, scale);
    std::vector<Image> views;
    for (const View& view : field.views)
        views.push_back(view.image);
    const auto geometry = view_geometry(
        whole_image(field, {1, 1}, Image(width, height), psf, scale, OperatorForm::sampling), {});
    ResidualNoise noise(field.width(), field.height(), views.size(), value_limits(field));
    noise.add(views, geometry, ResidualNoise::blurred(Image(width, height, 1, pilot_level), psf),
              scale, {0, 0, width, height}, 0, 0);
    return noise.estimate();
}

TEST(ResidualNoise, UsesPredictionsAbove255OfHdrViews) {
    const NoiseEstimate noise = residual_noise_of(still_views(64, 700, 6), 700);
    EXPECT_NEAR(noise.residual, 6, 0.4);
    EXPECT_NEAR(noise.sensor, 6, 0.8);
    EXPECT_EQ(noise.impulses, 0);
}

TEST(ResidualNoise, AcceptsAnyFinitePixel) {
    constexpr float largest = std::numeric_limits<float>::max();
    for (const float value : {1e8F, 2e8F, 1e9F, largest, -2e8F, -largest}) {
        LightField field = still_views(32, 120, 3);
        field.views[4].image.at(16, 16) = value;
        const NoiseEstimate noise = residual_noise_of(field, 120);
        EXPECT_NEAR(noise.residual, 3, 0.3) << value;
        EXPECT_TRUE(std::isfinite(residual_noise_of(field, value / 4).residual)) << value;
    }
}

// Larger values are refused: InputFault.AViewWithValuesThatOverflowIsNamed.
TEST(Reconstruct, AcceptsHugePixelsOfAPfmView) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "plenosr_huge_pixel";
    for (const float value : {2e8F, 1e9F, -2e8F}) {
        std::filesystem::remove_all(folder);
        LightField field = still_views(32, 120, 3);
        field.views[4].image.at(16, 16) = value;
        std::filesystem::create_directories(folder);
        for (const View& view : field.views)
            write_pfm(folder / ("view_" + std::to_string(int(view.position.row)) + "_" +
                                std::to_string(int(view.position.col)) + ".pfm"),
                      view.image);
        const LightField read = read_light_field(index_light_field(folder));
        ReconstructOptions options;
        options.scale = 2;
        const ReconstructResult result = reconstruct(read, {1, 1}, Image(32, 32), options);
        EXPECT_NEAR(result.noise, 3, 1) << value;
        EXPECT_NEAR(double(result.image.at(8, 8)), 120, 10) << value;
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace plenosr::test
