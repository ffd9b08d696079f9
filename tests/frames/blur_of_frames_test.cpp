#include "frames/blur_of_frames.h"

#include <gtest/gtest.h>

#include <cmath>

#include "frames/photo.h"
#include "plenosr/metrics.h"

namespace plenosr {
namespace {

TEST(BlurOfFrames, MotionsOfPartsAreThoseOfTheWholeFrames) {
    FrameMotion motion{{1.02, 0.03, 4, -0.03, 0.99, -1, 1e-4, 2e-4, 1}, Image(64, 64, 2)};
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
            motion.flow.at(y, x, 0) = float(0.01 * x * y);
    const Box frame{10, 20, 32, 32};
    const Box reference{7, 25, 32, 32};
    const FrameMotion part = motion_of_parts(motion, frame, reference);
    for (const Place p : {Place{0, 0}, Place{31, 3}, Place{12, 25}}) {
        const Place whole = motion.to_reference({p.x + frame.x0, p.y + frame.y0});
        const Place in_part = part.to_reference(p);
        EXPECT_NEAR(in_part.x + reference.x0, whole.x, 1e-9);
        EXPECT_NEAR(in_part.y + reference.y0, whole.y, 1e-9);
    }
}

// Frames that are far apart: windows at equal places would not show the same.
TEST(BlurOfFrames, FindsTheWidthOfALens) {
    const Image truth = test::photo(256, 224, "random");
    const std::vector<Place> shifts = {{0, 0},       {20.5, -11.0},  {-15.25, 8.5},
                                       {9.75, 13.5}, {-3.5, -18.25}, {14.0, 2.5}};
    DegradeOptions degradation = test::degradation(2, 1);
    degradation.camera.lens = 0.9;
    const std::vector<Image> frames = test::images_of(degrade_frames(truth, shifts, degradation));
    std::vector<FrameReport> reports(shifts.size());
    const std::vector<FrameMotion> motions = test::motions_of(shifts);
    for (std::size_t k = 0; k < shifts.size(); ++k)
        reports[k].motion = motions[k];
    const auto solved = [&](const char* blur) {
        ReconstructOptions o;
        o.blur.text = blur;
        return reconstruct_frames(frames, reports, {}, o);
    };
    const ReconstructResult found = solved("auto");
    ASSERT_TRUE(found.blur);
    const double width = std::sqrt(0.9 * 0.9 + 4.0 / 12);
    EXPECT_LE(found.blur->sigma, 1.1 * width);
    EXPECT_GE(found.blur->sigma, 0.75 * width);
    EXPECT_GT(compare(found.image, truth, {.border = 40}).psnr,
              compare(solved("gaussian").image, truth, {.border = 40}).psnr + 1);
}

}  // namespace
}  // namespace plenosr
