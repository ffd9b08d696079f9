// Matching of views on a device agrees with the native engine.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/cpu/matching.h"
#include "backends/opencl/matching.h"
#include "base/cancelled.h"
#include "cases/matching.h"
#include "opencl/on_device.h"
#include "opencl/support.h"
#include "plenosr/disparity.h"
#include "plenosr/light_field.h"

namespace plenosr {
namespace {

class Matching : public testing::TestWithParam<test::Variant> {
protected:
    opencl::Device& device = test::device(GetParam());

    void expect_agreement(const MatchDesc& desc) {
        const Match expected = cpu::match_views(desc, cpu::Parallel(1), {});
        const Match found = opencl::match_views(device, desc, {});
        EXPECT_NEAR(found.jump, expected.jump, 0.01 * expected.jump);
        std::size_t differ = 0;
        for (std::size_t i = 0; i < expected.disparity.values.size(); ++i) {
            const bool same =
                std::abs(found.disparity.values[i] - expected.disparity.values[i]) <
                    0.02 * desc.step &&
                std::abs(found.contrast.values[i] - expected.contrast.values[i]) < 0.02F &&
                std::abs(found.margin.values[i] - expected.margin.values[i]) < 0.02F;
            if (!same) ++differ;
        }
        // Costs are integers: a different rounding may change a path.
        EXPECT_LE(double(differ), 0.005 * double(expected.disparity.values.size()));
    }
};

TEST_P(Matching, AgreesWithTheAbsoluteLossAndHalvesOfTheViews) {
    MatchDesc desc = test::plane_at(0.7, 53, 37);
    expect_agreement(desc);
    desc.half_views = Image(53, 37, 1, 0.0F);
    for (int y = 0; y < 37; ++y)
        for (int x = 11; x < 30; ++x)
            desc.half_views.at(y, x) = 1.0F;
    expect_agreement(desc);
}

TEST_P(Matching, AgreesWithTheSquaredLossAndALargeWindow) {
    MatchDesc desc = test::plane_at(-1.1, 40, 33);
    desc.loss = MatchLoss::squared;
    desc.window = 9;
    desc.labels = 37;  // not a multiple of any vector
    expect_agreement(desc);
}

TEST_P(Matching, AgreesWithAnEvenNumberOfViewsThatMostlyMissTheImage) {
    MatchDesc desc = test::plane_at(0.4, 31, 17);
    desc.views.resize(6);
    desc.offsets.resize(6);
    desc.first = -12;  // most views see nothing of the image
    desc.step = 0.7;
    expect_agreement(desc);
}

TEST_P(Matching, CanBeCancelled) {
    EXPECT_THROW(opencl::match_views(device, test::plane_at(0.6, 20, 10),
                                     [](const ProgressEvent&) { return false; }),
                 Cancelled);
}

TEST(MatchingOnASmallDevice, FallsBackToTheCpuWithANote) {
    const MatchDesc desc = test::plane_at(0.5, 64, 48);
    LightField light_field;
    for (std::size_t k = 0; k < desc.views.size(); ++k)
        light_field.views.push_back(
            {{desc.offsets[k].v + 1, desc.offsets[k].u + 1}, desc.views[k]});
    DisparityOptions options;
    options.device = "opencl";
    const DisparityResult enough = estimate_disparity(light_field, {1, 1}, options);
    EXPECT_EQ(enough.device.find("cpu"), std::string::npos) << enough.device;
    EXPECT_TRUE(enough.notes.empty());
    const test::Environment small("PLENOSR_DEVICE_MEMORY", "64K");
    const DisparityResult result = estimate_disparity(light_field, {1, 1}, options);
    EXPECT_EQ(result.device.substr(0, 3), "cpu");
    ASSERT_EQ(result.notes.size(), 1U);
    EXPECT_NE(result.notes[0].find("too little memory to match views"), std::string::npos);
    EXPECT_NEAR(result.disparity.at(24, 32), 0.5F, 0.05F);
}

INSTANTIATE_TEST_SUITE_P(Variants, Matching,
                         testing::Values(test::Variant{opencl::Strategy::buffer, 1},
                                         test::Variant{opencl::Strategy::local, 8}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace plenosr
