#include "plenosr/image.h"

#include <gtest/gtest.h>

#include "plenosr/error.h"

namespace plenosr {
namespace {

// Many colours, with values outside [0, 255].
Image some_colours() {
    Image rgb(7, 5, 3);
    for (std::size_t i = 0; i < rgb.values.size(); ++i) {
        rgb.values[i] = float((i * 37) % 291) - 12.5F;
    }
    return rgb;
}

TEST(Luma, OfGreyIsTheImageItself) {
    const Image grey(3, 2, 1, 17.25F);
    EXPECT_EQ(luma(grey), grey);
}

TEST(Luma, HasTheWeightsOfBt601) {
    Image rgb(4, 1, 3);
    rgb.values = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    const Image y = luma(rgb);
    EXPECT_EQ(y.channels, 1);
    EXPECT_FLOAT_EQ(y.at(0, 0), 0.299F * 255);
    EXPECT_FLOAT_EQ(y.at(0, 1), 0.587F * 255);
    EXPECT_FLOAT_EQ(y.at(0, 2), 0.114F * 255);
    EXPECT_FLOAT_EQ(y.at(0, 3), 255.0F);
}

TEST(YCbCr, GreyHasChroma128) {
    const Image ycbcr = rgb_to_ycbcr(Image(2, 2, 3, 100.0F));
    EXPECT_FLOAT_EQ(ycbcr.at(1, 1, 0), 100.0F);
    EXPECT_FLOAT_EQ(ycbcr.at(1, 1, 1), 128.0F);
    EXPECT_FLOAT_EQ(ycbcr.at(1, 1, 2), 128.0F);
}

TEST(YCbCr, ChromaOfPureColoursIsExtreme) {
    Image rgb(2, 1, 3);
    rgb.values = {255, 0, 0, 0, 0, 255};
    const Image ycbcr = rgb_to_ycbcr(rgb);
    EXPECT_NEAR(ycbcr.at(0, 0, 2), 255.5F, 1e-4F);  // 128 + 127.5
    EXPECT_NEAR(ycbcr.at(0, 1, 1), 255.5F, 1e-4F);
}

TEST(YCbCr, RoundTripIsTheIdentityUpToRounding) {
    const Image rgb = some_colours();
    const Image back = ycbcr_to_rgb(rgb_to_ycbcr(rgb));
    ASSERT_EQ(back.values.size(), rgb.values.size());
    for (std::size_t i = 0; i < rgb.values.size(); ++i) {
        EXPECT_NEAR(back.values[i], rgb.values[i], 1e-4F);
    }
}

TEST(YCbCr, FirstChannelIsLuma) {
    const Image rgb = some_colours();
    EXPECT_EQ(channel(rgb_to_ycbcr(rgb), 0), luma(rgb));
}

TEST(Channels, RoundTripIsTheIdentity) {
    const Image rgb = some_colours();
    EXPECT_EQ(merge_channels({channel(rgb, 0), channel(rgb, 1), channel(rgb, 2)}), rgb);
}

TEST(Channels, InvalidArgumentsAreRefused) {
    EXPECT_THROW(channel(Image(2, 2, 3), 3), Error);
    EXPECT_THROW(channel(Image(2, 2, 3), -1), Error);
    EXPECT_THROW(merge_channels({}), Error);
    EXPECT_THROW(merge_channels({Image(2, 2), Image(2, 3)}), Error);
    EXPECT_THROW(merge_channels({Image(2, 2, 3)}), Error);
    EXPECT_THROW(rgb_to_ycbcr(Image(2, 2)), Error);
    EXPECT_THROW(ycbcr_to_rgb(Image(2, 2)), Error);
    EXPECT_THROW(luma(Image(2, 2, 2)), Error);
}

TEST(Crop, KeepsTheGivenPart) {
    const Image rgb = some_colours();
    const Image part = crop(rgb, 4, 3);
    ASSERT_EQ(part.width, 4);
    ASSERT_EQ(part.height, 3);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            for (int c = 0; c < 3; ++c)
                EXPECT_EQ(part.at(y, x, c), rgb.at(y, x, c));
        }
    }
    EXPECT_EQ(crop(rgb, rgb.width, rgb.height), rgb);
    EXPECT_EQ(crop(rgb, Box{2, 1, 4, 3}).at(1, 1), rgb.at(2, 3));
}

TEST(Crop, BoxesOutsideTheImageAreRefused) {
    EXPECT_THROW(crop(Image(4, 4), 5, 4), Error);
    EXPECT_THROW(crop(Image(4, 4), 4, -1), Error);
    EXPECT_THROW(crop(Image(10, 8), Box{7, 0, 4, 2}), Error);
    EXPECT_THROW(crop(Image(10, 8), Box{-1, 0, 4, 2}), Error);
}

}  // namespace
}  // namespace plenosr
