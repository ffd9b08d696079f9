// Sampling as vector code: every instruction set against the one scalar definition of the cubic
// weights (kernels/pixel.h), which itself is Keys' kernel.
#include "backends/cpu/simd_sampler.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/instruction_sets.h"
#include "cases/plain_operators.h"
#include "kernels/pixel.h"

namespace plenosr::cpu {
namespace {

using test::Values;

TEST(CubicWeights, AreKeysKernelAtTheDistancesOfTheTaps) {
    for (int i = 0; i < 64; ++i) {
        const double f = i / 64.0;
        float single[4];
        double wide[4];
        cubic_weights(float(f), single);
        cubic_weights(f, wide);
        for (int k = 0; k < 4; ++k) {
            EXPECT_NEAR(wide[k], test::plain::cubic(f - (k - 1)), 1e-15);
            EXPECT_NEAR(double(single[k]), wide[k], 1.2e-7);
        }
    }
}

TEST(CubicWeights, SlopesAreTheirDerivatives) {
    for (const double f : {0.0, 0.1, 0.5, 0.83}) {
        const double h = 1e-5;
        double below[4];
        double above[4];
        double slopes[4];
        cubic_weights(f - h, below);
        cubic_weights(f + h, above);
        cubic_slopes(f, slopes);
        for (int k = 0; k < 4; ++k)
            EXPECT_NEAR(slopes[k], (above[k] - below[k]) / (2 * h), 1e-8);
    }
}

// One row of samples over an image of 4 rows: places, and the weights of their taps.
struct Row {
    static constexpr int width = 64;
    static constexpr int stride = 80;
    int taps;
    std::vector<Sample> samples;

    Row(int tap_count, int n, test::RandomValues& random) : taps(tap_count) {
        for (int i = 0; i < n; ++i)
            samples.push_back({std::int32_t(random.next(0.0F, float(width - taps))),
                               random.next(0.0F, 1.0F), random.next(0.0F, 1.0F)});
    }
    void weights(float f, float w[4]) const {
        if (taps == 4) return cubic_weights(f, w);
        w[0] = 1.0F - f;
        w[1] = f;
    }
    // fn(row, column, weight) for each tap of sample i
    template <class Fn>
    void for_taps(std::size_t i, const Fn& fn) const {
        float wx[4];
        float wy[4];
        weights(samples[i].fx, wx);
        weights(samples[i].fy, wy);
        for (int j = 0; j < taps; ++j)
            for (int k = 0; k < taps; ++k)
                fn(j, samples[i].x + k, double(wy[j]) * double(wx[k]));
    }
};

TEST(SimdSampler, GatherIsTheWeightedSumOfTheTaps) {
    test::for_all_lengths([](int n, test::RandomValues random) {
        for (const int taps : {2, 4}) {
            const Row row(taps, n, random);
            const Values image = random.vector(std::size_t(4 * Row::stride));
            Values expected;
            for (std::size_t i = 0; i < row.samples.size(); ++i) {
                double sum = 0;
                row.for_taps(i, [&](int y, int x, double w) {
                    sum += w * double(image[std::size_t(y * Row::stride + x)]);
                });
                expected.push_back(float(sum));
            }
            Values out(std::size_t(n) + 1, test::guard);
            gather_samples(taps, row.samples.data(), n, image.data(), Row::stride, out.data());
            test::expect_near(out, expected, 1e-6F);
        }
    });
}

TEST(SimdSampler, ScatterAddsTheSameWeightsToTheChosenRows) {
    test::for_all_lengths([](int n, test::RandomValues random) {
        for (const int taps : {2, 4})
            for (const auto& [first, last] : {std::pair(0, taps), std::pair(1, taps)}) {
                const Row row(taps, n, random);
                const Values values = random.vector(std::size_t(n));
                const Values before = random.vector(std::size_t(4 * Row::stride));
                Values expected = before;
                for (std::size_t i = 0; i < row.samples.size(); ++i)
                    row.for_taps(i, [&, from = first, to = last](int y, int x, double w) {
                        if (y >= from && y < to)
                            expected[std::size_t(y * Row::stride + x)] +=
                                float(w * double(values[i]));
                    });
                Values out = test::guarded(before);
                scatter_samples(taps, row.samples.data(), n, values.data(), out.data(), Row::stride,
                                first, last);
                test::expect_near(out, expected, 3e-6F);
            }
    });
}

// rows[j][(x + k) slots + (taps - 1) + dy (2 taps - 1) + dx] += m w_(j, k) w_(j + dy, k + dx)
TEST(SimdSampler, AccumulationAddsTheProductsOfAllPairsOfTaps) {
    test::for_all_lengths([](int n, test::RandomValues random) {
        for (const int taps : {2, 4}) {
            const Row row(taps, n, random);
            const Values m = random.vector(std::size_t(n), 0.0F, 1.0F);
            const int slots = taps * (2 * taps - 1);
            const std::size_t size = std::size_t((Row::width + 8) * slots);
            std::vector<Values> expected(4, Values(size, 0.0F));
            for (std::size_t i = 0; i < row.samples.size(); ++i)
                row.for_taps(i, [&](int y, int x, double w) {
                    row.for_taps(i, [&](int y2, int x2, double w2) {
                        if (y2 < y) return;
                        const int at = x * slots + taps - 1 + (y2 - y) * (2 * taps - 1) + (x2 - x);
                        expected[std::size_t(y)][std::size_t(at)] += float(double(m[i]) * w * w2);
                    });
                });
            std::vector<Values> out(4, test::guarded(Values(size, 0.0F)));
            float* rows[4] = {out[0].data(), out[1].data(), out[2].data(), out[3].data()};
            accumulate_stencil(taps, row.samples.data(), n, m.data(), rows);
            for (int j = 0; j < taps; ++j)
                for (int x = 0; x < Row::width; ++x)
                    for (int slot = 0; slot < slots; ++slot) {
                        // neighbours (0, dx < 0) are not used and hold anything
                        if (slot < taps - 1) continue;
                        const std::size_t at = std::size_t(x * slots + slot);
                        ASSERT_NEAR(out[std::size_t(j)][at], expected[std::size_t(j)][at], 3e-6F)
                            << taps << " taps, row " << j << ", pixel " << x << ", slot " << slot;
                    }
        }
    });
}

}  // namespace
}  // namespace plenosr::cpu
