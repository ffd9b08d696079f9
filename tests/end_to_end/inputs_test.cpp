// All forms of input that reconstruct() accepts, and those that it refuses.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/initial.h"
#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

using test::degraded_scene;
using test::reconstruct_scene;

constexpr double margin = 0.2;  // dB below a measured value

// PSNR over that of the initial image, in dB.
double gain(const ReconstructResult& result) {
    return result.iterations.back().psnr - result.iterations.front().psnr;
}

TEST(Result, SaysBeforeARunThatNothingWasDone) {
    const ReconstructResult result;
    EXPECT_EQ(result.message, "reconstruct() was not called.");
    EXPECT_EQ(result.termination, Termination::not_run);
    EXPECT_TRUE(result.image.empty());
}

TEST(Result, ReportsTheRun) {
    const auto scene = degraded_scene({"planes", 3, 48, 40});
    ReconstructOptions o;
    o.iterations = 3;
    o.denoiser = Denoiser::none;
    const ReconstructResult result = reconstruct_scene(scene, o);
    EXPECT_EQ(result.message, "3 iterations done");
    EXPECT_EQ(result.image.width, 48);
    EXPECT_EQ(result.image.height, 40);
    EXPECT_GT(result.samples, 24U * 20U);
    EXPECT_LE(result.samples, 9U * 24U * 20U);
    EXPECT_GT(result.operator_bytes, 0U);
    EXPECT_NEAR(result.noise, 8.912, 0.5);  // noise of 1 and model error
    EXPECT_GE(result.wall_seconds, result.seconds.x_step);
    EXPECT_EQ(result.device.rfind("cpu", 0), 0U);
    EXPECT_NEAR(result.iterations.back().psnr, compare(result.image, scene.truth).psnr, 1e-9);
    EXPECT_NEAR(result.iterations.front().psnr, compare(result.initial, scene.truth).psnr, 1e-9);
}

TEST(Result, HasNoQualityWithoutGroundTruthAndTheSameImage) {
    const auto scene = degraded_scene({"planes", 3, 48, 40});
    const ReconstructResult result =
        reconstruct(scene.views, scene.centre, scene.full_disparity, {});
    for (const IterationReport& row : result.iterations) {
        EXPECT_TRUE(std::isnan(row.psnr));
        EXPECT_TRUE(std::isnan(row.ssim));
    }
    EXPECT_EQ(result.image, reconstruct_scene(scene, {}).image)
        << "the ground truth must not change the result";
}

TEST(Input, ColourIsSolvedInLumaWithInterpolatedChroma) {
    const auto scene = degraded_scene({"planes", 3, 64, 48, 3, 2, 1, 0, "gaussian", Colour::rgb});
    ASSERT_EQ(scene.views.channels(), 3);
    const ReconstructResult result = reconstruct_scene(scene, {});
    ASSERT_EQ(result.image.channels, 3);
    ASSERT_EQ(result.initial.channels, 3);
    EXPECT_GE(gain(result), 4.683 - margin);
    const Image ycc = rgb_to_ycbcr(result.image);
    const Image enlarged = cpu::enlarge_bicubic(rgb_to_ycbcr(scene.views.find(scene.centre)->image),
                                                2, cpu::Parallel(1));
    for (int y = 0; y < ycc.height; ++y)
        for (int x = 0; x < ycc.width; ++x)
            for (const int c : {1, 2})
                ASSERT_NEAR(ycc.at(y, x, c), enlarged.at(y, x, c), 2e-3F);
    // Its luma equals the result for the luma of the views.
    test::DegradedScene grey = scene;
    for (View& view : grey.views.views)
        view.image = luma(view.image);
    const ReconstructResult brightness = reconstruct_scene(grey, {});
    ASSERT_EQ(brightness.image.channels, 1);
    const Image y = luma(result.image);
    for (std::size_t i = 0; i < y.values.size(); ++i)
        ASSERT_NEAR(y.values[i], brightness.image.values[i], 2e-3F);
}

TEST(Input, ColourIsSolvedInAllChannelsOnRequest) {
    const auto scene = degraded_scene({"planes", 3, 64, 48, 3, 2, 1, 0, "gaussian", Colour::rgb});
    ReconstructOptions o;
    o.colour = Colour::rgb;
    const ReconstructResult rgb = reconstruct_scene(scene, o);
    ASSERT_EQ(rgb.image.channels, 3);
    EXPECT_GE(gain(rgb), 4.704 - margin);
    const auto all = [&](const Image& image) {
        return compare(image, scene.truth, {0, true}).psnr;
    };
    EXPECT_GE(all(rgb.image), all(rgb.initial) + 4.642 - margin);
    EXPECT_GE(all(rgb.image), all(reconstruct_scene(scene, {}).image) + 0.557 - margin)
        << "chroma is solved too";
}

TEST(Input, ThreeEqualChannelsGiveThreeEqualResults) {
    auto scene = degraded_scene({"planes", 3, 48, 48});
    const Image grey = reconstruct_scene(scene, {}).image;
    for (View& view : scene.views.views)
        view.image = merge_channels({view.image, view.image, view.image});
    ReconstructOptions o;
    o.colour = Colour::rgb;
    const Image rgb = reconstruct_scene(scene, o).image;
    for (int c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < grey.values.size(); ++i)
            ASSERT_NEAR(channel(rgb, c).values[i], grey.values[i], 1e-3F);
}

TEST(Input, GreyViewsInRgbModeGiveAGreyResult) {
    const auto scene = degraded_scene({"planes", 3, 48, 48});
    ReconstructOptions o;
    o.colour = Colour::rgb;
    const ReconstructResult result = reconstruct_scene(scene, o);
    EXPECT_EQ(result.image, reconstruct_scene(scene, {}).image);
}

TEST(Input, ViewsMayBeMissing) {
    auto scene = degraded_scene({"planes", 5, 64, 64});
    std::vector<View> left;
    for (std::size_t k = 0; k < scene.views.views.size(); ++k)
        if (k % 3 == 0 || scene.views.views[k].position == scene.centre)
            left.push_back(scene.views.views[k]);
    scene.views.views = left;
    EXPECT_GE(gain(reconstruct_scene(scene, {})), 3.870 - margin);
}

TEST(Input, HalfTheStepsWithTwiceTheDisparityAreTheSameViews) {
    const auto scene = degraded_scene({"flat", 5, 64, 64});
    test::DegradedScene irregular = scene;
    irregular.centre = {0.25, -3.5};  // positions that are not integers
    for (View& view : irregular.views.views)
        view.position = {0.25 + 0.5 * (view.position.row - scene.centre.row),
                         -3.5 + 0.5 * (view.position.col - scene.centre.col)};
    for (float& d : irregular.full_disparity.values)
        d *= 2.0F;
    EXPECT_EQ(reconstruct_scene(irregular, {}).image, reconstruct_scene(scene, {}).image);
}

TEST(Input, AnyViewMayBeTheReference) {
    SynthOptions synth;
    synth.rows = synth.cols = 3;
    synth.width = synth.height = 64;
    synth.supersampling = 2;
    synth.channels = 1;
    const SynthResult rendered = synthesise(synth);
    DegradeOptions degradation;
    degradation.gaussian = 1;
    const LightField views = degrade(rendered.light_field, degradation);
    for (const auto& [k, measured] :
         std::vector<std::pair<std::size_t, double>>{{0, 4.145}, {5, 4.426}, {8, 3.696}}) {
        const ReconstructResult result =
            reconstruct(views, views.views[k].position, rendered.disparity[k], {}, {},
                        &rendered.light_field.views[k].image);
        EXPECT_GE(gain(result), measured - margin) << "view " << k;
    }
}

TEST(Input, OneViewIsEnough) {
    auto scene = degraded_scene({"planes", 3, 64, 64, 1, 2, 1, 0});
    std::erase_if(scene.views.views,
                  [&](const View& view) { return view.position != scene.centre; });
    const ReconstructResult result = reconstruct_scene(scene, {});
    // One view has no more detail than its enlargement.
    EXPECT_GE(gain(result), 0.014 - margin);
    EXPECT_LT(result.iterations.back().cost, result.iterations.front().cost);
    EXPECT_EQ(result.samples, 32U * 32U);
}

struct Size {
    int width;
    int height;
    int scale;
};
class Sizes : public testing::TestWithParam<Size> {};

TEST_P(Sizes, AreAllAccepted) {
    const auto [width, height, scale] = GetParam();
    const auto scene = degraded_scene({"planes", 3, width, height, 1, scale, 1, 1});
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain}) {
        ReconstructOptions o;
        o.scale = scale;
        o.iterations = 3;
        o.window = 3;
        o.operator_form = form;
        const ReconstructResult result =
            reconstruct(scene.views, scene.centre, scene.full_disparity, o);
        EXPECT_EQ(result.image.width, width / scale * scale);
        EXPECT_EQ(result.image.height, height / scale * scale);
        EXPECT_LT(result.iterations.back().cost, result.iterations.front().cost);
        for (const float v : result.image.values)
            ASSERT_TRUE(std::isfinite(v));
    }
}

INSTANTIATE_TEST_SUITE_P(OddAndExtreme, Sizes,
                         testing::Values(Size{33, 47, 2}, Size{50, 31, 3}, Size{61, 45, 4},
                                         Size{37, 53, 5}, Size{16, 16, 8}, Size{3, 40, 2},
                                         Size{40, 2, 2}, Size{5, 5, 2}));

TEST(Input, TruthAndDisparityMayIncludePixelsThatDecimationCutsOff) {
    const auto scene = degraded_scene({"planes", 3, 65, 50, 1, 3, 1, 1});
    ReconstructOptions o;
    o.scale = 3;
    const ReconstructResult result = reconstruct_scene(scene, o);
    EXPECT_EQ(result.image.width, 63);
    EXPECT_EQ(result.image.height, 48);
    EXPECT_GE(gain(result), 3.081 - margin);
}

TEST(Input, DisparityLargerThanTheImageLeavesOnlyTheReference) {
    auto scene = degraded_scene({"planes", 3, 48, 48});
    for (const float d : {1e3F, 16000.0F, -16000.0F}) {
        scene.full_disparity = Image(48, 48, 1, d);
        for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain}) {
            ReconstructOptions o;
            o.operator_form = form;
            const ReconstructResult result = reconstruct_scene(scene, o);
            EXPECT_GE(gain(result), 0.173 - margin);
            EXPECT_NE(result.termination, Termination::diverged);
        }
    }
}

ErrorKind refusal(const test::DegradedScene& scene, const ReconstructOptions& o) {
    try {
        reconstruct_scene(scene, o);
    } catch (const Error& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
        return error.kind();
    }
    ADD_FAILURE() << "was not refused";
    return ErrorKind::output;
}

TEST(Input, ViewsWithoutOverlapWithTheReferenceAreNotUsed) {
    auto scene = degraded_scene({"planes", 3, 48, 48});
    scene.full_disparity = Image(48, 48, 1, 1000.0F);
    for (const Visibility visibility : {Visibility::hard, Visibility::soft})
        for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain}) {
            ReconstructOptions o;
            o.visibility = visibility;
            o.operator_form = form;
            o.iterations = 1;
            EXPECT_EQ(reconstruct_scene(scene, o).samples, 24U * 24U);
        }
}

TEST(Input, DisparityBeyondAnyImageIsRefused) {
    auto scene = degraded_scene({"planes", 3, 48, 48});
    for (const float d : {1e12F, -1e30F}) {
        scene.full_disparity = Image(48, 48, 1, d);
        EXPECT_EQ(refusal(scene, {}), ErrorKind::input);
    }
}

TEST(Input, InvalidValuesAreRefused) {
    const auto good = degraded_scene({"planes", 3, 48, 48});
    auto bad = good;
    bad.views.views.clear();
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    bad = good;
    bad.centre = {17, 4};
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    bad = good;
    bad.full_disparity = Image(47, 48);
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    bad = good;
    bad.full_disparity.at(7, 7) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    bad = good;
    bad.views.views[2].image = Image(23, 24);
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    bad = good;
    bad.views.views[1].position = bad.views.views[0].position;
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    bad = good;
    bad.truth = Image(20, 48);
    EXPECT_EQ(refusal(bad, {}), ErrorKind::input);
    ReconstructOptions o;
    o.scale = 1;
    EXPECT_EQ(refusal(good, o), ErrorKind::invalid_option);
    o = {};
    o.lambda = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refusal(good, o), ErrorKind::invalid_option);
    o = {};
    o.blur.text = "fog";
    EXPECT_EQ(refusal(good, o), ErrorKind::invalid_option);
    o = {};
    o.cg = 0;
    EXPECT_EQ(refusal(good, o), ErrorKind::invalid_option);
}

}  // namespace
}  // namespace plenosr
