// A tiled run against the untiled one. Both have the same model; they differ by what tiles cannot
// see beyond their overlap. Bounds on the PSNR between them lie 1 dB below the measured values.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/engine.h"
#include "cases/corner_blur.h"
#include "cases/scenes.h"
#include "plenosr/metrics.h"
#include "tiles/tile_plan.h"

namespace plenosr {
namespace {

test::DegradedScene scene_of(const std::string& name, int size, int views) {
    test::SceneSetup setup;
    setup.scene = name;
    setup.views = views;
    setup.width = setup.height = size;
    return test::degraded_scene(setup);
}

ReconstructResult run(const test::DegradedScene& scene, const ReconstructOptions& o,
                      const Progress& progress = {}) {
    return reconstruct(scene.views, scene.centre, scene.low_disparity, o, progress);
}

double rms(double sum, double count) {
    return std::sqrt(sum / count);
}

constexpr double margin = 1;  // dB: 12 % of the difference

struct SeamCase {
    const char* scene;
    double closeness;  // dB, measured
};

std::ostream& operator<<(std::ostream& out, const SeamCase& c) {
    return out << c.scene;
}

class Seams : public testing::TestWithParam<SeamCase> {};

TEST_P(Seams, NineTilesAreAsGoodAsOne) {
    const auto scene = scene_of(GetParam().scene, 1024, 3);
    ReconstructOptions o;
    const ReconstructResult whole = run(scene, o);
    EXPECT_EQ(whole.tiles.count, 1);
    o.memory_limit = whole.tiles.memory_estimate / 5;
    const ReconstructResult tiled = run(scene, o);
    ASSERT_GE(tiled.tiles.count, 9);
    EXPECT_NEAR(tiled.lambda, whole.lambda, 1e-6 * whole.lambda);
    EXPECT_GE(test::closeness(tiled.image, whole.image), GetParam().closeness - margin);

    // Pixels along the cores' borders, where two tiles meet, against all others.
    std::vector<ViewPosition> positions;
    for (const View& view : scene.views.views)
        positions.push_back(view.position);
    const plenosr::Setup setup = light_field_setup(scene.views.width(), scene.views.height(), 1,
                                                   positions, scene.centre, scene.low_disparity, o);
    Image near_seam(1024, 1024);
    Engines engines;
    engines.push_back(std::make_unique<cpu::CpuEngine>(0));
    const TilePlan plan = plan_tiles(setup, engines, o.memory_limit);
    for (const Tile& tile : plan.tiles)
        for (int y = tile.core.y0; y < tile.core.y1(); ++y)
            for (int x = tile.core.x0; x < tile.core.x1(); ++x)
                if ((x - tile.core.x0 < 4 && x >= 4) || (y - tile.core.y0 < 4 && y >= 4))
                    near_seam.at(y, x) = 1;
    double sums[2] = {0, 0};
    double counts[2] = {0, 0};
    for (std::size_t i = 0; i < near_seam.values.size(); ++i) {
        const int seam = near_seam.values[i] > 0 ? 1 : 0;
        const double difference = double(tiled.image.values[i]) - double(whole.image.values[i]);
        sums[seam] += difference * difference;
        counts[seam] += 1;
    }
    RecordProperty("closeness", std::to_string(test::closeness(tiled.image, whole.image)));
    ASSERT_GT(counts[1], 0);
    EXPECT_LE(rms(sums[1], counts[1]), 1.1 * rms(sums[0], counts[0]));
}

INSTANTIATE_TEST_SUITE_P(Scenes, Seams,
                         testing::Values(SeamCase{"planes", 58.243}, SeamCase{"staircase", 63.542},
                                         SeamCase{"curved", 73.892}),
                         [](const auto& test) { return std::string(test.param.scene); });

TEST(Tiles, OverlapMoreForADenoiser) {
    test::SceneSetup setup;
    setup.scene = "staircase";
    setup.views = 3;
    setup.width = setup.height = 320;
    setup.gaussian = 20;
    setup.impulse = 0;
    const auto scene = test::degraded_scene(setup);
    ReconstructOptions o;
    for (const Denoiser denoiser : {Denoiser::bm3d, Denoiser::nlm}) {
        o.denoiser = denoiser;
        o.device = "cpu";
        const ReconstructResult whole = run(scene, o);
        o.device = "cpu,cpu";
        const ReconstructResult tiled = run(scene, o);
        EXPECT_GE(tiled.tiles.count, 4);
        const double closeness = test::closeness(tiled.image, whole.image);
        RecordProperty("closeness", std::to_string(closeness));
        EXPECT_GE(closeness, (denoiser == Denoiser::bm3d ? 66.171 : 89.564) - margin);
    }
}

TEST(Tiles, UseTheirPartOfAPsfGrid) {
    const test::CornerBlur blur;
    test::SceneSetup setup;
    setup.scene = "planes";
    setup.views = 3;
    setup.width = setup.height = 128;
    setup.impulse = 0;
    setup.blur = blur.text();
    const auto scene = test::degraded_scene(setup);
    ReconstructOptions o;
    o.blur.text = blur.text();
    o.denoiser = Denoiser::none;
    for (const OperatorForm form : {OperatorForm::sampling, OperatorForm::chain}) {
        o.operator_form = form;
        o.iterations = form == OperatorForm::chain ? 3 : 8;
        o.device = "cpu";
        const ReconstructResult whole = run(scene, o);
        o.device = "cpu,cpu";
        const ReconstructResult tiled = run(scene, o);
        EXPECT_GE(tiled.tiles.count, 4);
        EXPECT_GE(test::closeness(tiled.image, whole.image),
                  (form == OperatorForm::chain ? 70.502 : 62.730) - margin);
    }
}

TEST(Tiles, GiveTheSameBitsInAnyOrderOfCompletion) {
    const auto scene = scene_of("planes", 192, 3);
    ReconstructOptions o;
    o.device = "cpu,cpu";
    const ReconstructResult first = run(scene, o);
    EXPECT_GE(first.tiles.count, 4);
    EXPECT_EQ(first.image, run(scene, o).image);
    o.threads = 1;
    EXPECT_EQ(first.image, run(scene, o).image);
    o.device = "cpu";
    EXPECT_GE(test::closeness(first.image, run(scene, o).image), 66.460 - margin);
}

TEST(Tiles, WorkForEveryOption) {
    const auto scene = scene_of("planes", 192, 3);
    const auto closeness = [&](ReconstructOptions o) {
        const ReconstructResult whole = run(scene, o);
        o.device = "cpu,cpu";
        return test::closeness(run(scene, o).image, whole.image);
    };
    ReconstructOptions o;
    for (const Visibility visibility : {Visibility::none, Visibility::hard}) {
        o.visibility = visibility;
        EXPECT_GE(closeness(o), (visibility == Visibility::none ? 67.673 : 67.797) - margin);
    }
    o = {};
    o.operator_form = OperatorForm::chain;
    EXPECT_GE(closeness(o), 66.271 - margin);
    o = {};
    o.init = Initial::median;
    o.prior = Prior::tv;
    o.tolerance = 1e-3;
    EXPECT_GE(closeness(o), 70.073 - margin);
}

TEST(Tiles, SumTheirIterationReports) {
    const auto scene = scene_of("planes", 192, 3);
    ReconstructOptions o;
    o.device = "cpu,cpu";
    o.iterations = 8;
    o.denoiser = Denoiser::bm3d;
    const ReconstructResult tiled =
        reconstruct(scene.views, scene.centre, scene.low_disparity, o, {}, &scene.truth);
    ASSERT_EQ(tiled.iterations.size(), 11U) << "8 iterations, 2 denoiser steps, the start";
    EXPECT_LT(tiled.iterations.back().cost, tiled.iterations.front().cost);
    EXPECT_TRUE(std::isnan(tiled.iterations.front().psnr));
    EXPECT_NEAR(tiled.iterations.back().psnr, compare(tiled.image, scene.truth).psnr, 1e-3);
}

TEST(Tiles, StopWhenTheCallbackSaysSo) {
    const auto scene = scene_of("planes", 192, 3);
    ReconstructOptions o;
    o.denoiser = Denoiser::none;  // smaller tiles
    for (const char* device : {"cpu", "cpu,cpu"}) {
        o.device = device;
        o.memory_limit = 8 << 20;
        ASSERT_GT(run(scene, o).tiles.count, 1);
        for (const char* stage : {"surveying", "solving"}) {
            const auto result =
                run(scene, o, [&](const ProgressEvent& event) { return event.stage != stage; });
            EXPECT_EQ(result.termination, Termination::cancelled);
            EXPECT_TRUE(result.image.empty());
        }
    }
}

}  // namespace
}  // namespace plenosr
