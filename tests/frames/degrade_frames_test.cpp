#include <gtest/gtest.h>

#include <cmath>

#include "frames/photo.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Without blur, frames of a complete grid put together are the photo, up to rounding.
TEST(DegradeFrames, AGridOfShiftsContainsEveryPixelOnce) {
    for (const int scale : {2, 3}) {
        const Image photo = test::photo(10 * scale, 8 * scale);
        DegradeOptions options = test::degradation(scale);
        options.blur.text = "none";
        const auto shifts = grid_shifts(scale);
        ASSERT_EQ(shifts.size(), std::size_t(scale * scale));
        const LightField frames = degrade_frames(photo, shifts, options);
        const Image together =
            interpolate_frames(test::images_of(frames), test::motions_of(shifts), 0, scale);
        for (int y = 0; y < photo.height; ++y)
            for (int x = 0; x < photo.width; ++x)
                ASSERT_NEAR(together.at(y, x), photo.at(y, x), 0.5001F) << scale;
    }
}

TEST(DegradeFrames, TheUnshiftedFrameEqualsDegrade) {
    const Image photo = test::photo(40, 30);
    const DegradeOptions options = test::degradation(2);
    const LightField frames = degrade_frames(photo, {{0, 0}, {0.25, -0.4}}, options);
    EXPECT_EQ(frames.views[0].image, degrade(photo, {0, 0}, options));
    EXPECT_NE(frames.views[1].image, frames.views[0].image);
    EXPECT_EQ(frames.views[1].position, (ViewPosition{-0.4, 0.25}));
}

TEST(DegradeFrames, AFractionalShiftMovesTheImage) {
    Image ramp(64, 48);
    for (int y = 0; y < ramp.height; ++y)
        for (int x = 0; x < ramp.width; ++x)
            ramp.at(y, x) = float(2 * x + y);
    const LightField frames = degrade_frames(ramp, {{0, 0}, {1.25, 0.5}}, test::degradation(2));
    // 2.5 pixels to the right at 2 grey levels per pixel, and 1 down at 1
    for (int y = 6; y < 18; ++y)
        for (int x = 6; x < 24; ++x)
            ASSERT_NEAR(frames.views[1].image.at(y, x) - frames.views[0].image.at(y, x), 6, 1.01);
}

TEST(DegradeFrames, RepeatedShiftsAndShiftsOutsideThePhotoAreRejected) {
    const Image photo = test::photo(20, 20);
    EXPECT_THROW(degrade_frames(photo, {{0, 0}, {0, 0}}, test::degradation(2)), Error);
    EXPECT_THROW(degrade_frames(photo, {{std::nan(""), 0}}, test::degradation(2)), Error);
    EXPECT_THROW(degrade_frames(test::photo(2, 20), {{0, 0}}, test::degradation(4)), Error);
}

}  // namespace
}  // namespace plenosr
