#include "backends/cpu/warp.h"

#include <gtest/gtest.h>

#include "cases/laws.h"
#include "cases/plain_operators.h"

namespace plenosr::cpu {
namespace {

using test::Values;

struct WarpCase {
    const char* name;
    int width;
    int height;
    double u;
    double v;
    Interpolation interpolation;
    float far_disparity;
    float near_disparity;
};

// A near square in front of a far, slanted background: disparities jump, and all fractions occur.
Image square_on_background(const WarpCase& c) {
    Image d(c.width, c.height);
    for (int y = 0; y < c.height; ++y)
        for (int x = 0; x < c.width; ++x) {
            const bool near = 3 * x >= c.width && 3 * x < 2 * c.width && 3 * y >= c.height &&
                              3 * y < 2 * c.height;
            d.at(y, x) = (near ? c.near_disparity : c.far_disparity) + 0.013F * float(x + 2 * y);
        }
    return d;
}

class WarpLaws : public testing::TestWithParam<WarpCase> {
protected:
    WarpLaws()
        : disparity(square_on_background(GetParam())),
          warp(disparity, GetParam().u, GetParam().v, GetParam().interpolation,
               {disparity.width, disparity.height}) {}

    Values forward(const Values& x) {
        Values out(x.size());
        warp.forward(x.data(), out.data(), parallel);
        return out;
    }
    Values adjoint(const Values& in) {
        Values x(in.size());
        warp.adjoint(in.data(), x.data(), parallel);
        return x;
    }

    Parallel parallel{2};
    Image disparity;
    Warp warp;
};

TEST_P(WarpLaws, AdjointIsTheTransposeAtDepthEdgesAndBorders) {
    const std::size_t n = disparity.pixels();
    EXPECT_LE(test::adjoint_error([&](auto& x) { return forward(x); },
                                  [&](auto& x) { return adjoint(x); }, n, n),
              1e-6);
}

TEST_P(WarpLaws, IsLinear) {
    EXPECT_LE(test::linearity_error([&](auto& x) { return forward(x); }, disparity.pixels()), 2e-6);
}

TEST_P(WarpLaws, AgreesWithThePlainFormula) {
    test::RandomValues random(4);
    const Values x = random.vector(disparity.pixels(), 0.0F, 255.0F);
    const test::plain::Doubles image(x.begin(), x.end());
    const auto expected =
        test::plain::warp(test::plain::continued(image, disparity.width, disparity.height),
                          disparity, GetParam().u, GetParam().v, GetParam().interpolation);
    const Values out = forward(x);
    for (std::size_t i = 0; i < out.size(); ++i)
        ASSERT_NEAR(double(out[i]), expected[i], 2e-4) << "pixel " << i;
}

constexpr auto bilinear = Interpolation::bilinear;
constexpr auto bicubic = Interpolation::bicubic;

INSTANTIATE_TEST_SUITE_P(
    Cases, WarpLaws,
    testing::Values(WarpCase{"bicubic", 31, 23, 1, -2, bicubic, -1.3F, 2.4F},
                    WarpCase{"bilinear", 31, 23, 1, -2, bilinear, -1.3F, 2.4F},
                    WarpCase{"fractional_offset", 24, 17, -0.75, 1.5, bicubic, 0.2F, 3.1F},
                    WarpCase{"far_outside", 19, 21, 4, 4, bicubic, -30.0F, 30.0F},
                    WarpCase{"far_outside_bilinear", 19, 21, 4, -4, bilinear, -30.0F, 30.0F},
                    WarpCase{"one_pixel", 1, 1, 1, 1, bicubic, 0.5F, 0.5F},
                    WarpCase{"one_row", 17, 1, 2, 1, bicubic, -0.4F, 0.9F},
                    WarpCase{"one_column", 1, 17, 2, 1, bilinear, -0.4F, 0.9F},
                    WarpCase{"two_by_three", 2, 3, 1, 1, bicubic, 0.3F, 1.7F},
                    // A position stored as one float would be wrong by 5e-4 of a pixel here.
                    WarpCase{"wide", 4001, 5, 1, 0, bicubic, 0.0F, -1.1F},
                    WarpCase{"wide_bilinear", 4001, 5, 1, 0, bilinear, 0.0F, -1.1F}),
    [](const auto& test) { return std::string(test.param.name); });

Values warped(const Image& disparity, double u, double v, const Image& x) {
    Warp warp(disparity, u, v, bicubic, {disparity.width, disparity.height});
    Values out(x.pixels());
    warp.forward(x.values.data(), out.data(), Parallel(1));
    return out;
}

TEST(Warp, ZeroDisparityIsTheIdentity) {
    test::RandomValues random(5);
    const Image x = random.image(21, 14);
    EXPECT_EQ(warped(Image(21, 14), 3, -2, x), x.values);
}

TEST(Warp, WholePixelDisparityIsAnExactShift) {
    test::RandomValues random(6);
    const Image x = random.image(25, 18);
    const Values out = warped(Image(25, 18, 1, 2.0F), 1, -1, x);  // (+2, -2)
    for (int y = 0; y < 18; ++y)
        for (int c = 0; c < 25; ++c)  // beyond the border, the border pixel is read
            ASSERT_EQ(out[x.index(y, c)], x.at(std::max(0, y - 2), std::min(24, c + 2)));
}

TEST(Warp, ARampIsMovedExactlyBetweenPixels) {
    Image x(40, 12);
    for (int y = 0; y < 12; ++y)
        for (int c = 0; c < 40; ++c)
            x.at(y, c) = 2.0F * float(c) - 3.0F * float(y);
    const Values out = warped(Image(40, 12, 1, 0.3F), 1, 2, x);  // (+0.3, +0.6)
    for (int y = 2; y < 9; ++y)
        for (int c = 2; c < 37; ++c)
            ASSERT_NEAR(out[x.index(y, c)], x.at(y, c) + 2.0F * 0.3F - 3.0F * 0.6F, 1e-4F);
}

TEST(Warp, PositionsBeyondAnyIntegerReadTheNearestBorder) {
    Image x(9, 1);
    for (int c = 0; c < 9; ++c)
        x.at(0, c) = float(c);
    for (const float d : {1e10F, 1e30F}) {
        for (const float seen : warped(Image(9, 1, 1, d), 1, 0, x))
            ASSERT_EQ(seen, 8.0F);
        for (const float seen : warped(Image(9, 1, 1, -d), 1, 0, x))
            ASSERT_EQ(seen, 0.0F);
    }
}

}  // namespace
}  // namespace plenosr::cpu
