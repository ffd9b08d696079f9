// Which views fit the map of the reference, with small and with large parallax.
#include "disparity/view_fit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/random_values.h"
#include "cases/scenes.h"
#include "light_field/smooth.h"

namespace plenosr::test {
namespace {

TEST(SeenByView, PixelsBehindANearerSurfaceOrOutsideTheFrameAreNotSeen) {
    Image map(20, 9);
    for (int y = 3; y < 6; ++y)
        for (int x = 8; x < 12; ++x)
            map.at(y, x) = 3;
    const Image seen = seen_by_view(map, 1, 0);  // the square moves three pixels to the left
    for (int x = 0; x < 20; ++x) {
        EXPECT_EQ(seen.at(4, x), x >= 5 && x < 8 ? 0.0F : 1.0F) << x;
        EXPECT_EQ(seen.at(0, x), 1.0F) << x;
    }
    const Image far(20, 9, 1, 2.5F);
    const Image inside = seen_by_view(far, 2, 0);  // everything moves five pixels to the left
    for (int x = 0; x < 20; ++x)
        EXPECT_EQ(inside.at(4, x), x < 5 ? 0.0F : 1.0F) << x;
}

TEST(ViewFit, WhatTheScopeLeavesOutDoesNotCount) {
    RandomValues random(1);
    const Image reference = smoothed(random.image(64, 48, 1, 0, 255), 1);
    Image view = reference;
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < 32; ++x)
            view.at(y, x) = reference.at(view.height - 1 - y, x + 32);
    const Image map(64, 48);
    const ViewFit all = view_fit(reference, view, map, 1, 0, 0.5, 0);
    EXPECT_NEAR(all.share(), 0.5, 0.1);
    FitScope right{Image(64, 48), 0};
    for (int y = 0; y < 48; ++y)
        for (int x = 32; x < 64; ++x)
            right.pixels.at(y, x) = 1;
    const ViewFit half = view_fit(reference, view, map, 1, 0, 0.5, 0, right);
    EXPECT_EQ(half.share(), 1);
    EXPECT_TRUE(half.is_known());
    EXPECT_LT(half.textured, all.textured);
    EXPECT_FALSE(view_fit(reference, view, map, 1, 0, 0.5, 0, {map, 0}).is_known());
}

TEST(ViewFit, AnErrorWithinTheUncertaintyOfTheMapIsExplained) {
    RandomValues random(2);
    const Image reference = smoothed(random.image(64, 48, 1, 0, 255), 1);
    const Image map(64, 48, 1, 0.25F);  // the truth is 0: four steps away an error of a pixel
    EXPECT_LT(view_fit(reference, reference, map, 4, 0, 0.5, 0).share(), 0.5);
    EXPECT_GT(view_fit(reference, reference, map, 4, 0, 0.5, 0, {{}, 0.2}).share(), 0.9);
    EXPECT_LT(view_fit(reference, reference, map, 4, 0, 0.5, 0, {{}, 0.02}).share(), 0.5);
}

TEST(ViewFit, HiddenPixelsExcuseAViewOnlyIfTheyAreTheReason) {
    EXPECT_TRUE(is_explained_where_seen(0.8, 0.5));
    EXPECT_FALSE(is_explained_where_seen(0.4, 0.1)) << "a displaced view";
    EXPECT_FALSE(is_explained_where_seen(0.75, 0.7)) << "the views are in the wrong order";
}

// Up to 5 pixels per step, a tenth of the picture at the outermost views.
DegradedScene wide_scene() {
    SceneSetup setup;
    setup.width = setup.height = 192;
    setup.gaussian = 2;
    setup.impulse = 0;
    setup.disparity_scale = 7;
    return degraded_scene(setup);
}

DisparityResult estimate(const DegradedScene& scene) {
    DisparityOptions options;
    options.scale = 2;
    return estimate_disparity(scene.views, scene.centre, options);
}

TEST(LargeParallax, ViewsThatAreHiddenOrLeaveTheFrameAreKept) {
    const DisparityResult found = estimate(wide_scene());
    EXPECT_TRUE(found.left_out.empty()) << found.left_out.size();
    EXPECT_TRUE(found.notes.empty()) << found.notes.front();
}

TEST(LargeParallax, ADisplacedViewIsLeftOutAlone) {
    DegradedScene scene = wide_scene();
    View& displaced = scene.views.views[10];  // the leftmost of the middle row
    const Image from = displaced.image;
    for (int y = 0; y < from.height; ++y)
        for (int x = 0; x < from.width; ++x)
            displaced.image.at(y, x) = from.at(y, std::min(x + 3, from.width - 1));
    const DisparityResult found = estimate(scene);
    ASSERT_EQ(found.left_out.size(), 1U);
    EXPECT_EQ(found.left_out.front(), displaced.position);
}

}  // namespace
}  // namespace plenosr::test
