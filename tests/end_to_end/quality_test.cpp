// The quality of reconstruct() on rendered scenes. The tables hold measured values: a bound lies a
// margin below its value, so that a loss fails the test and a gain does not.
#include <gtest/gtest.h>

#include "cases/corner_blur.h"
#include "cases/scenes.h"
#include "devices/make_engines.h"
#include "plenosr/metrics.h"
#include "reconstruct_view.h"

namespace plenosr {
namespace {

using test::degraded_scene;
using test::reconstruct_scene;

constexpr double margin_db = 0.2;
constexpr double margin_ssim = 0.01;

ReconstructOptions options_for(int scale) {
    ReconstructOptions o;
    o.scale = scale;
    o.threads = 1;
    return o;
}

double psnr(const ReconstructResult& result) {
    return result.iterations.back().psnr;
}

struct Measured {
    const char* scene;
    int scale;
    double gaussian;
    double impulse;
    double psnr;  // dB
    double ssim;
    double psnr_of_chain;  // dB
};

std::ostream& operator<<(std::ostream& out, const Measured& m) {
    return out << m.scene << " x" << m.scale << " " << m.gaussian << "/" << m.impulse;
}

class RenderedScenes : public testing::TestWithParam<Measured> {};

TEST_P(RenderedScenes, ReachTheMeasuredQualityInBothOperatorForms) {
    const Measured& m = GetParam();
    const auto scene = degraded_scene({m.scene, 5, 96, 96, 1, m.scale, m.gaussian, m.impulse});
    ReconstructOptions o = options_for(m.scale);
    const ReconstructResult sampling = reconstruct_scene(scene, o);
    EXPECT_GE(psnr(sampling), m.psnr - margin_db);
    EXPECT_GE(sampling.iterations.back().ssim, m.ssim - margin_ssim);
    EXPECT_TRUE(sampling.termination == Termination::max_iterations ||
                sampling.termination == Termination::converged);
    o.operator_form = OperatorForm::chain;
    EXPECT_GE(psnr(reconstruct_scene(scene, o)), m.psnr_of_chain - margin_db);
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, RenderedScenes,
    testing::Values(Measured{"planes", 2, 1, 1, 25.491, 0.9532, 25.581},
                    Measured{"planes", 2, 20, 5, 23.934, 0.9241, 24.015},
                    Measured{"planes", 4, 1, 1, 18.340, 0.7552, 18.643},
                    Measured{"planes", 4, 20, 5, 16.928, 0.6410, 17.212},
                    Measured{"curved", 2, 1, 1, 26.807, 0.9186, 26.811},
                    Measured{"curved", 2, 20, 5, 24.833, 0.8145, 24.838},
                    Measured{"curved", 4, 1, 1, 21.708, 0.6847, 21.746},
                    Measured{"curved", 4, 20, 5, 20.450, 0.5621, 20.461},
                    Measured{"staircase", 2, 1, 1, 24.698, 0.9409, 24.933},
                    Measured{"staircase", 4, 1, 1, 19.578, 0.7891, 19.539},
                    Measured{"discs", 2, 1, 1, 24.471, 0.9352, 24.590},
                    Measured{"planes", 3, 1, 1, 22.187, 0.9035, 22.447},
                    // Shifted by whole and half pixels only: nearly all detail is recovered.
                    Measured{"flat", 2, 1, 1, 33.523, 0.9957, 33.522},
                    Measured{"flat", 2, 20, 5, 28.149, 0.9463, 28.144}));

TEST(Quality, MoreViewsAreBetter) {
    const auto scene = degraded_scene({"planes", 5, 96, 96});
    test::DegradedScene few = scene;
    std::erase_if(few.views.views, [&](const View& view) {
        return std::abs(view.position.row - scene.centre.row) > 1 ||
               std::abs(view.position.col - scene.centre.col) > 1;
    });
    ASSERT_EQ(few.views.views.size(), 9U);
    const ReconstructOptions o = options_for(2);
    EXPECT_GE(psnr(reconstruct_scene(scene, o)),
              psnr(reconstruct_scene(few, o)) + 0.852 - margin_db);
}

// The same reconstruction with all views weighted equally.
ReconstructResult reconstruct_unweighted(const test::DegradedScene& scene,
                                         const ReconstructOptions& o) {
    EarlierResults equal_noise;
    equal_noise.noise_of_views.assign(scene.views.views.size(), 1.0);
    return reconstruct_view(make_engines(o), scene.views, scene.centre, scene.full_disparity, o, {},
                            &scene.truth, equal_noise);
}

TEST(Quality, NoisyViewsCountLessThanOthers) {
    auto scene = degraded_scene({"curved", 5, 96, 96, 1, 2, 1, 0});
    test::DegradedScene without = scene;
    const auto noisy = degraded_scene({"curved", 5, 96, 96, 1, 2, 40, 0});
    // The views of every second column have strong noise.
    for (std::size_t k = 0; k < scene.views.views.size(); ++k)
        if (int(scene.views.views[k].position.col) % 2 == 1)
            scene.views.views[k].image = noisy.views.views[k].image;
    std::erase_if(without.views.views,
                  [](const View& view) { return int(view.position.col) % 2 == 1; });
    ASSERT_EQ(without.views.views.size(), 15U);
    const ReconstructOptions o = options_for(2);
    const double weighted = psnr(reconstruct_scene(scene, o));
    EXPECT_GE(weighted, psnr(reconstruct_unweighted(scene, o)) + 0.740 - margin_db);
    EXPECT_GE(weighted, psnr(reconstruct_scene(without, o)) + 0.374 - margin_db);
}

TEST(Quality, ViewsOfEqualNoiseAreWeightedEqually) {
    const auto scene = degraded_scene({"curved", 3, 64, 64, 1, 2, 5, 0});
    const ReconstructOptions o = options_for(2);
    EXPECT_EQ(reconstruct_unweighted(scene, o).image, reconstruct_scene(scene, o).image);
}

TEST(Quality, StopsWhenIterationsHaveConvergedAndSaysSo) {
    const auto scene = degraded_scene({"curved", 3, 64, 64, 1, 2, 20, 0});
    ReconstructOptions o = options_for(2);
    o.denoiser = Denoiser::none;
    o.iterations = 60;
    const ReconstructResult stopped = reconstruct_scene(scene, o);
    EXPECT_EQ(stopped.termination, Termination::converged);
    const auto done = int(stopped.iterations.size()) - 1;
    EXPECT_LT(done, 60);
    EXPECT_TRUE(std::ranges::any_of(stopped.explanation, [&](const std::string& line) {
        return line.find(std::to_string(done) + " of at most 60 iterations") != std::string::npos;
    }));
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

TEST(Quality, LowResolutionDisparityIsAsGoodOnSmoothSurfaces) {
    const auto scene = degraded_scene({"curved", 5, 96, 96});
    const ReconstructOptions o = options_for(2);
    const ReconstructResult low =
        reconstruct(scene.views, scene.centre, scene.low_disparity, o, {}, &scene.truth);
    EXPECT_NEAR(psnr(low), psnr(reconstruct_scene(scene, o)), 0.1);
}

TEST(Quality, WrongDisparityIsMuchWorse) {
    const auto scene = degraded_scene({"planes", 5, 96, 96});
    test::DegradedScene wrong = scene;
    for (float& d : wrong.full_disparity.values)
        d = -d;
    const ReconstructOptions o = options_for(2);
    EXPECT_GE(psnr(reconstruct_scene(scene, o)),
              psnr(reconstruct_scene(wrong, o)) + 11.344 - margin_db);
}

TEST(Quality, KnowingTheBlurHelps) {
    const auto scene = degraded_scene({"curved", 5, 96, 96, 1, 2, 1, 0, "motion:7,30"});
    ReconstructOptions o = options_for(2);
    const double unaware = psnr(reconstruct_scene(scene, o));
    o.blur.text = "motion:7,30";
    o.cg = 12;
    const double aware = psnr(reconstruct_scene(scene, o));
    EXPECT_GE(aware, 24.231 - margin_db);
    EXPECT_GE(aware, unaware + 2.875 - margin_db);
}

// Inverting a blur that is wider than usual for the scale amplifies noise: with the lambda and the
// denoiser steps of the usual blur this scene has about 33.2 dB.
TEST(Quality, AWideBlurAmplifiesLittleNoise) {
    SynthOptions synth;
    synth.scene = "random";
    synth.seed = 103;
    synth.rows = synth.cols = 5;
    synth.width = synth.height = 128;
    const SynthResult scene = synthesise(synth);
    DegradeOptions degradation;
    degradation.blur.text = "gaussian:0.8";
    degradation.gaussian = 2;
    ReconstructOptions o;
    o.blur = degradation.blur;
    const ReconstructResult result =
        reconstruct(degrade(scene.light_field, degradation), {2, 2}, scene.disparity[12], o);
    const Image& truth = scene.light_field.views[12].image;
    EXPECT_GT(compare(luma(result.image), luma(truth)).psnr, 34.2);
}

TEST(Quality, KnowingHowTheBlurChangesOverTheImageHelps) {
    const test::CornerBlur blur;
    const auto scene = degraded_scene({"curved", 5, 128, 128, 1, 2, 1, 0, blur.text()});
    ReconstructOptions o = options_for(2);
    o.blur.text = "gaussian:0.8";
    const double of_the_centre = psnr(reconstruct_scene(scene, o));
    o.blur.text = blur.text();
    const double aware = psnr(reconstruct_scene(scene, o));
    EXPECT_GE(aware, 23.197 - margin_db);
    EXPECT_GE(aware, of_the_centre + 1.368 - margin_db);
}

// One choice of options, and its gain over bicubic interpolation in dB.
struct Choice {
    const char* name;
    void (*set)(ReconstructOptions&);
    double gain;
};

std::ostream& operator<<(std::ostream& out, const Choice& choice) {
    return out << choice.name;
}

class Choices : public testing::TestWithParam<Choice> {};

TEST_P(Choices, GainWhatWasMeasured) {
    const auto scene = degraded_scene({"planes", 5, 96, 96});
    const double bicubic =
        compare(enlarge_view(scene.views.find(scene.centre)->image, 2), scene.truth).psnr;
    ReconstructOptions o = options_for(2);
    GetParam().set(o);
    EXPECT_GE(psnr(reconstruct_scene(scene, o)) - bicubic, GetParam().gain - margin_db);
}

template <Visibility visibility>
void use(ReconstructOptions& o) {
    o.visibility = visibility;
}
template <DataTerm data>
void use(ReconstructOptions& o) {
    o.data = data;
    if (data == DataTerm::l2) o.lambda2 = 0.05;
}
template <Prior prior, int window>
void use(ReconstructOptions& o) {
    o.prior = prior;
    o.window = window;
}
template <Initial initial>
void use(ReconstructOptions& o) {
    o.init = initial;
    o.interpolation = Interpolation::bilinear;
}
template <Denoiser denoiser>
void use(ReconstructOptions& o) {
    o.denoiser = denoiser;
}
template <Solver solver>
void use(ReconstructOptions& o) {
    o.solver = solver;
    if (solver == Solver::admm_paper) o.visibility = Visibility::hard;
}

INSTANTIATE_TEST_SUITE_P(
    Options, Choices,
    testing::Values(
        Choice{"visibility_none", use<Visibility::none>, 7.744},
        Choice{"visibility_hard", use<Visibility::hard>, 8.353},
        Choice{"visibility_soft", use<Visibility::soft>, 8.249},
        Choice{"weighted_1", use<Prior::weighted, 1>, 8.093},
        Choice{"weighted_2", use<Prior::weighted, 2>, 7.933},
        Choice{"weighted_3", use<Prior::weighted, 3>, 8.032},
        Choice{"btv_1", use<Prior::btv, 1>, 8.061}, Choice{"btv_2", use<Prior::btv, 2>, 7.859},
        Choice{"btv_3", use<Prior::btv, 3>, 7.993}, Choice{"tv", use<Prior::tv, 1>, 8.255},
        Choice{"first_second", use<Prior::first_second, 1>, 8.249},
        Choice{"nltv", use<Prior::nltv, 2>, 7.944}, Choice{"bswtv", use<Prior::bswtv, 2>, 7.991},
        Choice{"l1", use<DataTerm::l1>, 7.511}, Choice{"l2", use<DataTerm::l2>, 5.271},
        Choice{"l1_l2", use<DataTerm::l1_l2>, 7.778}, Choice{"huber", use<DataTerm::huber>, 8.160},
        Choice{"mixture", use<DataTerm::mixture>, 8.249},
        Choice{"poisson_gauss", use<DataTerm::poisson_gauss>, 8.124},
        Choice{"from_bicubic", use<Initial::bicubic>, 7.433},
        Choice{"from_median", use<Initial::median>, 7.605},
        Choice{"no_denoiser", use<Denoiser::none>, 8.203},
        Choice{"bm3d", use<Denoiser::bm3d>, 8.249}, Choice{"nlm", use<Denoiser::nlm>, 8.173},
        Choice{"gradient_descent", use<Solver::gd>, 0.742},
        Choice{"line_search", use<Solver::gd_ls>, 4.776},
        Choice{"published_admm", use<Solver::admm_paper>, 7.135}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace plenosr
