// The automatic choice of the model, and the data terms and priors that it chooses from.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "plenosr/options.h"
#include "problem/model.h"
#include "problem/prior.h"

namespace plenosr {
namespace {

using test::reconstruct_scene;

ReconstructOptions chosen(const ReconstructOptions& o) {
    return chosen_model(o, make_psf_grid(o.blur, sampling_grid(o.blur, o.phase, o.scale)));
}

TEST(Model, ResolvesAllOptionsThatDoNotDependOnTheNoise) {
    const ReconstructOptions o = chosen({});
    for (const auto& option : reconstruct_options()) {
        const std::string& name = option.name;
        if (name == "lambda" || name == "denoiser" || name == "strategy" ||
            name == "refine-disparity" || name == "data-threshold" || name == "prior-threshold" ||
            name == "gain" || name == "read-noise")
            continue;
        EXPECT_NE(option.show(o), "auto") << option.name;
    }
    EXPECT_EQ(o.data, DataTerm::mixture);
    EXPECT_EQ(o.prior, Prior::first_second);
    EXPECT_EQ(o.init, Initial::median);
}

TEST(Model, KeepsGivenOptions) {
    ReconstructOptions o;
    o.data = DataTerm::l1;
    o.lambda1 = 3;
    o.prior = Prior::tv;
    o.denoiser = Denoiser::nlm;
    o.window = 2;
    o.init = Initial::bicubic;
    o.iterations = 5;
    o.cg = 4;
    o.phase.text = "0.25";
    const ReconstructOptions c = chosen(o);
    for (const auto& option : reconstruct_options())
        if (option.name != "lambda2" && option.name != "tolerance") {
            EXPECT_EQ(option.show(c), option.show(o)) << option.name;
        }
}

TEST(Model, AWeightOfADataTermSelectsTheTerm) {
    ReconstructOptions o;
    o.lambda2 = 0.02;
    EXPECT_EQ(chosen(o).data, DataTerm::l1_l2);
    EXPECT_EQ(chosen(o).prior, Prior::weighted);
    o = {};
    o.solver = Solver::gd;
    EXPECT_EQ(chosen(o).data, DataTerm::l1_l2);
    for (const DataTerm data : {DataTerm::mixture, DataTerm::huber, DataTerm::poisson_gauss}) {
        o.data = data;
        EXPECT_THROW(o.validate(), Error);
    }
    o = {};
    o.gain = 2;
    EXPECT_EQ(chosen(o).data, DataTerm::poisson_gauss);
    o.data = DataTerm::l1;
    EXPECT_THROW(o.validate(), Error);
}

TEST(Model, WeightsOfFirstAndSecondDifferencesSumToOne) {
    const auto directions = prior_directions(Prior::first_second, 1);
    ASSERT_EQ(directions.size(), 8U);
    EXPECT_NEAR(weight_sum(directions), 1.0, 1e-6);
    EXPECT_NEAR(directions[0].weight / directions[1].weight, std::exp(1.0 / 3), 1e-5)
        << "an axis against a diagonal";
    EXPECT_EQ(directions[4].order, 2);
    EXPECT_EQ(directions[4].weight, directions[0].weight);
}

constexpr double margin = 0.2;  // dB below a measured value

// A flat dark image in strong noise: clipping at 0 makes every mean too bright.
TEST(Mixture, RecoversTheMeanOfClippedNoise) {
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
    EXPECT_GT(mean(DataTerm::l2), 31.0);
    EXPECT_NEAR(mean(DataTerm::mixture), 20.0, 2.6);
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
        EXPECT_NEAR(r.sensor_noise, gaussian, 0.06 * gaussian);
        EXPECT_NEAR(100 * r.impulses, impulse, 0.02 * impulse);
    }
}

TEST(Mixture, BeatsOtherDataTermsInMixedNoise) {
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
    EXPECT_GE(mixture, 23.220 - margin);
    EXPECT_GE(mixture, psnr(DataTerm::l1) + 1.798 - margin);
    EXPECT_GE(mixture, psnr(DataTerm::l2) + 1.474 - margin);
    EXPECT_GE(mixture, psnr(DataTerm::l1_l2) + 1.453 - margin);
}

// Views of a rendered scene in photon noise: gain grey levels per photon, then read noise.
test::DegradedScene in_photon_noise(double gain, double read) {
    test::SceneSetup setup;
    setup.scene = "curved";
    setup.width = setup.height = 192;
    setup.gaussian = setup.impulse = 0;
    test::DegradedScene scene = test::degraded_scene(setup);
    std::mt19937 random(1);
    std::normal_distribution<double> dark(0, read);
    for (View& view : scene.views.views)
        for (float& v : view.image.values) {
            std::poisson_distribution<int> photons(double(v) / gain);
            v = std::clamp(std::round(float(gain * photons(random) + dark(random))), 0.0F, 255.0F);
        }
    return scene;
}

TEST(PoissonGauss, FindsTheGain) {
    for (const double gain : {4.0, 8.5}) {
        ReconstructOptions o;
        o.data = DataTerm::poisson_gauss;
        o.iterations = 1;
        const ReconstructResult r = reconstruct_scene(in_photon_noise(gain, 2), o);
        EXPECT_NEAR(*r.chosen.gain, gain, 0.23 * gain);
        EXPECT_NEAR(*r.chosen.read_noise, 2, 1.6);
        o.gain = gain;
        o.read_noise = 2;
        EXPECT_EQ(*reconstruct_scene(in_photon_noise(gain, 2), o).chosen.gain, gain);
    }
}

TEST(PoissonGauss, BeatsDataTermsWithConstantNoise) {
    const auto scene = in_photon_noise(8.5, 2);
    const auto psnr = [&](DataTerm data) {
        ReconstructOptions o;
        o.data = data;
        return reconstruct_scene(scene, o).iterations.back().psnr;
    };
    EXPECT_GE(psnr(DataTerm::poisson_gauss), psnr(DataTerm::l1_l2) + 1.203 - margin);
}

TEST(Huber, LiesBetweenLeastSquaresAndTheMixture) {
    test::SceneSetup setup;
    setup.scene = "curved";
    setup.gaussian = 10;
    setup.impulse = 3;
    const auto scene = test::degraded_scene(setup);
    const auto psnr = [&](DataTerm data) {
        ReconstructOptions o;
        o.data = data;
        o.prior = Prior::first_second;
        o.denoiser = Denoiser::none;
        return reconstruct_scene(scene, o).iterations.back().psnr;
    };
    const double huber = psnr(DataTerm::huber);
    EXPECT_GE(huber, psnr(DataTerm::l2) + 2.740 - margin);
    EXPECT_GE(psnr(DataTerm::mixture), huber + 0.139 - 0.1);
}

TEST(Priors, OfPatchesLowerTheCostAndRaiseThePsnr) {
    const auto scene = test::degraded_scene({});
    for (const Prior prior : {Prior::nltv, Prior::bswtv})
        for (const DataTerm data : {DataTerm::l1_l2, DataTerm::mixture}) {
            ReconstructOptions o;
            o.prior = prior;
            o.data = data;
            o.denoiser = Denoiser::none;
            o.reweight = false;  // the cost function stays the same
            const auto rows = reconstruct_scene(scene, o).iterations;
            EXPECT_LT(rows.back().cost, rows.front().cost);
            EXPECT_GE(rows.back().psnr, 25.126 - margin);
        }
}

TEST(Explanation, DistinguishesChosenFromGivenOptions) {
    ReconstructOptions o;
    o.iterations = 2;
    const ReconstructResult r = reconstruct_scene(test::degraded_scene({}), o);
    std::string text;
    for (const std::string& line : r.explanation)
        text += line + "\n";
    EXPECT_NE(text.find("--data mixture: the default"), std::string::npos) << text;
    EXPECT_NE(text.find("--iterations 2: as given"), std::string::npos) << text;
    EXPECT_NE(text.find("impulses "), std::string::npos) << text;
    EXPECT_EQ(*r.chosen.lambda, r.lambda);
}

}  // namespace
}  // namespace plenosr
