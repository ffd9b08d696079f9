#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

TEST(ImageView, ReadsAnyStridesAndSignsWithoutAlpha) {
    // 2 x 3 pixels of four channels, stored from the last row and column to the first.
    std::array<std::uint8_t, 24> stored{};
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[i] = std::uint8_t(10 * i);
    ImageView view(stored.data() + 20, SampleType::uint8, 3, 2, 3);
    view.pixel_stride = -4;
    view.row_stride = -12;
    const Image image = to_image(view);
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x)
            for (int c = 0; c < 3; ++c)
                EXPECT_EQ(image.at(y, x, c), float(stored[std::size_t(20 - 12 * y - 4 * x + c)]));
    EXPECT_EQ(crop(view, {1, 0, 2, 1}), crop(image, {1, 0, 2, 1}));
    EXPECT_EQ(luma(view), luma(image));
}

TEST(ImageView, WhiteOfFloatsIs255InTheImage) {
    const std::array<double, 3> halves = {0, 0.5, 1};
    ImageView view(halves.data(), SampleType::float64, 3, 1);
    view.white = 1;
    EXPECT_EQ(to_image(view).values, (std::vector<float>{0, 127.5F, 255}));
}

TEST(LightFieldView, UsesTheMemoryOfTheLightField) {
    LightField light_field;
    light_field.grid = {0, 0, 1, 2};
    light_field.views = {{{0, 0}, Image(4, 3)}, {{0, 1}, Image(4, 3)}};
    const LightFieldView view = light_field;
    ASSERT_EQ(view.views.size(), 2U);
    EXPECT_EQ(view.find({0, 1})->image.data, light_field.views[1].image.values.data());
    const LightFieldView copy = shared_view(std::move(light_field));
    EXPECT_EQ(copy.views.front().image.data, view.views.front().image.data);
}

TEST(LightFieldView, RefusesValuesThatAreNotFinite) {
    std::array<float, 4> values = {1, 2, NAN, 4};
    LightFieldView view;
    view.views = {{{0, 0}, {values.data(), SampleType::float32, 2, 2}}};
    EXPECT_THROW(view.validate(), Error);
    values[2] = 3;
    EXPECT_NO_THROW(view.validate());
}

}  // namespace
}  // namespace plenosr
