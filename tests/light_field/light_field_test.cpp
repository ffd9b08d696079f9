#include "plenosr/light_field.h"

#include <gtest/gtest.h>

#include <limits>

#include "cases/refusal.h"

namespace plenosr {
namespace {

LightField two_by_two() {
    LightField field;
    field.grid = {5, 7, 2, 2};
    for (int row = 5; row < 7; ++row) {
        for (int col = 7; col < 9; ++col) {
            field.views.push_back({{double(row), double(col)}, Image(4, 3, 3, 10.0F)});
        }
    }
    return field;
}

std::string refusal(const LightField& field) {
    return test::refusal_of(ErrorKind::input, [&] { field.validate(); });
}

TEST(ViewGrid, CentreIsTheLaterMiddleOfAnEvenNumber) {
    EXPECT_EQ((ViewGrid{0, 0, 9, 9}.centre()), (ViewPosition{4, 4}));
    EXPECT_EQ((ViewGrid{5, 5, 4, 2}.centre()), (ViewPosition{7, 6}));
}

TEST(ViewPosition, RoundTripOfTheText) {
    for (const ViewPosition position : {ViewPosition{4, 4}, ViewPosition{-1, 12},
                                        ViewPosition{0.5, 3.25}, ViewPosition{0.1, 0}}) {
        EXPECT_EQ(parse_view_position(to_string(position)), position);
    }
    EXPECT_EQ(to_string(ViewPosition{4, 4}), "4,4");
    EXPECT_EQ(to_string(ViewPosition{-0.0, 0}), "0,0");
}

TEST(ViewPosition, OtherTextIsAnInvalidOption) {
    for (const char* text : {"", ",", "4", "4,", ",4", "a,b", "4,4,4", "4;4", "nan,1", "inf,1",
                             "1e999,1", "4 4", "0x4,1"}) {
        test::refusal_of(ErrorKind::invalid_option, [&] { parse_view_position(text); });
    }
}

TEST(LightField, FindsViewsByPosition) {
    const LightField field = two_by_two();
    ASSERT_NE(field.find({6, 7}), nullptr);
    EXPECT_EQ(field.find({6, 7})->position, (ViewPosition{6, 7}));
    EXPECT_EQ(field.find({0, 0}), nullptr);
}

TEST(LightField, CompleteGridIsValid) {
    EXPECT_NO_THROW(two_by_two().validate());
}

TEST(LightField, WithoutViewsIsRefused) {
    refusal({});
}

TEST(LightField, ViewsOfDifferentSizesAreRefusedByPosition) {
    LightField field = two_by_two();
    field.views[2].image = Image(4, 4, 3);
    EXPECT_TRUE(test::mentions(refusal(field), "6,7 has 4x4")) << refusal(field);
}

TEST(LightField, ViewsOfDifferentChannelsAreRefused) {
    LightField field = two_by_two();
    field.views[3].image = Image(4, 3, 1);
    refusal(field);
}

TEST(LightField, TwoViewsAtOnePositionAreRefused) {
    LightField field = two_by_two();
    field.views[3].position = field.views[0].position;
    EXPECT_TRUE(test::mentions(refusal(field), "5,7")) << refusal(field);
}

TEST(LightField, ValuesThatAreNotFiniteAreRefusedWithTheirPixel) {
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        LightField field = two_by_two();
        field.views[1].image.at(2, 3, 1) = bad;
        EXPECT_TRUE(test::mentions(refusal(field), "x = 3, y = 2")) << refusal(field);
    }
}

TEST(LightField, InconsistentImagesAreRefused) {
    LightField field = two_by_two();
    field.views[0].image.values.pop_back();
    refusal(field);
    field.views[0].image = Image(4, 3, 2);
    refusal(field);
    field.views[0].image = Image();
    refusal(field);
}

// A grey picture with these fractions of black and white pixels at pseudo-random places.
Image speckled(double share) {
    Image image(200, 200, 1, 90.5F);
    std::uint32_t state = 7;
    for (float& value : image.values) {
        state = state * 1664525U + 1013904223U;
        const double chance = double(state >> 8U) / double(1U << 24U);
        if (chance < share) value = chance < share / 2 ? 0.0F : 255.0F;
    }
    return image;
}

TEST(Clipping, IsShownBySamplesThatStandAlone) {
    EXPECT_TRUE(shows_clipping({speckled(0.2)}));
    EXPECT_TRUE(shows_clipping({speckled(0.001)}));
    EXPECT_FALSE(shows_clipping({speckled(0)}));
    // The extremes of data that were scaled to 0-255.
    Image image = speckled(0);
    image.at(7, 9) = 0;
    image.at(70, 9) = 255;
    EXPECT_FALSE(shows_clipping({image}));
    // Areas and lines of exact black and white.
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 200; ++x) {
            if (x + 2 * y < 180) image.at(y, x) = 0;
            if (x > 120 && y > 140) image.at(y, x) = 255;
            if (x % 40 == 3 && y < 100) image.at(y, x) = 0;
        }
    EXPECT_FALSE(shows_clipping({image}));
    LightField field;
    field.views = {{{0, 0}, image}, {{0, 1}, speckled(0.01)}};
    EXPECT_TRUE(shows_clipping(field));
    field.views.pop_back();
    EXPECT_FALSE(shows_clipping(field));
}

}  // namespace
}  // namespace plenosr
