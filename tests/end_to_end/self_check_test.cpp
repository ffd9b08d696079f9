// Does the result explain samples that it has not seen?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/scenes.h"
#include "plenosr/all_views.h"
#include "plenosr/frames.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

using test::degraded_scene;
using test::DegradedScene;

DegradedScene scene_of(int size = 192, int channels = 1) {
    test::SceneSetup setup{"curved", 3, size, size, channels};
    setup.impulse = 0;
    if (channels == 3) setup.colour = Colour::rgb;
    return degraded_scene(setup);
}

ReconstructResult run(const DegradedScene& scene, const Image& map, ReconstructOptions o = {},
                      const Progress& progress = {}) {
    return reconstruct(scene.views, scene.centre, map, o, progress);
}

double psnr(const Image& image, const DegradedScene& scene) {
    return compare(image, scene.truth, {.border = 8}).psnr;
}

Image bicubic(const DegradedScene& scene) {
    return enlarge_view(scene.views.find(scene.centre)->image,
                        sampling_grid(BlurSpec(), PhaseSpec(), 2));
}

bool has_note(const ReconstructResult& result) {
    return std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
        return note.find("enlarged reference") != std::string::npos;
    });
}

TEST(SelfCheck, ChangesNoBitOfAGoodResult) {
    const DegradedScene scene = scene_of();
    ReconstructOptions off;
    off.self_check = false;
    const ReconstructResult with = run(scene, scene.full_disparity);
    const ReconstructResult without = run(scene, scene.full_disparity, off);
    EXPECT_EQ(with.image, without.image);
    EXPECT_FALSE(without.self_check);
    ASSERT_TRUE(with.self_check);
    EXPECT_EQ(with.self_check->skipped, "");
    EXPECT_EQ(with.self_check->regions, 9);
    EXPECT_EQ(with.self_check->better, 9);
    EXPECT_LT(with.self_check->rms, 0.9 * with.self_check->rms_bicubic);
    EXPECT_EQ(with.self_check->fallback, 0);
    EXPECT_FALSE(has_note(with));
}

TEST(SelfCheck, IsTheSameWithAnyNumberOfThreadsAndMeasuresAlikeInTiles) {
    const DegradedScene scene = scene_of();
    ReconstructOptions o;
    o.threads = 1;
    const SelfCheck one = *run(scene, scene.full_disparity, o).self_check;
    o.threads = 3;
    const SelfCheck three = *run(scene, scene.full_disparity, o).self_check;
    EXPECT_EQ(one.rms, three.rms);
    EXPECT_EQ(one.rms_bicubic, three.rms_bicubic);
    o.memory_limit = 7 << 20;
    const ReconstructResult tiled = run(scene, scene.full_disparity, o);
    ASSERT_GT(tiled.tiles.count, 1);
    EXPECT_EQ(tiled.self_check->regions, 9);
    EXPECT_NEAR(tiled.self_check->rms, one.rms, 0.02 * one.rms);
    EXPECT_NEAR(tiled.self_check->rms_bicubic, one.rms_bicubic, 0.02 * one.rms_bicubic);
}

TEST(SelfCheck, AWrongDisparityFallsBackToBicubic) {
    const DegradedScene scene = scene_of();
    Image wrong = scene.full_disparity;
    for (float& d : wrong.values)
        d += 3;  // high-resolution pixels per step
    ReconstructOptions off;
    off.self_check = false;
    const ReconstructResult result = run(scene, wrong);
    EXPECT_GT(result.self_check->fallback, 0.5);
    EXPECT_TRUE(has_note(result));
    EXPECT_GT(psnr(result.image, scene), psnr(run(scene, wrong, off).image, scene) + 1);
    EXPECT_GT(psnr(result.image, scene), psnr(bicubic(scene), scene) - 0.5);
}

TEST(SelfCheck, OnlyThePartThatMovesFallsBack) {
    DegradedScene scene = scene_of();
    constexpr int half = 48;  // low-resolution columns
    for (View& view : scene.views.views) {
        if (view.position == scene.centre) continue;
        Image moved = view.image;
        for (int y = 0; y < moved.height; ++y)
            for (int x = half; x < moved.width; ++x)
                moved.at(y, x) =
                    view.image.at((y + 7 + 5 * int(view.position.col)) % moved.height, x);
        view.image = moved;
    }
    ReconstructOptions off;
    off.self_check = false;
    const ReconstructResult with = run(scene, scene.full_disparity);
    const ReconstructResult without = run(scene, scene.full_disparity, off);
    EXPECT_GT(with.self_check->worse, 0);
    EXPECT_LE(with.self_check->worse, 6);
    const Box good{0, 0, 2 * 32 - 8, 192};  // the first column of regions, without the ramp
    EXPECT_EQ(crop(with.image, good), crop(without.image, good));
    EXPECT_GT(psnr(with.image, scene), psnr(without.image, scene) + 0.5);
}

TEST(SelfCheck, FallsBackInColourToo) {
    DegradedScene scene = scene_of(192, 3);
    for (View& view : scene.views.views) {  // the other views show something else
        if (view.position == scene.centre) continue;
        const Image other = view.image;
        for (int y = 0; y < other.height; ++y)
            for (int x = 0; x < other.width; ++x)
                for (int c = 0; c < 3; ++c)
                    view.image.at(y, x, c) = other.at(other.height - 1 - y, x, c);
    }
    const Image expected = bicubic(scene);
    for (const Colour colour : {Colour::luma, Colour::rgb}) {
        ReconstructOptions o;
        o.colour = colour;
        const ReconstructResult result = run(scene, scene.full_disparity, o);
        EXPECT_GT(result.self_check->fallback, 0.5) << int(colour);
        std::size_t equal = 0;
        for (std::size_t i = 0; i < expected.values.size(); ++i)
            equal += std::abs(result.image.values[i] - expected.values[i]) < 1e-3F ? 1 : 0;
        EXPECT_GT(double(equal), 0.4 * double(expected.values.size()));
    }
}

TEST(SelfCheck, IsDoneForEveryView) {
    const DegradedScene scene = scene_of(96);
    std::vector<Image> maps(scene.views.views.size());
    maps[4] = scene.full_disparity;
    const AllViewsResult all = reconstruct_all(scene.views, maps, {});
    for (const AllViewsResult::Row& row : all.views) {
        ASSERT_TRUE(row.self_check);
        EXPECT_EQ(row.self_check->regions, 1);
        EXPECT_EQ(row.self_check->better, 1);
        EXPECT_EQ(row.self_check->fallback, 0);
    }
}

TEST(SelfCheck, SaysWhyItIsSkipped) {
    const DegradedScene scene = scene_of(96);
    ReconstructOptions o;
    o.iterations = 0;
    EXPECT_NE(run(scene, scene.full_disparity, o).self_check->skipped.find("without iterations"),
              std::string::npos);
    o = {};
    o.operator_form = OperatorForm::chain;
    o.iterations = 1;
    EXPECT_NE(run(scene, scene.full_disparity, o).self_check->skipped.find("--operator sampling"),
              std::string::npos);
    DegradedScene alone = scene;
    std::erase_if(alone.views.views,
                  [&](const View& view) { return view.position != scene.centre; });
    EXPECT_EQ(run(alone, scene.full_disparity).self_check->skipped, "there is one picture only");
    const DegradedScene tiny = scene_of(62);
    EXPECT_EQ(run(tiny, tiny.full_disparity).self_check->skipped,
              "the pictures are smaller than 32 x 32 pixels");
}

TEST(SelfCheck, IsDoneOnceInTheLastRound) {
    const DegradedScene scene = scene_of(96);
    ReconstructOptions o;
    o.refine_disparity = 2;
    int drafts = 0;
    bool checking = false;
    const ReconstructResult result =
        run(scene, scene.full_disparity, o, [&](const ProgressEvent& event) {
            const bool now = event.stage == "checking";
            drafts += now && !checking;
            checking = now;
            return true;
        });
    EXPECT_EQ(drafts, 1);
    EXPECT_TRUE(result.self_check);
}

TEST(SelfCheck, StopsWhenAsked) {
    const DegradedScene scene = scene_of(96);
    const ReconstructResult result =
        run(scene, scene.full_disparity, {},
            [](const ProgressEvent& event) { return event.stage != "checking"; });
    EXPECT_EQ(result.termination, Termination::cancelled);
}

TEST(SelfCheck, ChecksFrames) {
    const DegradedScene scene = scene_of();
    DegradeOptions degradation;
    degradation.gaussian = 1;
    std::vector<Image> frames;
    std::vector<FrameReport> reports;
    for (int k = 0; k < 4; ++k) {
        // Crops that begin one pixel further: shifts of half a low-resolution pixel.
        const Image part = crop(scene.truth, {k % 2, k / 2, 128, 128});
        LightField one;
        one.grid = {0, 0, 1, 1};
        one.views.push_back({{0, 0}, part});
        degradation.seed = k;
        frames.push_back(degrade(one, degradation).views[0].image);
        FrameReport report;
        report.motion.matrix = {1, 0, 0.5 * (k % 2), 0, 1, 0.5 * (k / 2), 0, 0, 1};
        reports.push_back(report);
    }
    ReconstructOptions o;
    const ReconstructResult good = reconstruct_frames(frames, reports, {}, o);
    EXPECT_EQ(good.self_check->better, good.self_check->regions);
    EXPECT_EQ(good.self_check->regions, 4);
    for (std::size_t k = 1; k < 4; ++k)
        reports[k].motion.matrix[2] += 2;  // wrong by two pixels of the frames
    const ReconstructResult wrong = reconstruct_frames(frames, reports, {}, o);
    EXPECT_GT(wrong.self_check->fallback, 0.5);
}

}  // namespace
}  // namespace plenosr
