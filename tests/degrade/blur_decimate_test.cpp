#include "psf/blur_decimate.h"

#include <gtest/gtest.h>

#include "plenosr/error.h"

namespace plenosr {
namespace {

Image ramp(int width, int height, int channels = 1) {
    Image image(width, height, channels);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                image.at(y, x, c) = float(3 * x + 7 * y + 20 * c);
    return image;
}

TEST(BlurDecimate, KeepsTheTopLeftPixelOfEachBlock) {
    for (int scale : {1, 2, 3, 4, 5})
        for (int width : {5, 16, 23}) {
            const Image image = ramp(width, 17, 3);
            const Image small = blur_decimate(image, identity_psf(), scale);
            ASSERT_EQ(small.width, width / scale);
            ASSERT_EQ(small.height, 17 / scale);
            for (int y = 0; y < small.height; ++y)
                for (int x = 0; x < small.width; ++x)
                    for (int c = 0; c < 3; ++c)
                        EXPECT_EQ(small.at(y, x, c), image.at(scale * y, scale * x, c));
        }
}

TEST(BlurDecimate, IsAConvolution) {
    // A single bright pixel becomes the kernel, not its mirror image.
    Image kernel(3, 5);
    for (std::size_t i = 0; i < kernel.values.size(); ++i)
        kernel.values[i] = float(i + 1);
    const Psf psf = psf_from_kernel(kernel);
    Image point(11, 11);
    point.at(5, 6) = 1;
    const Image spread = blur_decimate(point, psf, 1);
    for (int y = 0; y < 11; ++y)
        for (int x = 0; x < 11; ++x) {
            const int ky = y - 5 + 2;
            const int kx = x - 6 + 1;
            const bool inside = ky >= 0 && ky < 5 && kx >= 0 && kx < 3;
            EXPECT_EQ(spread.at(y, x), inside ? psf.kernel.at(ky, kx) : 0.0F);
        }
}

TEST(BlurDecimate, ReplicatesTheBorder) {
    Image edge(4, 1);
    edge.values = {8, 0, 0, 4};
    const Image blurred = blur_decimate(edge, psf_from_kernel(Image(3, 1, 1, 1)), 1);
    EXPECT_NEAR(blurred.at(0, 0), 16.0 / 3, 1e-5);
    EXPECT_NEAR(blurred.at(0, 1), 8.0 / 3, 1e-5);
    EXPECT_NEAR(blurred.at(0, 3), 8.0 / 3, 1e-5);
}

TEST(BlurDecimate, KeepsEveryNthPixelOfTheBlurredImage) {
    const Image image = ramp(19, 14, 3);
    for (const Psf& psf : {gaussian_psf(1.3), motion_psf(9, 45)}) {
        const Image full = blur_decimate(image, psf, 1);
        for (int scale : {2, 3, 5})
            EXPECT_EQ(blur_decimate(image, psf, scale), blur_decimate(full, identity_psf(), scale));
    }
}

TEST(BlurDecimate, PsfMayBeLargerThanTheImage) {
    const Image image(3, 2, 1, 77);
    const Image blurred = blur_decimate(image, gaussian_psf(4), 2);
    ASSERT_EQ(blurred.pixels(), 1U);
    EXPECT_NEAR(blurred.at(0, 0), 77, 1e-3);
}

TEST(BlurDecimate, RefusesImagesSmallerThanTheScale) {
    EXPECT_THROW(blur_decimate(Image(3, 9), identity_psf(), 4), Error);
    EXPECT_THROW(blur_decimate(Image(9, 3), identity_psf(), 4), Error);
    EXPECT_THROW(blur_decimate(Image(), identity_psf(), 1), Error);
    EXPECT_THROW(blur_decimate(Image(9, 9), identity_psf(), 0), Error);
}

}  // namespace
}  // namespace plenosr
