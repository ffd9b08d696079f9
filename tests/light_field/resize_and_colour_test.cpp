#include <gtest/gtest.h>

#include <cmath>

#include "plenosr/error.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"

namespace plenosr::test {
namespace {

Image wave(int width, int height, double frequency) {
    Image image(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.at(y, x) = float(100 + 50 * std::sin(frequency * (x + 0.5) / width));
    return image;
}

TEST(Resize, SameSizeIsTheIdentity) {
    const Image image = wave(17, 9, 20);
    EXPECT_EQ(resize(image, 17, 9), image);
}

TEST(Resize, KeepsConstants) {
    for (const int size : {1, 3, 10, 37}) {
        const Image resized = resize(Image(10, 10, 3, 42.0F), size, size + 1);
        for (const float value : resized.values)
            EXPECT_NEAR(value, 42, 1e-4);
    }
}

TEST(Resize, SmoothImagesAreNotShifted) {
    for (const int width : {40, 64, 150}) {
        const Image expected = wave(width, 4, 12);
        const Image found = resize(wave(80, 4, 12), width, 4);
        for (int x = width / 10; x < width - width / 10; ++x)
            EXPECT_NEAR(found.at(2, x), expected.at(2, x), 0.6) << width << " " << x;
    }
}

TEST(Resize, ShrinkingDoesNotAlias) {
    Image stripes(64, 8);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 64; ++x)
            stripes.at(y, x) = x % 2 == 0 ? 0.0F : 200.0F;
    const Image small = resize(stripes, 16, 8);
    for (int x = 2; x < 14; ++x)
        EXPECT_NEAR(small.at(4, x), 100, 2);
}

TEST(Colour, SrgbCurveHasKnownValues) {
    Image image(6, 1);
    image.values = {0, 10.31475F, 127.5F, 255, -127.5F, 300};
    const Image linear = to_linear(image);
    EXPECT_EQ(linear.values[0], 0);
    EXPECT_NEAR(linear.values[1] / 255, 0.04045 / 12.92, 1e-6);
    EXPECT_NEAR(linear.values[2] / 255, 0.21404, 1e-5);
    EXPECT_NEAR(linear.values[3], 255, 1e-4);
    EXPECT_EQ(linear.values[4], -linear.values[2]);
    EXPECT_GT(linear.values[5], 255);
    const Image back = to_srgb(linear);
    for (std::size_t i = 0; i < image.values.size(); ++i)
        EXPECT_NEAR(back.values[i], image.values[i], 1e-3);
}

TEST(Equalise, RemovesKnownGains) {
    LightField field;
    field.grid = {0, 0, 1, 3};
    for (int i = 0; i < 3; ++i) {
        Image image = merge_channels({wave(20, 5, 3), wave(20, 5, 7), wave(20, 5, 9)});
        for (std::size_t k = 0; k < image.values.size(); ++k)
            image.values[k] *= 1.0F - 0.1F * float(i) * float(k % 3);
        field.views.push_back({{0, double(i)}, image});
    }
    const Image reference = field.views[0].image;
    equalise_views(field, {0, 0});
    for (const View& view : field.views)
        for (std::size_t k = 0; k < reference.values.size(); ++k)
            EXPECT_NEAR(view.image.values[k], reference.values[k], 1e-3);
    EXPECT_THROW(equalise_views(field, {7, 7}), Error);
}

}  // namespace
}  // namespace plenosr::test
