// Input without parallax or with wrong views: low confidence where nothing can be matched, and a
// result that is better than the enlarged view by the measured amount.
#include <gtest/gtest.h>

#include <algorithm>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr::test {
namespace {

DegradedScene rendered_scene() {
    SceneSetup setup;
    setup.scene = "curved";
    setup.width = setup.height = 192;
    return degraded_scene(setup);
}

constexpr double margin = 0.2;  // dB below a measured value

// `measured`: PSNR in dB.
ReconstructResult expect_quality(const DegradedScene& scene, double measured,
                                 const ReconstructOptions& options = {}) {
    ReconstructResult result = reconstruct(scene.views, scene.centre, options, {}, &scene.truth);
    EXPECT_GE(compare(result.image, scene.truth).psnr, measured - margin);
    return result;
}

// Moves every view by this many pixels more per step of the grid; borders are repeated.
void move_apart(LightField& views, ViewPosition centre, int pixels) {
    for (View& view : views.views) {
        const Image from = view.image;
        const int dx = int(view.position.col - centre.col) * pixels;
        const int dy = int(view.position.row - centre.row) * pixels;
        for (int y = 0; y < from.height; ++y)
            for (int x = 0; x < from.width; ++x)
                view.image.at(y, x) = from.at(std::clamp(y + dy, 0, from.height - 1),
                                              std::clamp(x + dx, 0, from.width - 1));
    }
}

TEST(Degenerate, WithoutTextureTheConfidenceIsLow) {
    DegradedScene scene = rendered_scene();
    for (View& view : scene.views.views)
        view.image = Image(96, 96, 1, 120.0F);
    scene.truth = Image(192, 192, 1, 120.0F);
    const ReconstructResult result = expect_quality(scene, 100);
    ASSERT_TRUE(result.estimated.has_value());
    EXPECT_EQ(result.estimated->mean_confidence(), 0.0);
}

TEST(Degenerate, EqualViewsHaveNoParallax) {
    DegradedScene scene = rendered_scene();
    const Image centre = scene.views.find(scene.centre)->image;
    for (View& view : scene.views.views)
        view.image = centre;
    const ReconstructResult result = expect_quality(scene, 21.049);
    const auto [low, high] = std::minmax_element(result.estimated->disparity.values.begin(),
                                                 result.estimated->disparity.values.end());
    EXPECT_NEAR(*low, 0.0F, 0.02F);
    EXPECT_NEAR(*high, 0.0F, 0.02F);
}

TEST(Degenerate, OneViewAndTwoViewsAreEnough) {
    const DegradedScene all = rendered_scene();
    for (const double last : {2.0, 3.0}) {
        DegradedScene few = all;
        std::erase_if(few.views.views, [&](const View& view) {
            return view.position.row != 2 || view.position.col < 2 || view.position.col > last;
        });
        ASSERT_EQ(few.views.views.size(), last > 2 ? 2U : 1U);
        const ReconstructResult result = expect_quality(few, last > 2 ? 22.504 : 21.094);
        if (last == 2.0) {
            EXPECT_EQ(result.estimated->mean_confidence(), 0.0);
        }
    }
}

TEST(Degenerate, ShiftsOfAFifthOfThePictureAreFound) {
    DegradedScene scene = rendered_scene();
    move_apart(scene.views, scene.centre, 10);  // 20 of 96 pixels at the outermost view
    const ReconstructResult result = expect_quality(scene, 26.393);
    Image truth = scene.low_disparity;
    for (float& d : truth.values)
        d += 10;
    EXPECT_LE(compare_disparity(result.estimated->disparity, truth).bad_pixels[3], 0.18);
    EXPECT_TRUE(result.estimated->left_out.empty());
}

TEST(Degenerate, ViewsInTheWrongOrderAreLeftOutAndNamed) {
    DegradedScene scene = rendered_scene();
    for (View& view : scene.views.views)
        view.position.row = 4 - view.position.row;
    EXPECT_THROW(reconstruct(scene.views, scene.centre, {}), Error);
    ReconstructOptions go_on;
    go_on.force = true;
    const ReconstructResult result = expect_quality(scene, 21.094, go_on);
    EXPECT_EQ(result.estimated->left_out.size(), 24U);
    ASSERT_FALSE(result.estimated->notes.empty());
    EXPECT_NE(result.estimated->notes.front().find("do not fit the others"), std::string::npos);
}

TEST(Degenerate, OneForeignViewIsLeftOutAloneAndDoesNoHarm) {
    const DegradedScene scene = rendered_scene();
    DegradedScene with_foreigner = scene;
    Image& foreigner = with_foreigner.views.views.front().image;
    std::reverse(foreigner.values.begin(), foreigner.values.end());
    const ReconstructResult good = expect_quality(scene, 27.156);
    EXPECT_TRUE(good.estimated->left_out.empty());
    const ReconstructResult result = expect_quality(with_foreigner, 27.145);
    ASSERT_EQ(result.estimated->left_out.size(), 1U);
    EXPECT_EQ(result.estimated->left_out.front(), with_foreigner.views.views.front().position);
}

}  // namespace
}  // namespace plenosr::test
