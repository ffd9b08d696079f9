// Which regions of a picture are significantly worse than bicubic.
#include "tiles/region_verdicts.h"

#include <gtest/gtest.h>

#include <random>

namespace plenosr {
namespace {

constexpr int scale = 2;
constexpr int low = 128;  // four regions across and down
constexpr int size = low * scale;

// Errors of an image whose cells have so many samples; loss(row, col, sample) of the cells.
template <class Loss>
PredictionErrors only_errors_of(int width, int height, const Loss& loss) {
    PredictionErrors errors({0, 0, width, height}, scale);
    for (int row = 0; row < errors.cells_down(); ++row)
        for (int col = 0; col < errors.cells_across(); ++col)
            errors.at(row, col) = loss(row, col);
    return errors;
}

// The samples of the reference are predicted well.
template <class Loss>
RegionVerdicts verdicts_of(int width, int height, const Loss& loss) {
    return {only_errors_of(width, height, loss), only_errors_of(width, height, [](int, int) {
                return PredictionErrors::Cell{2, 1, 2};
            })};
}

TEST(RegionVerdicts, RegionsHaveAtLeast32LowResolutionPixels) {
    for (const int pixels : {32, 33, 63, 64, 95, 96, 100}) {
        const RegionVerdicts verdicts = verdicts_of(pixels * scale, 32 * scale, [](int, int) {
            return PredictionErrors::Cell{10, 1, 2};
        });
        EXPECT_EQ(verdicts.regions(), pixels / 32) << pixels;
        EXPECT_EQ(verdicts.better(), pixels / 32);
        EXPECT_EQ(verdicts.worse(), 0);
    }
}

TEST(RegionVerdicts, FindTheRegionThatIsWorse) {
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 5);
    const RegionVerdicts verdicts = verdicts_of(size, size, [&](int row, int col) {
        const bool bad = row < 8 && col >= 24;  // top right
        return PredictionErrors::Cell{20, 200 + noise(random) + (bad ? 100 : 0), 200};
    });
    EXPECT_EQ(verdicts.worse(), 1);
    RegionVerdicts::Shares shares(verdicts, size, size, scale);
    const std::vector<float> top = shares.row(10);
    EXPECT_EQ(top[size - 1], 1.0F);
    EXPECT_EQ(top[size / 2], 0.0F);
    EXPECT_NEAR(top[size * 3 / 4], 0.5F, 0.05F);  // the middle of the ramp
    EXPECT_EQ(shares.row(size - 1)[size - 1], 0.0F);
}

TEST(RegionVerdicts, SamplesOfTheReferenceCountToo) {
    const auto good = [](int row, int col) {
        return PredictionErrors::Cell{20, 100.0 + (row + col) % 3, 200};
    };
    const RegionVerdicts verdicts(only_errors_of(size, size, good),
                                  only_errors_of(size, size, [](int row, int col) {
                                      return PredictionErrors::Cell{2, 90.0 + (row + col) % 3, 20};
                                  }));
    EXPECT_EQ(verdicts.worse(), verdicts.regions());
    EXPECT_EQ(verdicts.better(), verdicts.regions());
}

TEST(RegionVerdicts, AnAllowanceRaisesWhatBicubicIsWorthForTheReference) {
    const auto good = [](int row, int col) {
        return PredictionErrors::Cell{20, 100.0 + (row + col) % 3, 200};
    };
    const auto worse = [&](double loss, double allowance) {
        return RegionVerdicts(
                   only_errors_of(size, size, good),
                   only_errors_of(size, size,
                                  [&](int row, int col) {
                                      return PredictionErrors::Cell{2, loss + (row + col) % 3, 40};
                                  }),
                   allowance)
            .worse();
    };
    EXPECT_GT(worse(68, 1), 0);
    EXPECT_EQ(worse(68, 1.8), 0);
    EXPECT_GT(worse(80, 1.8), 0);
}

TEST(RegionVerdicts, SharesOfAllRegionsFillThePicture) {
    const RegionVerdicts verdicts = verdicts_of(size + 6, size, [](int row, int col) {
        return PredictionErrors::Cell{20, 300.0 + (row + col) % 3, 200};
    });
    EXPECT_EQ(verdicts.worse(), verdicts.regions());
    RegionVerdicts::Shares shares(verdicts, size + 6, size, scale);
    for (int y = 0; y < size; ++y)
        for (const float share : shares.row(y))
            ASSERT_NEAR(share, 1.0F, 1e-6F);
}

// Residuals of neighbouring samples are alike: what one cell shows, its neighbours show too.
TEST(RegionVerdicts, ChanceAloneIsHardlyEverSignificant) {
    std::mt19937 random(2);
    std::normal_distribution<double> noise(0, 60);
    int worse = 0;
    constexpr int pictures = 300;
    for (int picture = 0; picture < pictures; ++picture) {
        std::vector<double> pairs(std::size_t(32 * 16));
        for (double& value : pairs)
            value = noise(random);
        worse += verdicts_of(size, size, [&](int row, int col) {
                     return PredictionErrors::Cell{20, 400 + pairs[std::size_t(row * 16 + col / 2)],
                                                   400};
                 }).worse();
    }
    EXPECT_LE(worse, 3);  // of 4800 regions
}

TEST(RegionVerdicts, DifferencesThatCannotBeSeenDoNotCount) {
    const RegionVerdicts verdicts = verdicts_of(size, size, [](int row, int col) {
        return PredictionErrors::Cell{20, 1 + 20 * 0.2 + 0.1 * ((row + col) % 3), 1};
    });
    EXPECT_EQ(verdicts.worse(), 0);
    EXPECT_EQ(verdicts.better(), 0);
}

}  // namespace
}  // namespace plenosr
