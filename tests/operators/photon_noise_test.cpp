// Noise that grows with the brightness (problem/mixture.h): the step's slope belongs to its cost,
// and steps by the curvature lower it.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/simd_mixture.h"
#include "cases/plain_steps.h"
#include "cases/random_values.h"
#include "problem/mixture.h"

namespace plenosr::cpu {
namespace {

Mixture mixture_of(double sigma, double gain, double robust) {
    return {sigma, 0.0, {}, robust, gain};
}

MixtureStep step_of(double sigma, double gain, double robust) {
    return to_step(mixture_of(sigma, gain, robust));
}

TEST(PhotonNoise, SlopeIsTheDerivativeOfTheCost) {
    const float m = 1;
    for (const double robust : {1.5, 6.0})
        for (const float y : {0.0F, 3.0F, 40.0F, 128.0F, 240.0F, 255.0F})
            for (const double t : {1.0, 20.0, 90.0, 180.0, 250.0, 280.0}) {
                const MixtureStep s = step_of(2, 8.5, robust);
                const auto cost = [&](double at) {
                    return test::plain::mixture_sample(mixture_of(2, 8.5, robust), double(y), at)
                        .cost;
                };
                const bool limit = y == 0.0F || y == 255.0F;
                const double h = 1e-4;
                const double slope = (cost(t + h) - cost(t - h)) / (2 * h);
                // Huber's weight limits the slope of a clipped sample, but not its cost.
                if (limit && std::abs(double(y) - t) > 60) continue;
                if (limit && robust < 2) continue;
                float ax = float(t);
                const MixtureRunSums sums = mixture_step(s, &y, &m, &ax, 1);
                EXPECT_NEAR(double(ax), slope, 1e-3 * std::abs(slope) + 2e-5)
                    << "y " << y << " t " << t << " robust " << robust;
                EXPECT_NEAR(sums.cost, cost(t), 1e-4 * std::abs(sums.cost) + 1e-4);
            }
}

TEST(PhotonNoise, WithoutGainIsTheMixture) {
    test::RandomValues random(1);
    const auto y = random.vector(37, 0.0F, 255.0F);
    const auto m = random.vector(37, 0.0F, 1.0F);
    auto a = random.vector(37, 0.0F, 255.0F);
    auto b = a;
    mixture_step({20.0F, 0.1F}, y.data(), m.data(), a.data(), 37);
    MixtureStep s{20.0F, 0.1F};
    s.kappa = 0.5F;
    mixture_step(s, y.data(), m.data(), b.data(), 37);
    EXPECT_EQ(a, b);
}

// Scoring: t <- t - sum slope / sum curvature, for samples that share one mean.
TEST(PhotonNoise, StepsByTheCurvatureLowerTheCostAndEndAtTheMean) {
    constexpr int n = 4000;
    for (const double mean : {12.0, 60.0, 140.0}) {
        const MixtureStep s = step_of(2, 4, 3);
        test::RandomValues random(7);
        std::vector<float> y(n);
        for (float& value : y) {
            double normal = -6;  // a sum of 12 is near enough
            for (int i = 0; i < 12; ++i)
                normal += double(random.next(0.0F, 1.0F));
            value = float(std::clamp(mean + std::sqrt(4 + 4 * mean) * normal, 0.0, 255.0));
        }
        const std::vector<float> m(n, 1.0F);
        for (const double start : {0.6, 1.6}) {
            double t = start * mean;
            double last = 1e300;
            for (int k = 0; k < 12; ++k) {
                std::vector<float> slope(n, float(t));
                std::vector<float> curvature(n, float(t));
                const double now = mixture_step(s, y.data(), m.data(), slope.data(), n).cost;
                EXPECT_LE(now, last + 1e-3) << "step " << k << " from " << start;
                last = now;
                curvature_run(s, m.data(), curvature.data(), curvature.data(), n);
                double up = 0;
                double down = 0;
                for (int i = 0; i < n; ++i) {
                    up += double(slope[std::size_t(i)]);
                    down += double(curvature[std::size_t(i)]);
                }
                t -= up / down;
            }
            EXPECT_NEAR(t, mean, 5 * std::sqrt((4 + 4 * mean) / n)) << "from " << start;
        }
    }
}

TEST(PhotonNoise, CurvatureIsTheFormula) {
    const MixtureStep s = step_of(2, 8.5, 1.5);
    for (const float t : {-5.0F, 0.0F, 1.0F, 100.0F}) {
        const float m = 0.7F;
        float c = 0;
        curvature_run(s, &m, &t, &c, 1);
        const double expected =
            0.7 * test::plain::mixture_curvature(mixture_of(2, 8.5, 1.5), double(t));
        EXPECT_NEAR(double(c), expected, 1e-5 * expected);
    }
}

}  // namespace
}  // namespace plenosr::cpu
