// Whole reconstructions on OpenCL devices agree with the native engine's, for every strategy, with
// and without tiles, on one device and on several.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/corner_blur.h"
#include "cases/scenes.h"
#include "opencl/on_device.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

using test::reconstruct_scene;

struct Difference {
    double psnr = 0;  // between the two
    double near = 0;  // share of values within 0.05 grey levels
    double largest = 0;
};

Difference difference(const Image& a, const Image& b) {
    double squares = 0;
    Difference result;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double d = std::abs(double(a.values[i]) - double(b.values[i]));
        squares += d * d;
        result.near += d <= 0.05 ? 1.0 : 0.0;
        result.largest = std::max(result.largest, d);
    }
    const double count = double(a.values.size());
    result.psnr = 10 * std::log10(255 * 255 / std::max(1e-20, squares / count));
    result.near /= count;
    return result;
}

const char* const scene_names[] = {"planes", "curved", "discs"};

test::DegradedScene scene_of(const std::string& name) {
    return test::degraded_scene({name, 3, 96, 80, 1, 2, 5, 1});
}

class Agreement : public testing::TestWithParam<MemoryStrategy> {};

TEST_P(Agreement, AgreesWithTheNativeEngine) {
    for (const char* name : scene_names) {
        const auto scene = scene_of(name);
        ReconstructOptions o;
        o.denoiser = Denoiser::none;
        const ReconstructResult native = reconstruct_scene(scene, o);
        o.device = "opencl";
        o.strategy = GetParam();
        const ReconstructResult found = reconstruct_scene(scene, o);
        const Difference d = difference(found.image, native.image);
        EXPECT_NEAR(found.iterations.back().psnr, native.iterations.back().psnr, 0.001) << name;
        EXPECT_GE(d.psnr, 95.0) << name;
        EXPECT_GE(d.near, 0.999) << name;
        EXPECT_LE(d.largest, 0.2) << name;
        EXPECT_GT(found.device_memory_peak, 0U);
    }
}

// Rounding errors may change the choice between blocks that are about equally similar.
TEST_P(Agreement, AgreesAfterTheDenoiser) {
    const auto scene = scene_of("planes");
    for (const Denoiser denoiser : {Denoiser::bm3d, Denoiser::nlm}) {
        ReconstructOptions o;
        o.denoiser = denoiser;
        const ReconstructResult native = reconstruct_scene(scene, o);
        o.device = "opencl";
        o.strategy = GetParam();
        const ReconstructResult found = reconstruct_scene(scene, o);
        EXPECT_NEAR(found.iterations.back().psnr, native.iterations.back().psnr, 0.005);
        EXPECT_GE(difference(found.image, native.image).psnr, 80.0);
        EXPECT_LE(found.memory_peak, found.tiles.memory_estimate);
    }
}

TEST(OpenclBlur, AgreesWithTheNativeEngineIfItChangesOverTheImage) {
    const test::CornerBlur blur;
    const auto scene = test::degraded_scene({"curved", 3, 96, 80, 1, 2, 1, 0, blur.text()});
    ReconstructOptions o;
    o.blur.text = blur.text();
    o.denoiser = Denoiser::none;  // block matching amplifies rounding
    const ReconstructResult native = reconstruct_scene(scene, o);
    o.device = "opencl";
    EXPECT_GE(difference(reconstruct_scene(scene, o).image, native.image).psnr, 85.0);
}

TEST(OpenclPhase, AgreesWithTheNativeEngineIfPixelsLieBetweenThoseOfTheResult) {
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain}) {
        const auto scene = test::degraded_scene({"curved", 3, 96, 80, 1, 2, 1, 0, "bicubic"});
        ReconstructOptions o;
        o.blur.text = "bicubic";
        o.denoiser = Denoiser::none;
        o.operator_form = form;
        const ReconstructResult native =
            reconstruct(scene.views, scene.centre, scene.low_disparity, o);
        o.device = "opencl";
        const ReconstructResult found =
            reconstruct(scene.views, scene.centre, scene.low_disparity, o);
        EXPECT_GE(difference(found.image, native.image).psnr, 80.0);
        EXPECT_GE(difference(found.initial, native.initial).psnr, 80.0);
    }
}

TEST_P(Agreement, AgreesWithTheOtherTerms) {
    const auto scene = scene_of("curved");
    const auto expect_agreement = [&](ReconstructOptions o, const char* term) {
        o.denoiser = Denoiser::none;
        const ReconstructResult native = reconstruct_scene(scene, o);
        o.device = "opencl";
        o.strategy = GetParam();
        const ReconstructResult found = reconstruct_scene(scene, o);
        EXPECT_GE(difference(found.image, native.image).psnr, 95.0) << term;
    };
    ReconstructOptions o;
    o.data = DataTerm::l1_l2;
    expect_agreement(o, "l1+l2");
    o.data = DataTerm::huber;
    expect_agreement(o, "huber");
    o.data = DataTerm::poisson_gauss;
    o.gain = 1;
    expect_agreement(o, "poisson-gauss");
    o = {};
    o.prior = Prior::nltv;
    expect_agreement(o, "nltv");
    o.prior = Prior::bswtv;
    expect_agreement(o, "bswtv");
}

std::vector<MemoryStrategy> strategies() {
    using enum MemoryStrategy;
    return test::all_variants() ? std::vector{local, buffer, image} : std::vector{local};
}

INSTANTIATE_TEST_SUITE_P(Strategies, Agreement, testing::ValuesIn(strategies()));

TEST(OpenclTiles, AreSeamlessAndKeepToTheMemoryLimit) {
    const auto scene = test::degraded_scene({"curved", 3, 512, 384, 1, 2, 5, 1});
    ReconstructOptions o;
    o.device = "opencl";
    o.denoiser = Denoiser::none;  // it reaches beyond the overlap of tiles
    const ReconstructResult whole = reconstruct_scene(scene, o);
    o.memory_limit = whole.memory_peak * 2 / 3;
    const ReconstructResult tiled = reconstruct_scene(scene, o);
    EXPECT_GT(tiled.tiles.count, 1);
    EXPECT_LE(tiled.memory_peak, o.memory_limit);
    EXPECT_GE(difference(tiled.image, whole.image).psnr, 85.0);
}

TEST(OpenclTiles, SeveralDevicesGiveTheSameBitsEveryTime) {
    const auto scene = scene_of("planes");
    ReconstructOptions o;
    for (const char* devices : {"opencl:0,opencl:1", "opencl:0,cpu"}) {
        o.device = devices;
        const ReconstructResult first = reconstruct_scene(scene, o);
        const ReconstructResult second = reconstruct_scene(scene, o);
        EXPECT_GE(first.tiles.count, 4) << devices;
        EXPECT_EQ(first.image.values, second.image.values) << devices;
        EXPECT_GE(first.iterations.back().psnr, 24.800 - 0.2) << devices;
    }
}

TEST(OpenclTiles, AMissingDeviceIsRefusedWithAList) {
    const auto scene = scene_of("planes");
    ReconstructOptions o;
    o.device = "opencl:7";
    try {
        reconstruct_scene(scene, o);
        ADD_FAILURE() << "there is no such device";
    } catch (const Error& error) {
        EXPECT_EQ(int(error.kind()), int(ErrorKind::device));
        EXPECT_NE(std::string(error.what()).find("opencl:0"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace plenosr
