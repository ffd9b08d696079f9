#include "backends/cpu/stencil.h"

#include <gtest/gtest.h>

#include "cases/laws.h"
#include "cases/plain_operators.h"

namespace plenosr::cpu {
namespace {

using test::Values;

// Random samples over a frame, some of them far outside, with random weights.
struct Samples {
    FrameShape shape;
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
    Frame random_frame(std::uint64_t seed) const {
        test::RandomValues random(seed);
        Frame t(shape);
        for (int y = 0; y < shape.height(); ++y)
            for (int x = 0; x < shape.width(); ++x)
                t.row(y)[x] = random.next();
        return t;
    }
};

Values values_of(const Frame& t) {
    Values values;
    for (int y = 0; y < t.shape().height(); ++y)
        values.insert(values.end(), t.row(y), t.row(y) + t.shape().width());
    return values;
}

template <class T>
Values applied(const Samples& s, const Frame& in, int threads) {
    const Parallel parallel(threads);
    Stencil<T> stencil(s.shape, s.sampler.taps());
    stencil.assemble(s.sampler, s.m.data(), parallel);
    Frame out(s.shape);
    stencil.apply(in, out, parallel);
    return values_of(out);
}

class StencilLaws : public testing::TestWithParam<std::tuple<int, int, Interpolation>> {
protected:
    Samples samples{std::get<0>(GetParam()), std::get<1>(GetParam()), std::get<2>(GetParam()),
                    3 * std::get<0>(GetParam()) * std::get<1>(GetParam())};
};

TEST_P(StencilLaws, AppliedItIsSampleByScatter) {
    const Frame in = samples.random_frame(3);
    Frame expected(samples.shape);
    samples.sampler.normal(in, samples.m.data(), expected, Parallel(1));
    EXPECT_LE(test::relative_difference(applied<float>(samples, in, 1), values_of(expected)), 3e-6);
}

TEST_P(StencilLaws, SixteenBitCoefficientsAreRightToThreeDigits) {
    const Frame in = samples.random_frame(4);
    const double difference = test::relative_difference(applied<hwy::float16_t>(samples, in, 1),
                                                        applied<float>(samples, in, 1));
    EXPECT_LE(difference, 1e-3);
    EXPECT_GT(difference, 0.0);
}

TEST_P(StencilLaws, IsSymmetric) {
    const Frame a = samples.random_frame(5);
    const Frame b = samples.random_frame(6);
    const Values na = applied<float>(samples, a, 1);
    const Values nb = applied<float>(samples, b, 1);
    EXPECT_NEAR(test::dot(na, values_of(b)), test::dot(values_of(a), nb),
                1e-6 * test::norm(na) * test::norm(values_of(b)));
}

TEST_P(StencilLaws, ThreadsChangeNoBit) {
    const Frame in = samples.random_frame(7);
    EXPECT_EQ(applied<float>(samples, in, 1), applied<float>(samples, in, 7));
    EXPECT_EQ(applied<hwy::float16_t>(samples, in, 1), applied<hwy::float16_t>(samples, in, 7));
}

INSTANTIATE_TEST_SUITE_P(Cases, StencilLaws,
                         testing::Combine(testing::Values(1, 7, 33, 150), testing::Values(1, 6, 40),
                                          testing::Values(Interpolation::bilinear,
                                                          Interpolation::bicubic)));

// N(p, p + (dx, dy)) = sum_i m_i h_i(p) h_i(p + (dx, dy))
void expect_coefficients_of_the_formula(Interpolation interpolation) {
    const Samples s(5, 4, interpolation, 60);
    Stencil<float> stencil(s.shape, s.sampler.taps());
    stencil.assemble(s.sampler, s.m.data(), Parallel(1));
    const int width = s.shape.width();
    const int height = s.shape.height();
    const int radius = s.sampler.taps() - 1;
    const auto pixels = std::size_t(width * height);
    // P as a matrix, from unit frames
    std::vector<Values> columns;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            Frame unit(s.shape);
            unit.row(y)[x] = 1.0F;
            Values column(s.sampler.size());
            s.sampler.forward(unit, column.data(), Parallel(1));
            columns.push_back(column);
        }
    for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t q = p; q < pixels; ++q) {
            double expected = 0;
            for (std::size_t i = 0; i < s.m.size(); ++i)
                expected += double(s.m[i]) * double(columns[p][i]) * double(columns[q][i]);
            const int row = int(p) / width;
            const int col = int(p) % width;
            const int dy = int(q) / width - row;
            const int dx = int(q) % width - col;
            if (dy > radius || std::abs(dx) > radius)
                ASSERT_EQ(expected, 0.0) << "samples reach further than the stencil";
            else
                ASSERT_NEAR(double(stencil.coefficient(row, col, dy, dx)), expected, 1e-5);
        }
}

TEST(Stencil, BicubicCoefficientsAreThoseOfTheFormulaWithinRadius3) {
    expect_coefficients_of_the_formula(Interpolation::bicubic);
}

TEST(Stencil, BilinearCoefficientsAreThoseOfTheFormulaWithinRadius1) {
    expect_coefficients_of_the_formula(Interpolation::bilinear);
}

TEST(Stencil, SixteenBitsHalveTheMemory) {
    const FrameShape shape{20, 20, 4};
    EXPECT_EQ(Stencil<float>(shape, 4).bytes(), 2 * Stencil<hwy::float16_t>(shape, 4).bytes());
}

}  // namespace
}  // namespace plenosr::cpu
