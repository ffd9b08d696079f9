// `--blur auto`: what a lens of unknown width recorded.
#include <gtest/gtest.h>

#include <cmath>

#include "plenosr/all_views.h"
#include "plenosr/degrade.h"
#include "plenosr/metrics.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"

namespace plenosr {
namespace {

// Standard deviation of a square pixel behind a lens, in pixels of the result.
double width_of(double lens, int scale) {
    return std::sqrt(lens * lens + scale * scale / 12.0);
}

void expect_near(const BlurEstimate& found, double width) {
    EXPECT_LE(found.sigma, 1.1 * width);
    EXPECT_GE(found.sigma, 0.75 * width);
    EXPECT_GE(found.most, found.least);
}

struct Views {
    SynthResult scene;
    LightField low;
};

Views recorded(double lens) {
    SynthOptions scene_options;
    scene_options.scene = "random";
    scene_options.seed = 4;
    scene_options.rows = scene_options.cols = 3;
    scene_options.width = scene_options.height = 160;
    scene_options.channels = 1;
    Views views{synthesise(scene_options), {}};
    DegradeOptions degradation;
    degradation.camera.lens = lens;
    degradation.gaussian = 1;
    degradation.seed = 1;
    views.low = degrade(views.scene.light_field, degradation);
    return views;
}

TEST(BlurAuto, FindsTheWidthOfALens) {
    for (const double lens : {0.7, 1.1}) {
        const Views views = recorded(lens);
        ReconstructOptions o;
        const Image& truth = views.scene.light_field.views[4].image;
        const auto solved = [&](const char* blur) {
            o.blur.text = blur;
            return reconstruct(views.low, {1, 1}, views.scene.disparity[4], o);
        };
        const ReconstructResult found = solved("auto");
        const ReconstructResult assumed = solved("gaussian");
        ASSERT_TRUE(found.blur);
        EXPECT_FALSE(assumed.blur);
        expect_near(*found.blur, width_of(lens, 2));
        EXPECT_EQ(found.chosen.blur, found.blur->blur);
        EXPECT_GT(compare(found.image, truth, {.border = 8}).psnr,
                  compare(assumed.image, truth, {.border = 8}).psnr + 0.5);
    }
}

TEST(BlurAuto, IsTheSameForAllViews) {
    const Views views = recorded(0.7);
    AllViewsOptions o;
    o.reconstruct.blur.text = "auto";
    o.reconstruct.denoiser = Denoiser::none;
    const AllViewsResult all = reconstruct_all(views.low, views.scene.disparity, o);
    const ReconstructResult one =
        reconstruct(views.low, {1, 1}, views.scene.disparity[4], o.reconstruct);
    ASSERT_TRUE(all.centre.blur && one.blur);
    EXPECT_EQ(all.centre.blur->blur, one.blur->blur);
}

TEST(BlurAuto, IsTheDefaultWidthWherePicturesDoNotTellIt) {
    LightField flat;
    flat.grid = {0, 0, 1, 2};
    for (int k = 0; k < 2; ++k)
        flat.views.push_back({{0, double(k)}, Image(40, 40, 1, 100)});
    ReconstructOptions o;
    o.blur.text = "auto";
    const ReconstructResult result = reconstruct(flat, {0, 0}, Image(40, 40), o);
    ASSERT_TRUE(result.blur);
    EXPECT_EQ(result.blur->most, 0);
    EXPECT_NEAR(result.blur->sigma, std::sqrt(3.0) / 4, 1e-6);
    for (const float value : result.image.values)
        EXPECT_NEAR(value, 100, 0.1);
}

// The options of the solver are for the result, not for the windows; a user may stop at any time.
TEST(BlurAuto, CanBeCancelledAndDoesNotTakeTheIterationsOfTheResult) {
    const Views views = recorded(0.7);
    ReconstructOptions o;
    o.blur.text = "auto";
    o.iterations = 100000;
    o.tolerance = 0;
    int events = 0;
    const auto solved = [&](int most) {
        return reconstruct(views.low, {1, 1}, views.scene.disparity[4], o,
                           [&](const ProgressEvent& event) {
                               events += event.stage == "finding the blur" ? 1 : 0;
                               return events < most && event.stage != "solving";
                           });
    };
    EXPECT_EQ(solved(1000000).termination, Termination::cancelled);  // when the result is solved
    const int all = events;
    EXPECT_GT(all, 100);  // also within a window
    events = 0;
    EXPECT_EQ(solved(all / 2).termination, Termination::cancelled);
    EXPECT_GE(events, all / 2);
    EXPECT_LE(events, all / 2 + 8);
}

}  // namespace
}  // namespace plenosr
