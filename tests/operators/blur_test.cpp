#include "backends/cpu/blur.h"

#include <gtest/gtest.h>

#include "backends/cpu/decimate.h"
#include "cases/laws.h"
#include "cases/problems.h"
#include "plenosr/error.h"
#include "psf/blur_decimate.h"

namespace plenosr::cpu {
namespace {

using test::Values;

struct BlurCase {
    const char* spec;
    int width;
    int height;
};

class BlurLaws : public testing::TestWithParam<BlurCase> {
protected:
    BlurLaws()
        : psf(psf_of(GetParam())),
          blur(psf, GetParam().width, GetParam().height),
          shape(blur.padded_shape()),
          pixels(std::size_t(GetParam().width * GetParam().height)),
          padded_pixels(std::size_t(shape.width() * shape.height())) {}

    Values forward(const Values& x) const {
        PaddedImage t(shape);
        blur.forward(x.data(), t, parallel);
        Values out;
        for (int y = 0; y < shape.height(); ++y)
            out.insert(out.end(), t.row(y), t.row(y) + shape.width());
        return out;
    }
    Values adjoint(const Values& values) const {
        PaddedImage t(shape);
        for (int y = 0; y < shape.height(); ++y)
            std::copy_n(values.data() + std::ptrdiff_t(y) * shape.width(), shape.width(), t.row(y));
        Values x(pixels);
        blur.adjoint(t, x.data(), parallel);
        return x;
    }

    static PsfGrid psf_of(const BlurCase& c) {
        const PsfGrid psf =
            std::string(c.spec) == "grid" ? test::varied_psfs(3, 4) : make_psf(BlurSpec{c.spec}, 3);
        return psf.spread_over(c.width, c.height);
    }

    Parallel parallel{2};
    PsfGrid psf;
    Blur blur;
    PaddedShape shape;
    std::size_t pixels;
    std::size_t padded_pixels;
};

TEST_P(BlurLaws, AdjointIsTheTransposeBordersIncluded) {
    EXPECT_LE(test::adjoint_error([&](auto& x) { return forward(x); },
                                  [&](auto& t) { return adjoint(t); }, pixels, padded_pixels),
              1e-6);
}

TEST_P(BlurLaws, AgreesWithThePlainConvolution) {
    test::RandomValues random(3);
    const Image x = random.image(GetParam().width, GetParam().height);
    const Image expected = blur_decimate(x, psf, 1);
    const Values t = forward(x.values);
    for (int y = 0; y < x.height; ++y)
        for (int c = 0; c < x.width; ++c)
            ASSERT_NEAR(t[std::size_t((y + shape.margin) * shape.width() + c + shape.margin)],
                        expected.at(y, c), 2e-3F);
}

TEST_P(BlurLaws, SquaredTapsGiveTheDiagonalAwayFromBorders) {
    if (!psf.uniform()) return;  // interpolated squares are not the squares of interpolated taps
    const Blur squared = blur.squared();
    PaddedImage ones(shape);
    for (int y = 0; y < shape.height(); ++y)
        std::fill_n(ones.row(y), shape.width(), 1.0F);
    Values diagonal(pixels);
    squared.adjoint(ones, diagonal.data(), parallel);
    const int y = GetParam().height / 2;
    const int x = GetParam().width / 2;
    if (y < blur.radius() + 1 || x < blur.radius() + 1)
        return;  // the image is too small: every pixel is near a border
    Values unit(pixels, 0.0F);
    unit[std::size_t(y * GetParam().width + x)] = 1.0F;
    const Values column = forward(unit);
    EXPECT_NEAR(double(diagonal[std::size_t(y * GetParam().width + x)]), test::dot(column, column),
                1e-5);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BlurLaws,
    testing::Values(BlurCase{"gaussian", 33, 21}, BlurCase{"gaussian:1.7", 19, 40},
                    BlurCase{"none", 9, 7}, BlurCase{"motion:9,45", 31, 29},
                    BlurCase{"motion:6,10", 24, 17}, BlurCase{"gaussian:3", 2, 3},
                    BlurCase{"gaussian", 1, 1}, BlurCase{"gaussian", 1, 17},
                    BlurCase{"motion:5,80", 17, 1}, BlurCase{"disc:3.3", 21, 30},
                    BlurCase{"grid", 37, 29}, BlurCase{"grid", 3, 2}, BlurCase{"grid", 1, 17},
                    BlurCase{"grid", 150, 8}));

TEST(Blur, RefusesKernelsLargerThanItsTables) {
    EXPECT_THROW(Blur(Psf{Image(701, 701, 1, 1.0F / (701.0F * 701.0F))}, 10, 10), Error);
}

TEST(Decimate, AdjointIsTheTransposeAndKeepsTheTopLeftPixel) {
    const Decimate d{11, 8, 3};
    const Parallel parallel(1);
    const auto forward = [&](const Values& x) {
        Values low(std::size_t(d.low_width() * d.low_height()));
        d.forward(x.data(), d.width, low.data(), parallel);
        return low;
    };
    const auto adjoint = [&](const Values& low) {
        Values x(88);
        d.adjoint(low.data(), x.data(), d.width, parallel);
        return x;
    };
    EXPECT_LE(test::adjoint_error(forward, adjoint, 88, 6), 1e-7);
    Values x(88);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = float(i);
    EXPECT_EQ(forward(x), (Values{0, 3, 6, 33, 36, 39}));
}

}  // namespace
}  // namespace plenosr::cpu
