#include "plenosr/disparity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "cases/random_values.h"
#include "noise/residual_noise.h"
#include "plenosr/error.h"
#include "problem/geometry.h"

namespace plenosr {
namespace {

TEST(ReduceDisparity, TakesTheTopLeftValuesInTheUnitOfTheSmallGrid) {
    Image full(7, 5);
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 7; ++x)
            full.at(y, x) = float(10 * y + x);
    const Image low = reduce_disparity(full, 3);
    ASSERT_EQ(low.width, 2);
    ASSERT_EQ(low.height, 1);
    EXPECT_EQ(low.at(0, 0), 0.0F);
    EXPECT_EQ(low.at(0, 1), 1.0F);  // 3 / 3
}

TEST(EnlargeDisparity, IsTheInverseOfReducingOnRamps) {
    for (const int scale : {2, 3, 4}) {
        Image full(8 * scale, 6 * scale);
        for (int y = 0; y < full.height; ++y)
            for (int x = 0; x < full.width; ++x)
                full.at(y, x) = 0.25F * float(x) - 0.1F * float(y) + 1.0F;
        const Image low = reduce_disparity(full, scale);
        const Image again = enlarge_disparity(low, scale, full.width, full.height);
        // interpolation ends at the last low-resolution pixel
        for (int y = 0; y <= full.height - scale; ++y)
            for (int x = 0; x <= full.width - scale; ++x)
                ASSERT_NEAR(again.at(y, x), full.at(y, x), 1e-5F);
        EXPECT_EQ(reduce_disparity(again, scale), low);
    }
}

TEST(EnlargeDisparity, ContinuesTheLastValueAndTakesMapsOfOnePixel) {
    const Image full = enlarge_disparity(Image(1, 1, 1, 0.5F), 4, 4, 4);
    for (const float d : full.values)
        ASSERT_EQ(d, 2.0F);
}

TEST(DisparityOfView, OfTheReferenceIsTheMapItself) {
    test::RandomValues random(1);
    const Image d = random.image(9, 6, 1, -3.0F, 3.0F);
    const ViewDisparity own = disparity_of_view(d, 0, 0);
    EXPECT_EQ(own.disparity, d);
    EXPECT_EQ(own.visible, Image(9, 6, 1, 1.0F));
}

TEST(DisparityOfView, OfAPlaneIsConstantAndTheStripOutsideTheReferenceIsInvisible) {
    const ViewDisparity view =
        disparity_of_view(Image(20, 12, 1, 2.0F), 1, -2);  // sees p + (2, -4)
    for (int y = 0; y < 12; ++y)
        for (int x = 0; x < 20; ++x) {
            ASSERT_EQ(view.disparity.at(y, x), 2.0F);
            ASSERT_EQ(view.visible.at(y, x), x + 2 <= 19 && y - 4 >= 0 ? 1.0F : 0.0F)
                << y << ", " << x;
        }
}

// A near square (disparity 3, columns and rows 10 to 19) in front of a far wall (disparity 0).
Image square() {
    Image d(32, 30, 1, 0.0F);
    for (int y = 10; y < 20; ++y)
        for (int x = 10; x < 20; ++x)
            d.at(y, x) = 3.0F;
    return d;
}

TEST(DisparityOfView, NearSurfacesHideFarOnesAndUncoverHoles) {
    const ViewDisparity view = disparity_of_view(square(), 1, 0);  // the square moves left by 3
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 32; ++x) {
            const bool in_rows = y >= 10 && y < 20;
            const bool near = in_rows && x >= 7 && x < 17;
            const bool hole = in_rows && x >= 17 && x < 20;  // hidden in the reference
            ASSERT_EQ(view.disparity.at(y, x), near ? 3.0F : 0.0F) << y << ", " << x;
            ASSERT_EQ(view.visible.at(y, x), hole ? 0.0F : 1.0F) << y << ", " << x;
        }
}

TEST(DisparityOfView, HoldsForViewsOnAllSides) {
    for (const auto& [u, v] : {std::pair{-1.0, 0.0}, {0.0, 2.0}, {-2.0, -1.0}, {0.5, 0.5}}) {
        const ViewDisparity view = disparity_of_view(square(), u, v);
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 32; ++x) {
                const float d = view.disparity.at(y, x);
                ASSERT_TRUE(d == 0.0F || d == 3.0F) << "no disparity is invented";
                if (view.visible.at(y, x) == 0.0F) continue;
                const int rx = int(std::lround(x + u * double(d)));
                const int ry = int(std::lround(y + v * double(d)));
                ASSERT_TRUE(rx >= 0 && rx < 32 && ry >= 0 && ry < 30);
            }
        // the centre of the moved square
        EXPECT_EQ(view.disparity.at(int(15 - 3 * v), int(15 - 3 * u)), 3.0F);
        EXPECT_EQ(view.visible.at(int(15 - 3 * v), int(15 - 3 * u)), 1.0F);
    }
}

TEST(DisparityOfView, TakesAnySizeAndAnyDisparity) {
    test::RandomValues random(2);
    for (const auto& [w, h] : {std::pair{1, 1}, {1, 13}, {13, 1}, {2, 2}})
        for (const float range : {0.5F, 40.0F, 1e6F, 1e12F, 1e30F}) {
            const Image d = random.image(w, h, 1, -range, range);
            const ViewDisparity view = disparity_of_view(d, 1.5, -2);
            for (const float value : view.disparity.values)
                ASSERT_TRUE(std::isfinite(value));
            for (const float value : view.visible.values)
                ASSERT_TRUE(value == 0.0F || value == 1.0F);
        }
}

TEST(DisparityOfView, NothingIsVisibleOutsideTheReference) {
    const ViewDisparity view = disparity_of_view(Image(10, 10, 1, 50.0F), 1, 0);
    for (const float value : view.visible.values)
        ASSERT_EQ(value, 0.0F);
}

std::string refusal(const Image& map) {
    try {
        disparity_at_full_size(map, 10, 8, 3, "map.pfm");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        return error.what();
    }
    return {};
}

TEST(DisparityAtFullSize, EnlargesSmallMapsAndKeepsFullOnes) {
    const Image small = disparity_at_full_size(Image(10, 8, 1, 1.5F), 10, 8, 3, "map.pfm");
    EXPECT_EQ(small, Image(30, 24, 1, 4.5F));
    const Image full = disparity_at_full_size(Image(30, 24, 1, 1.5F), 10, 8, 3, "map.pfm");
    EXPECT_EQ(full, Image(30, 24, 1, 1.5F));
    // the decimation has removed two columns and one row
    const Image larger = disparity_at_full_size(Image(32, 25, 1, 1.5F), 10, 8, 3, "map.pfm");
    EXPECT_EQ(larger, full);
}

TEST(DisparityAtFullSize, RefusesOtherSizesChannelsAndGapsNamingTheMap) {
    EXPECT_NE(refusal(Image(11, 8)).find("map.pfm is 11 x 8"), std::string::npos);
    EXPECT_NE(refusal(Image(33, 24)).find("30 x 24"), std::string::npos);
    EXPECT_NE(refusal(Image(29, 24)).find("10 x 8"), std::string::npos);
    EXPECT_NE(refusal(Image(10, 8, 3)).find("3 channels"), std::string::npos);
    Image gap(10, 8);
    gap.at(3, 4) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(refusal(gap).find("map.pfm holds values that are not finite"), std::string::npos);
    gap.at(3, 4) = std::numeric_limits<float>::infinity();
    EXPECT_NE(refusal(gap), "");
    EXPECT_NE(refusal(Image()), "");
}

ViewGeometry geometry(float visible, float inside) {
    ViewGeometry g;
    g.visible = Image(1, 1, 1, visible);
    g.inside = Image(1, 1, 1, inside);
    return g;
}
float weight(const ViewGeometry& g, Visibility visibility, double sigma = 5) {
    return visibility_weight(g, visibility, sigma).at(0, 0);
}

TEST(VisibilityWeight, NoneIsOneEverywhere) {
    EXPECT_EQ(weight(geometry(0.0F, 0.0F), Visibility::none), 1.0F);
}

TEST(VisibilityWeight, HardKeepsAlmostFullyVisiblePixelsInsideTheView) {
    EXPECT_EQ(weight(geometry(0.95F, 1.0F), Visibility::hard), 1.0F);
    EXPECT_EQ(weight(geometry(0.85F, 1.0F), Visibility::hard), 0.0F);
    EXPECT_EQ(weight(geometry(1.0F, 0.0F), Visibility::hard), 0.0F);
}

TEST(VisibilityWeight, SoftIsTheFormulaAndGrowsWithTheNoise) {
    for (const double sigma : {1.0, 5.0, 50.0})
        for (const float visible : {0.0F, 0.4F, 1.0F})
            EXPECT_NEAR(double(weight(geometry(visible, 1.0F), Visibility::soft, sigma)),
                        sigma * sigma / (sigma * sigma + 100.0 * (1.0 - double(visible))), 1e-6);
    EXPECT_EQ(weight(geometry(1.0F, 0.0F), Visibility::soft), 0.0F);
    EXPECT_GT(weight(geometry(0.5F, 1.0F), Visibility::soft, 20),
              weight(geometry(0.5F, 1.0F), Visibility::soft, 2));
}

TEST(OcclusionWeight, IsOneOnPlanesAndSmallWhereDisparityFallsOrViewsContradict) {
    const Image calm(32, 30);
    const auto plane = occlusion_weight(Image(32, 30, 1, 1.0F), calm, 3);
    for (const float w : plane)
        ASSERT_EQ(w, 1.0F);
    const auto w = occlusion_weight(square(), calm, 3);
    EXPECT_LT(w[square().index(15, 19)], 0.01F);  // disparity falls from near to far
    EXPECT_EQ(w[square().index(15, 15)], 1.0F);
    Image spread(32, 30);
    spread.at(5, 5) = 43.0F;  // exceeds the noise by 40, which is twice the scale
    EXPECT_NEAR(occlusion_weight(Image(32, 30), spread, 3)[spread.index(5, 5)], std::exp(-2.0F),
                1e-5F);
}

// Noise of known size on a smooth scene at one constant disparity.
NoiseEstimate estimated_noise(double sigma, double impulses) {
    constexpr int scale = 2;
    constexpr int size = 40;
    test::RandomValues random(5);
    LightField field;
    std::vector<Image> views;
    for (int row = -1; row <= 1; ++row)
        for (int col = -1; col <= 1; ++col) {
            Image view(size, size);
            for (float& v : view.values) {
                float gaussian = 0;  // Irwin–Hall: variance 1
                for (int i = 0; i < 12; ++i)
                    gaussian += random.next(-0.5F, 0.5F);
                v = 120.0F + float(sigma) * gaussian;
                if (double(random.next(0.0F, 1.0F)) < impulses)
                    v = random.next() < 0 ? 0.0F : 255.0F;
            }
            field.views.push_back({{double(row), double(col)}, view});
            views.push_back(view);
        }
    const Psf psf = make_psf(BlurSpec{}, scale);
    const Image pilot(size * scale, size * scale, 1, 120.0F);
    const auto views_geometry =
        view_geometry(whole_image(field, {0, 0}, Image(size * scale, size * scale, 1, 1.0F), psf,
                                  scale, OperatorForm::sampling),
                      {});
    ResidualNoise noise(size, size, views.size(), ValueLimits{});
    noise.add(views, views_geometry, ResidualNoise::blurred(pilot, psf), scale,
              {0, 0, size * scale, size * scale}, 0, 0);
    return noise.estimate();
}

TEST(ResidualNoise, IsTheStandardDeviationWithAndWithoutImpulses) {
    for (const auto& [sigma, impulses] : {std::pair{5.0, 0.0}, {20.0, 0.0}, {20.0, 0.1}}) {
        const NoiseEstimate noise = estimated_noise(sigma, impulses);
        EXPECT_NEAR(noise.residual, sigma, 0.021 * sigma);
        EXPECT_NEAR(noise.sensor, sigma, 0.057 * sigma);
    }
}

TEST(ResidualNoise, ResidualIsAtLeastOneAndSensorMayBeZero) {
    EXPECT_EQ(estimated_noise(0, 0).residual, 1.0);
    EXPECT_EQ(estimated_noise(0, 0).sensor, 0.0);
}

TEST(ViewGeometry, MarksSamplesInsideTheReference) {
    LightField field;
    field.views.push_back({{0, 0}, Image(10, 8)});
    field.views.push_back({{0, 2}, Image(10, 8)});
    const auto views =
        view_geometry(whole_image(field, {0, 0}, Image(20, 16, 1, 1.5F), make_psf(BlurSpec{}, 2), 2,
                                  OperatorForm::sampling),
                      {});
    EXPECT_EQ(views[0].inside, Image(10, 8, 1, 1.0F));
    for (int j = 0; j < 10; ++j)  // sees 2 j + 3 <= 19
        EXPECT_EQ(views[1].inside.at(3, j), 2 * j + 3 <= 19 ? 1.0F : 0.0F);
    EXPECT_EQ(views[1].crop.u, 2.0);
    EXPECT_EQ(views[1].crop.v, 0.0);
    EXPECT_EQ(views[1].at_low_resolution().at(4, 4), 1.5F);
}

}  // namespace
}  // namespace plenosr
