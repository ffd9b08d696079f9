// What reconstruct() gains on rendered scenes. Bounds lie about a third below what was measured
// when they were written, so that they notice damage, not taste.
#include <gtest/gtest.h>

#include "cases/corner_blur.h"
#include "cases/scenes.h"

namespace plenosr {
namespace {

using test::degraded_scene;
using test::reconstruct_scene;

struct Gain {
    const char* scene;
    int scale;
    double gaussian;
    double impulse;
    double decibels;  // over the bicubic enlargement, at least
};

std::ostream& operator<<(std::ostream& out, const Gain& g) {
    return out << g.scene << " x" << g.scale << " " << g.gaussian << "/" << g.impulse;
}

ReconstructOptions options_for(int scale) {
    ReconstructOptions o;
    o.scale = scale;
    o.threads = 1;
    return o;
}

double psnr(const ReconstructResult& result) {
    return result.iterations.back().psnr;
}

class RenderedScenes : public testing::TestWithParam<Gain> {};

TEST_P(RenderedScenes, BeatsBicubicAndTheSamplingOperatorKeepsUpWithTheChain) {
    const Gain& g = GetParam();
    const auto scene = degraded_scene({g.scene, 5, 96, 96, 1, g.scale, g.gaussian, g.impulse});
    ReconstructOptions o = options_for(g.scale);
    const ReconstructResult sampling = reconstruct_scene(scene, o);
    EXPECT_GE(psnr(sampling) - sampling.iterations.front().psnr, g.decibels);
    EXPECT_GT(sampling.iterations.back().ssim, sampling.iterations.front().ssim);
    EXPECT_TRUE(sampling.termination == Termination::max_iterations ||
                sampling.termination == Termination::converged);
    o.operator_form = OperatorForm::chain;
    EXPECT_GE(psnr(sampling), psnr(reconstruct_scene(scene, o)) - 0.35);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, RenderedScenes,
    testing::Values(Gain{"planes", 2, 1, 1, 4.0}, Gain{"planes", 2, 20, 5, 2.2},
                    Gain{"planes", 4, 1, 1, 2.2}, Gain{"planes", 4, 20, 5, 1.2},
                    Gain{"curved", 2, 1, 1, 3.2}, Gain{"curved", 2, 20, 5, 1.7},
                    Gain{"curved", 4, 1, 1, 1.3}, Gain{"curved", 4, 20, 5, 0.6},
                    Gain{"staircase", 2, 1, 1, 3.0}, Gain{"staircase", 4, 1, 1, 3.0},
                    Gain{"discs", 2, 1, 1, 2.2}, Gain{"planes", 3, 1, 1, 3.3},
                    // shifted by whole and half pixels alone: nearly all detail comes back
                    Gain{"flat", 2, 1, 1, 13.0}, Gain{"flat", 2, 20, 5, 6.0}));

TEST(Quality, MoreViewsAreBetter) {
    const auto scene = degraded_scene({"planes", 5, 96, 96});
    test::DegradedScene few = scene;
    std::erase_if(few.views.views, [&](const View& view) {
        return std::abs(view.position.row - scene.centre.row) > 1 ||
               std::abs(view.position.col - scene.centre.col) > 1;
    });
    ASSERT_EQ(few.views.views.size(), 9U);
    const ReconstructOptions o = options_for(2);
    EXPECT_GT(psnr(reconstruct_scene(scene, o)), psnr(reconstruct_scene(few, o)) + 0.5);
}

TEST(Quality, NoisyViewsCountLessThanOthers) {
    auto scene = degraded_scene({"curved", 5, 96, 96, 1, 2, 1, 0});
    test::DegradedScene without = scene;
    const auto noisy = degraded_scene({"curved", 5, 96, 96, 1, 2, 40, 0});
    // in every second column the sensor was bad
    for (std::size_t k = 0; k < scene.views.views.size(); ++k)
        if (int(scene.views.views[k].position.col) % 2 == 1)
            scene.views.views[k].image = noisy.views.views[k].image;
    std::erase_if(without.views.views,
                  [](const View& view) { return int(view.position.col) % 2 == 1; });
    const ReconstructOptions o = options_for(2);
    EXPECT_GT(psnr(reconstruct_scene(scene, o)), psnr(reconstruct_scene(without, o)) - 0.3);
}

TEST(Quality, StopsOnceIterationsChangeNothingThatMattersAndSaysSo) {
    const auto scene = degraded_scene({"curved", 3, 64, 64, 1, 2, 20, 0});
    ReconstructOptions o = options_for(2);
    o.denoiser = Denoiser::none;
    o.iterations = 60;
    const ReconstructResult stopped = reconstruct_scene(scene, o);
    EXPECT_EQ(stopped.termination, Termination::converged);
    const auto done = int(stopped.iterations.size()) - 1;
    EXPECT_LT(done, 60);
    EXPECT_NE(stopped.explanation.back().find(std::to_string(done) + " of 60 iterations"),
              std::string::npos);
    EXPECT_EQ(reconstruct_scene(scene, o).image.values, stopped.image.values);
    o.tolerance = 0;
    const ReconstructResult all = reconstruct_scene(scene, o);
    EXPECT_EQ(all.termination, Termination::max_iterations);
    EXPECT_EQ(all.iterations.size(), 61U);
    EXPECT_EQ(all.iterations[std::size_t(done)].psnr, psnr(stopped));
}

TEST(Quality, AMapCoarserThanTheResultIsRefinedAtX4UnlessNoiseIsStrong) {
    const auto refinements = [](int scale, double noise, bool full) {
        const auto scene = degraded_scene({"curved", 3, 64, 64, 1, scale, noise, 0});
        return reconstruct(scene.views, scene.centre,
                           full ? scene.full_disparity : scene.low_disparity, options_for(scale))
            .refinements;
    };
    EXPECT_EQ(refinements(4, 1, false), 1);
    EXPECT_EQ(refinements(4, 1, true), 0);
    EXPECT_EQ(refinements(4, 20, false), 0);
    EXPECT_EQ(refinements(2, 1, false), 0);
}

TEST(Quality, ReducedDisparityServesTooWhereSurfacesAreSmooth) {
    const auto scene = degraded_scene({"curved", 5, 96, 96});
    const ReconstructOptions o = options_for(2);
    const ReconstructResult low =
        reconstruct(scene.views, scene.centre, scene.low_disparity, o, {}, &scene.truth);
    EXPECT_NEAR(psnr(low), psnr(reconstruct_scene(scene, o)), 0.2);
}

TEST(Quality, WrongDisparityIsMuchWorse) {
    const auto scene = degraded_scene({"planes", 5, 96, 96});
    test::DegradedScene wrong = scene;
    for (float& d : wrong.full_disparity.values)
        d = -d;
    const ReconstructOptions o = options_for(2);
    EXPECT_GT(psnr(reconstruct_scene(scene, o)), psnr(reconstruct_scene(wrong, o)) + 3.0);
}

TEST(Quality, KnowingTheBlurHelps) {
    const auto scene = degraded_scene({"curved", 5, 96, 96, 1, 2, 1, 0, "motion:7,30"});
    ReconstructOptions o = options_for(2);
    const double unaware = psnr(reconstruct_scene(scene, o));
    o.blur.text = "motion:7,30";
    o.cg = 12;
    EXPECT_GT(psnr(reconstruct_scene(scene, o)), unaware + 1.0);
}

TEST(Quality, KnowingHowTheBlurChangesOverTheImageHelps) {
    const test::CornerBlur blur;
    const auto scene = degraded_scene({"curved", 5, 128, 128, 1, 2, 1, 0, blur.text()});
    ReconstructOptions o = options_for(2);
    o.blur.text = "gaussian:0.8";
    const double of_the_centre = psnr(reconstruct_scene(scene, o));
    o.blur.text = blur.text();
    EXPECT_GT(psnr(reconstruct_scene(scene, o)), of_the_centre + 1.0);
}

TEST(Quality, EveryChoiceOfOptionsBeatsBicubic) {
    const auto scene = degraded_scene({"planes", 5, 96, 96});
    ReconstructOptions none = options_for(2);
    none.iterations = 0;
    const double bicubic = psnr(reconstruct_scene(scene, none));
    const auto gain = [&](const ReconstructOptions& o) {
        return psnr(reconstruct_scene(scene, o)) - bicubic;
    };
    for (const Visibility v : {Visibility::none, Visibility::hard, Visibility::soft}) {
        ReconstructOptions o = options_for(2);
        o.visibility = v;
        EXPECT_GE(gain(o), 3.5) << "visibility " << int(v);
    }
    for (const Prior p : {Prior::weighted, Prior::btv, Prior::tv})
        for (const int window : {1, 2, 3}) {
            ReconstructOptions o = options_for(2);
            o.prior = p;
            o.window = window;
            EXPECT_GE(gain(o), 3.0) << "prior " << int(p) << ", window " << window;
        }
    for (const DataTerm d : {DataTerm::l1, DataTerm::l2, DataTerm::l1_l2}) {
        ReconstructOptions o = options_for(2);
        o.data = d;
        if (d == DataTerm::l2) o.lambda2 = 0.05;
        EXPECT_GE(gain(o), 3.0) << "data " << int(d);
    }
    for (const Initial i : {Initial::bicubic, Initial::median}) {
        ReconstructOptions o = options_for(2);
        o.init = i;
        o.interpolation = Interpolation::bilinear;
        EXPECT_GE(gain(o), 3.0) << "init " << int(i);
    }
}

}  // namespace
}  // namespace plenosr
