// The mixture's expectation step against its formula in double precision.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/simd_mixture.h"
#include "cases/random_values.h"
#include "plenosr/light_field.h"
#include "problem/mixture.h"

namespace plenosr::cpu {
namespace {

struct Expected {
    double slope = 0;  // m omega (t - yhat) / sigma^2
    double cost = 0;
    double trusted = 0;
};

Expected formula(const MixtureStep& s, double y, double m, double t) {
    const double sigma = double(s.sigma);
    const double nu = double(s.impulses);
    double yhat = y;
    double omega = 1;
    const double z = std::abs(y - t) / sigma;
    const double c = double(s.robust);
    double cost = z <= c ? z * z / 2 : c * z - c * c / 2;
    const bool low = y <= double(s.low);
    if (low || y >= double(s.high)) {
        const double sign = low ? -1 : 1;
        const double a = sign * (t - (low ? double(s.low) + 0.5 : double(s.high) - 0.5)) / sigma;
        const double tail = 0.5 * std::erfc(-a / std::sqrt(2.0));
        const double probability = std::max(tail, 1e-30);
        const double density = std::exp(-a * a / 2) / std::sqrt(2 * std::acos(-1.0));
        yhat = t + sign * sigma * density / tail;
        omega = (1 - nu) * probability / ((1 - nu) * probability + nu / 2);
        cost = -std::log((1 - nu) * probability + nu / 2);
    }
    omega *= std::min(1.0, c * sigma / std::max(std::abs(yhat - t), 1e-9));
    return {m * omega * (t - yhat) / (sigma * sigma), m * cost, m * omega};
}

TEST(MixtureStep, IsTheFormulaAtAllLengths) {
    for (int n = 1; n <= 40; ++n)
        for (const float impulses : {0.0F, 0.05F, 0.3F}) {
            test::RandomValues random{std::uint64_t(n)};
            const MixtureStep step{20.0F, impulses};
            std::vector<float> y = random.vector(std::size_t(n), 1.0F, 254.0F);
            for (std::size_t i = 0; i < y.size(); ++i)
                if (i % 3 == 1) y[i] = i % 2 == 0 ? 0.0F : 255.0F;
            const std::vector<float> m = random.vector(std::size_t(n), 0.0F, 1.0F);
            std::vector<float> ax = random.vector(std::size_t(n), -40.0F, 295.0F);
            const std::vector<float> t = ax;
            ax.push_back(12345.0F);
            const MixtureRunSums sums = mixture_step(step, y.data(), m.data(), ax.data(), n);
            Expected all;
            for (std::size_t i = 0; i < y.size(); ++i) {
                const Expected e = formula(step, double(y[i]), double(m[i]), double(t[i]));
                EXPECT_NEAR(double(ax[i]), e.slope, 1e-6 + 1e-4 * std::abs(e.slope)) << i;
                all.cost += e.cost;
                all.trusted += e.trusted;
            }
            EXPECT_EQ(ax.back(), 12345.0F) << "written past the end";
            EXPECT_NEAR(sums.cost, all.cost, 1e-4 * all.cost + 1e-4);
            EXPECT_NEAR(sums.trusted, all.trusted, 1e-4 * all.trusted + 1e-4);
        }
}

TEST(MixtureStep, StaysFiniteAndRightFarFromTheLimits) {
    for (const float sigma : {0.5F, 1.0F, 50.0F})
        for (const float impulses : {0.0F, 1e-3F, 0.5F})
            for (const float t : {-300.0F, -3.0F, 0.0F, 0.5F, 3.0F, 128.0F, 255.0F, 700.0F})
                for (const float y : {0.0F, 255.0F}) {
                    const float m = 1;
                    float ax = t;
                    const MixtureRunSums sums = mixture_step({sigma, impulses}, &y, &m, &ax, 1);
                    ASSERT_TRUE(std::isfinite(ax)) << sigma << ", " << t;
                    ASSERT_TRUE(std::isfinite(sums.cost));
                    // what was clipped pulls outwards, by Huber's slope at most
                    EXPECT_LE(std::abs(ax), 1.5001F / sigma);
                    EXPECT_TRUE(y == 0.0F ? ax >= 0.0F : ax <= 0.0F);
                }
}

TEST(MixtureStep, TellsImpulsesFromClippedNoise) {
    const float m = 1;
    const float y = 255;
    const auto trust = [&](float t) {
        float ax = t;
        return mixture_step({20.0F, 0.05F}, &y, &m, &ax, 1).trusted;
    };
    EXPECT_GT(trust(245.0F), 0.9) << "noise was clipped";
    EXPECT_LT(trust(128.0F), 1e-3) << "an impulse";
}

TEST(ValueLimits, AreThoseOfTheInput) {
    LightField field;
    field.views.push_back({{}, Image(2, 2, 1, 100.0F)});
    EXPECT_TRUE(value_limits(field).extreme(0.0F));
    EXPECT_TRUE(value_limits(field).extreme(255.0F));
    EXPECT_FALSE(value_limits(field).extreme(254.0F));
    field.views[0].image.at(0, 0) = 300.0F;  // not clipped at the top
    EXPECT_FALSE(value_limits(field).extreme(255.0F));
    EXPECT_TRUE(value_limits(field).extreme(0.0F));
    field.views[0].image.at(0, 0) = -3.0F;
    EXPECT_FALSE(value_limits(field).extreme(0.0F));
}

}  // namespace
}  // namespace plenosr::cpu
