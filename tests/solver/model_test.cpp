// The model that chooses itself.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/options.h"
#include "problem/model.h"
#include "problem/prior.h"

namespace plenosr {
namespace {

using test::reconstruct_scene;

ReconstructOptions chosen(const ReconstructOptions& o) {
    return chosen_model(o, make_psf(o.blur, o.scale));
}

TEST(Model, LeavesNothingOpenButWhatTheNoiseDecides) {
    const ReconstructOptions o = chosen({});
    for (const auto& option : reconstruct_options()) {
        const std::string& name = option.name;
        if (name == "lambda" || name == "denoiser" || name == "strategy" ||
            name == "refine-disparity")
            continue;
        EXPECT_NE(option.show(o), "auto") << option.name;
    }
    EXPECT_EQ(o.data, DataTerm::mixture);
    EXPECT_EQ(o.prior, Prior::first_second);
    EXPECT_EQ(o.init, Initial::median);
}

TEST(Model, KeepsWhatIsGiven) {
    ReconstructOptions o;
    o.data = DataTerm::l1;
    o.lambda1 = 3;
    o.prior = Prior::tv;
    o.denoiser = Denoiser::nlm;
    o.window = 2;
    o.init = Initial::bicubic;
    o.iterations = 5;
    o.cg = 4;
    const ReconstructOptions c = chosen(o);
    for (const auto& option : reconstruct_options())
        if (option.name != "lambda2") {
            EXPECT_EQ(option.show(c), option.show(o)) << option.name;
        }
}

TEST(Model, WeightsOfTheDataTermAskForIt) {
    ReconstructOptions o;
    o.lambda2 = 0.02;
    EXPECT_EQ(chosen(o).data, DataTerm::l1_l2);
    EXPECT_EQ(chosen(o).prior, Prior::weighted);
    o = {};
    o.solver = Solver::gd;
    EXPECT_EQ(chosen(o).data, DataTerm::l1_l2);
    o.data = DataTerm::mixture;
    EXPECT_THROW(o.validate(), Error);
}

TEST(Model, FirstAndSecondDifferencesWeighOne) {
    const auto directions = prior_directions(Prior::first_second, 1);
    ASSERT_EQ(directions.size(), 8U);
    EXPECT_NEAR(weight_sum(directions), 1.0, 1e-6);
    EXPECT_NEAR(directions[0].weight / directions[1].weight, std::exp(1.0 / 3), 1e-5)
        << "an axis against a diagonal";
    EXPECT_EQ(directions[4].order, 2);
    EXPECT_EQ(directions[4].weight, directions[0].weight);
}

// A flat dark picture in strong noise: clipping at 0 makes every mean too bright.
TEST(Mixture, SeesThroughClipping) {
    test::DegradedScene scene = test::degraded_scene({"flat", 5, 64, 64});
    DegradeOptions noise;
    noise.scale = 2;
    noise.gaussian = 50;
    LightField flat = scene.views;
    for (View& view : flat.views) {
        const Image level(64, 64, 1, 20.0F);
        view.image = degrade(level, view.position, noise);
    }
    const auto mean = [&](DataTerm data) {
        ReconstructOptions o;
        o.data = data;
        o.iterations = 20;
        const Image x = reconstruct(flat, scene.centre, scene.full_disparity, o).image;
        return std::accumulate(x.values.begin(), x.values.end(), 0.0) / double(x.values.size());
    };
    EXPECT_GT(mean(DataTerm::l2), 28.0);
    EXPECT_NEAR(mean(DataTerm::mixture), 20.0, 4.0);
}

TEST(Mixture, FindsNoiseAndImpulses) {
    for (const auto& [gaussian, impulse] : {std::pair{20.0, 5.0}, {40.0, 20.0}, {20.0, 0.0}}) {
        test::SceneSetup setup;
        setup.scene = "curved";
        setup.width = setup.height = 192;
        setup.gaussian = gaussian;
        setup.impulse = impulse;
        ReconstructOptions o;
        o.iterations = 1;
        const ReconstructResult r = reconstruct_scene(test::degraded_scene(setup), o);
        EXPECT_NEAR(r.sensor_noise, gaussian, 0.2 * gaussian);
        EXPECT_NEAR(100 * r.impulses, impulse, 0.1 * impulse + 0.5);
    }
}

TEST(Mixture, BeatsTheOthersInMixedNoise) {
    test::SceneSetup setup;
    setup.scene = "curved";
    setup.gaussian = 30;
    setup.impulse = 10;
    const auto scene = test::degraded_scene(setup);
    const auto psnr = [&](DataTerm data) {
        ReconstructOptions o;
        o.data = data;
        return reconstruct_scene(scene, o).iterations.back().psnr;
    };
    const double mixture = psnr(DataTerm::mixture);
    EXPECT_GT(mixture, psnr(DataTerm::l1) + 0.5);
    EXPECT_GT(mixture, psnr(DataTerm::l2) + 0.5);
    EXPECT_GT(mixture, psnr(DataTerm::l1_l2) + 0.5);
}

TEST(Explanation, SaysWhatWasChosenAndWhatWasGiven) {
    ReconstructOptions o;
    o.iterations = 2;
    const ReconstructResult r = reconstruct_scene(test::degraded_scene({}), o);
    std::string text;
    for (const std::string& line : r.explanation)
        text += line + "\n";
    EXPECT_NE(text.find("--data mixture: it tells"), std::string::npos) << text;
    EXPECT_NE(text.find("--iterations 2: as given"), std::string::npos) << text;
    EXPECT_NE(text.find("impulses "), std::string::npos) << text;
    EXPECT_EQ(*r.chosen.lambda, r.lambda);
}

}  // namespace
}  // namespace plenosr
