#include "backends/cpu/initial.h"

#include <gtest/gtest.h>

#include "cases/random_values.h"

namespace plenosr::cpu {
namespace {

Image ramp(int width, int height, float step_x, float step_y) {
    Image image(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.at(y, x) = 30.0F + step_x * float(x) + step_y * float(y);
    return image;
}

TEST(EnlargeBicubic, KeepsLowResolutionPixelsOnTheFineGrid) {
    test::RandomValues random(1);
    for (const int scale : {2, 3, 4}) {
        const Image low = random.image(9, 7, 3);
        const Image full = enlarge_bicubic(low, scale, Parallel(2));
        ASSERT_EQ(full.width, 9 * scale);
        ASSERT_EQ(full.height, 7 * scale);
        for (int i = 0; i < 7; ++i)
            for (int j = 0; j < 9; ++j)
                for (int c = 0; c < 3; ++c)
                    ASSERT_EQ(full.at(scale * i, scale * j, c), low.at(i, j, c));
    }
}

TEST(EnlargeBicubic, ReproducesRampsAwayFromTheBorder) {
    const int scale = 4;
    const Image full = enlarge_bicubic(ramp(10, 8, 4.0F, -2.0F), scale, Parallel(1));
    for (int y = scale; y <= scale * 6; ++y)
        for (int x = scale; x <= scale * 8; ++x)
            ASSERT_NEAR(full.at(y, x), 30.0F + 4.0F * float(x) / 4 - 2.0F * float(y) / 4, 1e-4F);
}

TEST(EnlargeBicubic, KeepsConstantsAndTakesImagesOfOnePixel) {
    for (const auto& [w, h] : {std::pair{1, 1}, {5, 1}, {1, 5}, {6, 4}})
        for (const float v : enlarge_bicubic(Image(w, h, 1, 93.0F), 3, Parallel(1)).values)
            ASSERT_NEAR(v, 93.0F, 1e-4F);
}

// Views of a ramp scene at one constant disparity.
struct RampViews {
    static constexpr int scale = 2;
    static constexpr int low_width = 24;
    static constexpr int low_height = 20;
    static constexpr float disparity = 1.5F;  // high-resolution pixels per step
    std::vector<Image> views;
    std::vector<ViewGeometry> geometry;
    Image full_disparity{low_width * scale, low_height* scale, 1, disparity};

    RampViews() {
        LightField field;
        for (int row = -1; row <= 1; ++row)
            for (int col = -1; col <= 1; ++col) {
                // view k at q shows the reference at q + (u, v) d
                Image view = ramp(low_width, low_height, 4.0F, -2.0F);
                for (float& v : view.values)
                    v += (4.0F * float(col) - 2.0F * float(row)) * disparity / scale;
                field.views.push_back({{double(row), double(col)}, view});
                views.push_back(view);
            }
        geometry =
            view_geometry(whole_image(field, {0, 0}, full_disparity, make_psf(BlurSpec{}, scale),
                                      scale, OperatorForm::sampling),
                          {});
    }
    MedianImage median() const {
        const Image enlarged = enlarge_bicubic(views[4], scale, Parallel(1));
        return median_of_views(views, geometry, full_disparity, enlarged, scale, Parallel(2));
    }
};

void expect_ramp_inside(const Image& image) {
    for (int y = 6; y < image.height - 8; ++y)
        for (int x = 6; x < image.width - 8; ++x)
            ASSERT_NEAR(image.at(y, x), 30.0F + 2.0F * float(x) - float(y), 1e-3F);
}

TEST(MedianOfViews, AlignsTheViewsWithTheReference) {
    const MedianImage result = RampViews().median();
    expect_ramp_inside(result.median);
    for (int y = 6; y < result.spread.height - 8; ++y)
        for (int x = 6; x < result.spread.width - 8; ++x)
            ASSERT_NEAR(result.spread.at(y, x), 0.0F, 1e-3F);
}

TEST(MedianOfViews, IgnoresImpulsesInAFewViews) {
    RampViews scene;
    test::RandomValues random(4);
    for (const std::size_t k :
         {0U, 3U, 4U, 7U})  // the reference is one of them; 5 views stay clean
        for (float& v : scene.views[k].values)
            if (random.next(0.0F, 1.0F) < 0.3F) v = random.next() < 0 ? 0.0F : 255.0F;
    expect_ramp_inside(scene.median().median);
}

TEST(MedianOfViews, KeepsConstantScenesWithoutSpread) {
    RampViews scene;
    for (Image& view : scene.views)
        view = Image(view.width, view.height, 1, 120.0F);
    const MedianImage result = scene.median();
    for (std::size_t i = 0; i < result.median.values.size(); ++i) {
        ASSERT_NEAR(result.median.values[i], 120.0F, 1e-3F);
        ASSERT_NEAR(result.spread.values[i], 0.0F, 1e-3F);
    }
}

TEST(MedianOfViews, SpreadIsTheNoiseOfTheViews) {
    RampViews scene;
    for (std::size_t k = 0; k < 9; ++k)  // offsets -8, -6 … 8: median |.| is 4
        for (float& v : scene.views[k].values)
            v += 2.0F * float(k) - 8.0F;
    const MedianImage result = scene.median();
    EXPECT_NEAR(result.spread.at(20, 24), 1.4826F * 4.0F, 1e-2F);
}

TEST(MedianOfViews, FallsBackToTheEnlargedReferenceWhereNoViewAgrees) {
    RampViews scene;
    for (ViewGeometry& g : scene.geometry)
        for (float& d : g.disparity.values)
            d += 5.0F;
    EXPECT_EQ(scene.median().median, enlarge_bicubic(scene.views[4], 2, Parallel(1)));
}

}  // namespace
}  // namespace plenosr::cpu
