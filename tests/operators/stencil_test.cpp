#include "backends/cpu/stencil.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/laws.h"
#include "cases/plain_operators.h"

namespace plenosr::cpu {
namespace {

using test::Values;

// Random samples over a padded image, some of them far outside, with random weights.
struct Samples {
    PaddedShape shape;
    std::vector<Position> positions;
    Sampler sampler;
    Values m;

    Samples(int width, int height, Interpolation interpolation, int count)
        : shape{width, height, 4},
          positions(random_positions(width, height, count)),
          sampler(shape, interpolation, positions, 1),
          m(test::RandomValues(2).vector(positions.size(), 0.1F, 1.0F)) {}

    static std::vector<Position> random_positions(int width, int height, int count) {
        test::RandomValues random(1);
        std::vector<Position> positions;
        for (int i = 0; i < count; ++i)
            positions.push_back(Position::at(double(random.next(-6.0F, float(width) + 6.0F)),
                                             double(random.next(-6.0F, float(height) + 6.0F))));
        return positions;
    }
    PaddedImage random_image(std::uint64_t seed) const {
        test::RandomValues random(seed);
        PaddedImage t(shape);
        for (int y = 0; y < shape.height(); ++y)
            for (int x = 0; x < shape.width(); ++x)
                t.row(y)[x] = random.next();
        return t;
    }
};

Values values_of(const PaddedImage& t) {
    Values values;
    for (int y = 0; y < t.shape().height(); ++y)
        values.insert(values.end(), t.row(y), t.row(y) + t.shape().width());
    return values;
}

Values applied(const Samples& s, const PaddedImage& in, int threads) {
    const Parallel parallel(threads);
    Stencil stencil(s.shape, s.sampler.taps());
    stencil.assemble(s.sampler, s.m.data(), parallel);
    PaddedImage out(s.shape);
    stencil.apply(in, out, parallel);
    return values_of(out);
}

class StencilLaws : public testing::TestWithParam<std::tuple<int, int, Interpolation>> {
protected:
    Samples samples{std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()),
                    3 * std::get<0>(GetParam()) * std::get<1>(GetParam())};
};

TEST_P(StencilLaws, EqualsSamplingAndScatteringToThreeDigits) {
    const PaddedImage in = samples.random_image(3);
    PaddedImage expected(samples.shape);
    samples.sampler.normal(in, samples.m.data(), expected, Parallel(1));
    const double difference =
        test::relative_difference(applied(samples, in, 1), values_of(expected));
    EXPECT_LE(difference, 5e-4);
    EXPECT_GT(difference, 0.0) << "coefficients have 16 bits";
}

TEST_P(StencilLaws, IsSymmetric) {
    const PaddedImage a = samples.random_image(5);
    const PaddedImage b = samples.random_image(6);
    const Values na = applied(samples, a, 1);
    const Values nb = applied(samples, b, 1);
    EXPECT_NEAR(test::dot(na, values_of(b)), test::dot(values_of(a), nb),
                1e-6 * test::norm(na) * test::norm(values_of(b)));
}

TEST_P(StencilLaws, ThreadsChangeNoBit) {
    const PaddedImage in = samples.random_image(7);
    EXPECT_EQ(applied(samples, in, 1), applied(samples, in, 7));
}

INSTANTIATE_TEST_SUITE_P(Cases, StencilLaws,
                         testing::Combine(testing::Values(1, 7, 33, 150), testing::Values(1, 6, 40),
                                          testing::Values(Interpolation::bilinear,
                                                          Interpolation::bicubic)));

// N(p, q) = sum_i m_i h_i(p) h_i(q), rounded to 16 bits: 11 bits of precision, 2^-25 near zero
void expect_coefficients_of_the_formula(Interpolation interpolation) {
    const Samples s(5, 4, interpolation, 60);
    const int width = s.shape.width();
    const int height = s.shape.height();
    const int radius = s.sampler.taps() - 1;
    const auto pixels = std::size_t(width * height);
    // Columns of P and of N, from unit images
    std::vector<Values> of_p;
    std::vector<Values> of_n;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            PaddedImage unit(s.shape);
            unit.row(y)[x] = 1.0F;
            Values column(s.sampler.size());
            s.sampler.forward(unit, column.data(), Parallel(1));
            of_p.push_back(column);
            of_n.push_back(applied(s, unit, 1));
        }
    for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t q = 0; q < pixels; ++q) {
            double expected = 0;
            for (std::size_t i = 0; i < s.m.size(); ++i)
                expected += double(s.m[i]) * double(of_p[p][i]) * double(of_p[q][i]);
            const int dy = int(q) / width - int(p) / width;
            const int dx = int(q) % width - int(p) % width;
            if (std::abs(dy) > radius || std::abs(dx) > radius) {
                ASSERT_EQ(expected, 0.0) << "samples reach further than the stencil";
            }
            ASSERT_NEAR(double(of_n[q][p]), expected,
                        std::ldexp(std::abs(expected), -11) + std::ldexp(1.0, -25) + 1e-6);
        }
}

TEST(Stencil, BicubicCoefficientsAreThoseOfTheFormulaWithinRadius3) {
    expect_coefficients_of_the_formula(Interpolation::bicubic);
}

TEST(Stencil, BilinearCoefficientsAreThoseOfTheFormulaWithinRadius1) {
    expect_coefficients_of_the_formula(Interpolation::bilinear);
}

TEST(Stencil, StoresTwoBytesForEachOf25Neighbours) {
    const PaddedShape shape{20, 20, 4};
    EXPECT_EQ(Stencil(shape, 4).bytes(), shape.size() * 25 * 2);
    EXPECT_EQ(Stencil::bytes_for(shape, 4), Stencil(shape, 4).bytes());
}

}  // namespace
}  // namespace plenosr::cpu
