// The mixture's expectation step against its formula for one sample (cases/plain_steps.h).
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/simd_mixture.h"
#include "cases/instruction_sets.h"
#include "cases/plain_steps.h"
#include "plenosr/light_field.h"
#include "problem/mixture.h"

namespace plenosr::cpu {
namespace {

TEST(MixtureStep, IsTheFormulaAtAllLengthsOnAllInstructionSets) {
    test::for_all_lengths([](int n, test::RandomValues random) {
        for (const double impulses : {0.0, 0.05, 0.3})
            for (const double gain : {0.0, 4.0}) {
                const Mixture mixture{20, impulses, {}, 1.5, gain};
                std::vector<float> y = random.vector(std::size_t(n), 1.0F, 254.0F);
                for (std::size_t i = 0; i < y.size(); ++i)
                    if (i % 3 == 1) y[i] = i % 2 == 0 ? 0.0F : 255.0F;
                const std::vector<float> m = random.vector(std::size_t(n), 0.0F, 1.0F);
                const std::vector<float> t = random.vector(std::size_t(n), -40.0F, 295.0F);
                std::vector<float> ax = test::guarded(t);
                const MixtureRunSums sums =
                    mixture_step(to_step(mixture), y.data(), m.data(), ax.data(), n);
                double cost = 0;
                double trusted = 0;
                double weight = 0;
                for (std::size_t i = 0; i < y.size(); ++i) {
                    const auto e = test::plain::mixture_sample(mixture, double(y[i]), double(t[i]));
                    const double slope = double(m[i]) * e.slope;
                    EXPECT_NEAR(double(ax[i]), slope, 1e-6 + 1e-4 * std::abs(slope)) << i;
                    cost += double(m[i]) * e.cost;
                    trusted += double(m[i]) * e.trusted;
                    weight += double(m[i]);
                }
                EXPECT_EQ(ax.back(), test::guard) << "written past the end";
                EXPECT_NEAR(sums.cost, cost, 1e-4 * cost + 1e-4);
                EXPECT_NEAR(sums.trusted, trusted, 1e-4 * trusted + 1e-4);
                EXPECT_NEAR(sums.weight, weight, 1e-5 * weight);
            }
    });
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
                    // a clipped sample pulls outwards, at most with Huber's slope
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

TEST(ValueLimits, DoNotExistWhereNothingWasClipped) {
    LightField field;
    field.clipped = false;
    field.views.push_back({{}, Image(2, 2, 1, 255.0F)});
    EXPECT_FALSE(value_limits(field).reached(255.0F));
    EXPECT_FALSE(value_limits(field).reached(0.0F));
    EXPECT_FALSE(value_limits({field.views[0].image}, false).reached(0.0F));
    EXPECT_TRUE(value_limits({field.views[0].image}, true).reached(0.0F));
}

}  // namespace
}  // namespace plenosr::cpu
