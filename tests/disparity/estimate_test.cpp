// estimate_disparity() on rendered scenes, and on input without parallax. The scenes are full of
// fine and repeated texture, which is hard to match. Bounds lie 10 % above the measured values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr::test {
namespace {

SynthResult rendered(const std::string& scene, int rows, int cols, int size, double disparity = 1) {
    SynthOptions o;
    o.scene = scene;
    o.rows = rows;
    o.cols = cols;
    o.width = size;
    o.height = size;
    o.disparity = disparity;
    return synthesise(o);
}

constexpr double margin = 0.2;  // dB below a measured value

double bad_pixels(const Image& map, const Image& truth, std::size_t limit) {
    return compare_disparity(map, truth, 8).bad_pixels[limit];
}

TEST(EstimateDisparity, FindsTheDisparityOfAFlatSceneForAnyNumberOfViews) {
    struct Case {
        int rows;
        int cols;
        double bad_pixels;  // per cent, measured
        double confidence;
    };
    for (const auto& [rows, cols, measured, confidence] :
         {Case{3, 3, 0.328, 0.580}, Case{1, 3, 4.219, 0.932}, Case{1, 2, 7.594, 0.933},
          Case{3, 1, 2.250, 0.873}}) {
        const SynthResult scene = rendered("flat", rows, cols, 96, 1.37);
        const DisparityResult r =
            estimate_disparity(scene.light_field, scene.light_field.grid.centre(), {});
        EXPECT_LE(bad_pixels(r.disparity, Image(96, 96, 1, 1.37F), 3), 1.1 * measured)
            << rows << "x" << cols;
        EXPECT_LT(r.range.min, 1.37);
        EXPECT_GT(r.range.max, 1.37);
        EXPECT_NEAR(r.mean_confidence(), confidence, 0.02) << rows << "x" << cols;
    }
}

TEST(EstimateDisparity, IsMostlyCorrectOnRenderedScenes) {
    for (const auto& [name, measured] :
         std::vector<std::pair<const char*, double>>{{"planes", 4.939}, {"discs", 12.897}}) {
        const SynthResult scene = rendered(name, 5, 5, 192);
        const DisparityResult r =
            estimate_disparity(scene.light_field, scene.light_field.grid.centre(), {});
        EXPECT_LE(bad_pixels(r.disparity, scene.disparity[12], 3), 1.1 * measured) << name;
    }
}

TEST(EstimateDisparity, ToleratesNoiseAndImpulses) {
    SceneSetup setup;
    setup.width = setup.height = 192;
    setup.gaussian = 10;
    setup.impulse = 5;
    const DegradedScene scene = degraded_scene(setup);
    DisparityOptions o;
    o.scale = 2;
    const DisparityResult r = estimate_disparity(scene.views, scene.centre, o);
    EXPECT_NEAR(r.impulses, 0.05, 0.0025);
    EXPECT_LE(compare_disparity(enlarge_disparity(r.disparity, 2, 192, 192), scene.full_disparity)
                  .bad_pixels[3],
              1.1 * 17.932);
}

TEST(EstimateDisparity, AcceptsMissingViewsAndFractionalPositions) {
    SynthResult scene = rendered("flat", 3, 3, 96, 0.8);
    auto& views = scene.light_field.views;
    views.erase(views.begin() + 7);
    views.erase(views.begin() + 1);
    // Views at half the distance see half the shift of twice the disparity.
    for (View& view : views)
        view.position = {0.5 * view.position.row, 0.5 * view.position.col};
    const DisparityResult r = estimate_disparity(scene.light_field, {0.5, 0.5}, {});
    EXPECT_LE(bad_pixels(r.disparity, Image(96, 96, 1, 1.6F), 3), 1.1 * 19.313);
}

TEST(EstimateDisparity, HasNoConfidenceWithoutTexture) {
    LightField grey;
    grey.grid = {0, 0, 3, 3};
    for (int k = 0; k < 9; ++k)
        grey.views.push_back({{double(k / 3), double(k % 3)}, Image(40, 30, 3, 128.0F)});
    LightField single = rendered("planes", 1, 1, 48).light_field;
    for (const LightField* field : {&grey, &single}) {
        const DisparityResult r = estimate_disparity(*field, field->grid.centre(), {});
        EXPECT_EQ(r.mean_confidence(), 0);
        EXPECT_FALSE(r.notes.empty());
        for (const float d : r.disparity.values)
            EXPECT_EQ(d, 0.0F);
    }
}

TEST(EstimateDisparity, IsZeroForEqualViews) {
    LightField equal = rendered("planes", 3, 3, 48).light_field;
    for (View& view : equal.views)
        view.image = equal.views[4].image;
    const DisparityResult r = estimate_disparity(equal, equal.grid.centre(), {});
    for (const float d : r.disparity.values)
        EXPECT_NEAR(d, 0.0F, 0.02);
}

TEST(EstimateDisparity, AcceptsTinyViewsAndRangesBeyondTheirSize) {
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{{1, 1}, {2, 7}, {9, 3}}) {
        LightField tiny;
        tiny.grid = {0, 0, 1, 3};
        for (int k = 0; k < 3; ++k) {
            tiny.views.push_back({{0, double(k)}, Image(width, height, 1, 50.0F)});
            tiny.views.back().image.at(height / 2, width / 2) = 90;
        }
        DisparityOptions far;
        far.range = DisparityInterval{200, 900};
        for (const DisparityOptions& o : {DisparityOptions(), far}) {
            const DisparityResult r = estimate_disparity(tiny, {0, 1}, o);
            for (const float d : r.disparity.values)
                EXPECT_TRUE(std::isfinite(d));
            for (const float c : r.confidence.values)
                EXPECT_TRUE(c >= 0 && c <= 1);
        }
    }
}

TEST(EstimateDisparity, DoesNotDependOnTheThreadCount) {
    const SynthResult scene = rendered("planes", 3, 3, 72);
    DisparityOptions o;
    o.threads = 1;
    const DisparityResult one =
        estimate_disparity(scene.light_field, scene.light_field.grid.centre(), o);
    for (const int threads : {2, 7}) {
        o.threads = threads;
        const DisparityResult many =
            estimate_disparity(scene.light_field, scene.light_field.grid.centre(), o);
        EXPECT_EQ(many.disparity, one.disparity);
        EXPECT_EQ(many.confidence, one.confidence);
    }
}

TEST(EstimateDisparity, RejectsMissingViewsAndInvalidOptions) {
    const SynthResult scene = rendered("flat", 1, 2, 32);
    EXPECT_THROW(estimate_disparity(scene.light_field, {5, 5}, {}), Error);
    DisparityOptions o;
    o.range = DisparityInterval{1, 1};
    EXPECT_THROW(estimate_disparity(scene.light_field, {0, 0}, o), Error);
    o.range.reset();
    o.labels = 2;
    EXPECT_THROW(estimate_disparity(scene.light_field, {0, 0}, o), Error);
}

TEST(DisparityOfViews, AgreeWithEachOtherAndWithTheTruth) {
    const SynthResult scene = rendered("planes", 3, 3, 96);
    const DisparityOfViews all =
        estimate_disparity_of_views(scene.light_field, scene.light_field.grid.centre(), {});
    ASSERT_EQ(all.views.size(), 9U);
    EXPECT_GE(all.agreement, 0.864 - 0.01);
    EXPECT_GE(all.agreement_after, 0.888 - 0.01);
    for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_EQ(all.views[k].position, scene.light_field.views[k].position);
        EXPECT_LE(bad_pixels(all.views[k].disparity, scene.disparity[k], 3), 1.1 * 10.578) << k;
    }
}

TEST(Reconstruct, EstimatesAMapIfNoneIsGivenAndReportsIt) {
    SceneSetup setup;
    setup.width = setup.height = 192;
    const DegradedScene scene = degraded_scene(setup);
    ReconstructOptions o;
    const ReconstructResult given =
        reconstruct(scene.views, scene.centre, scene.low_disparity, o, {}, &scene.truth);
    const ReconstructResult found = reconstruct(scene.views, scene.centre, o, {}, &scene.truth);
    EXPECT_FALSE(given.estimated.has_value());
    EXPECT_EQ(given.refinements, 0);
    ASSERT_TRUE(found.estimated.has_value());
    EXPECT_EQ(found.refinements, 1);
    EXPECT_EQ(found.refined_disparity.width, 192);
    const double start = found.iterations.front().psnr;
    EXPECT_GE(found.iterations.back().psnr, start + 2.437 - margin);
    EXPECT_GE(found.iterations.back().psnr, given.iterations.back().psnr - 4.254 - margin);
}

}  // namespace
}  // namespace plenosr::test
