// Low-resolution pixels that do not lie on pixels of the result: the result lies where the truth
// is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/scenes.h"
#include "plenosr/frames.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

// The largest shift along x or y that registers the image to the truth, in pixels.
double displacement(const Image& image, const Image& truth) {
    FramesOptions shift;
    shift.registration = Registration::translation;
    const FrameMotion motion = register_frames({truth, image}, shift)[1].motion;
    return std::max(std::abs(motion.matrix[2]), std::abs(motion.matrix[5]));
}

struct Case {
    const char* blur;
    const char* phase;
    int scale;
};

ReconstructOptions options_of(const Case& c) {
    ReconstructOptions o;
    o.scale = c.scale;
    o.blur.text = c.blur;
    o.phase.text = c.phase;
    o.denoiser = Denoiser::none;
    return o;
}

TEST(Phase, ResultAndBicubicAreRegisteredToTheTruth) {
    for (const Case& c : {Case{"bicubic", "", 2},
                          {"bicubic", "", 3},
                          {"gaussian", "centre", 2},
                          {"gaussian", "-0.75", 2},
                          {"gaussian", "corner", 2}}) {
        const auto scene = test::degraded_scene(
            {"planes", 3, 132, 132, 1, c.scale, 1, 0, c.blur, Colour::luma, 1, c.phase});
        const ReconstructOptions o = options_of(c);
        const SamplingGrid sampling = sampling_grid(o.blur, o.phase, o.scale);
        const Image bicubic = enlarge_view(scene.views.find(scene.centre)->image, sampling);
        EXPECT_LE(displacement(bicubic, scene.truth), 0.04) << c.blur << c.phase << c.scale;
        for (const Image& map : {scene.full_disparity, scene.low_disparity}) {
            const ReconstructResult result = reconstruct(scene.views, scene.centre, map, o);
            EXPECT_LE(displacement(result.image, scene.truth), 0.02)
                << c.blur << c.phase << c.scale << " map " << map.width;
            EXPECT_GT(compare(result.image, scene.truth).psnr,
                      compare(bicubic, scene.truth).psnr + 0.5);
        }
    }
}

TEST(Phase, TakenWronglyMovesTheResultByTheDifference) {
    const auto scene = test::degraded_scene({"planes", 3, 132, 132, 1, 2, 1, 0, "bicubic"});
    ReconstructOptions o = options_of({"bicubic", "corner", 2});
    const ReconstructResult result =
        reconstruct(scene.views, scene.centre, scene.full_disparity, o);
    EXPECT_NEAR(displacement(result.image, scene.truth), 0.5, 0.05);
}

TEST(Phase, TilesAgreeWithTheWhole) {
    const auto scene = test::degraded_scene({"curved", 3, 192, 160, 1, 2, 1, 0, "bicubic"});
    ReconstructOptions o = options_of({"bicubic", "", 2});
    const ReconstructResult whole = reconstruct(scene.views, scene.centre, scene.low_disparity, o);
    o.memory_limit = std::size_t(5) << 20U;
    const ReconstructResult tiled = reconstruct(scene.views, scene.centre, scene.low_disparity, o);
    EXPECT_GT(tiled.tiles.count, 1);
    EXPECT_GE(test::closeness(whole.image, tiled.image), 55.0);
}

TEST(Phase, OfFramesIsTheSame) {
    SynthOptions synth;
    synth.rows = synth.cols = 1;
    synth.width = synth.height = 144;
    synth.channels = 1;
    const Image photo = synthesise(synth).light_field.views.front().image;
    DegradeOptions camera;
    camera.blur.text = "bicubic";
    const auto shifts = grid_shifts(2);
    const LightField burst = degrade_frames(photo, shifts, camera);
    std::vector<Image> frames;
    std::vector<FrameReport> reports;
    for (std::size_t k = 0; k < shifts.size(); ++k) {
        frames.push_back(burst.views[k].image);
        reports.push_back({FrameMotion::translation(shifts[k].x, shifts[k].y)});
    }
    const ReconstructOptions o = options_of({"bicubic", "", 2});
    const ReconstructResult result = reconstruct_frames(frames, reports, {}, o);
    EXPECT_LE(displacement(result.image, photo), 0.02);
    std::vector<FrameMotion> motions;
    for (const FrameReport& report : reports)
        motions.push_back(report.motion);
    // Samples lie half a pixel from the nearest pixel of the result.
    EXPECT_GT(compare(result.image, photo).psnr,
              compare(enlarge_view(frames[0], {2, 0.5}), photo).psnr + 3);
}

}  // namespace
}  // namespace plenosr
