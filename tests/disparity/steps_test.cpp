// The steps around the matching.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "cases/random_values.h"
#include "disparity/guided_filter.h"
#include "disparity/weighted_median.h"
#include "light_field/impulse_repair.h"
#include "light_field/smooth.h"

namespace plenosr::test {
namespace {

TEST(ImpulseRepair, ReplacesImpulsesByTheMedianAndKeepsOtherPixels) {
    Image view(5, 5, 1, 100.0F);
    view.at(2, 2) = 255;
    view.at(2, 3) = 0;
    view.at(1, 2) = 110;
    const Image repaired = without_impulses(view, {});
    EXPECT_EQ(repaired.at(2, 2), 100.0F);
    EXPECT_EQ(repaired.at(2, 3), 100.0F);
    EXPECT_EQ(repaired.at(1, 2), 110.0F);
    const Image white(4, 4, 1, 255.0F);
    EXPECT_EQ(without_impulses(white, {}), white);
}

TEST(ImpulseRepair, KeepsHighlightsOfHdrViews) {
    Image view(5, 5, 1, 100.0F);
    view.at(2, 2) = 2000;
    view.at(3, 3) = 255;
    view.at(0, 0) = 0;
    const Image repaired = without_impulses(view, value_limits(view));
    EXPECT_EQ(repaired.at(2, 2), 2000.0F);
    EXPECT_EQ(repaired.at(3, 3), 255.0F);
    EXPECT_EQ(repaired.at(0, 0), 100.0F) << "the lower limit still holds";
}

TEST(Smoothing, KeepsConstantsAndReducesNoiseAsPredicted) {
    const Image flat(7, 5, 1, 33.0F);
    const Image kept = smoothed(flat, 1.3);
    for (const float value : kept.values)
        EXPECT_NEAR(value, 33.0F, 1e-4);
    RandomValues random(1);
    const Image noise = random.image(200, 200, 1, -1, 1);
    const Image smooth = smoothed(noise, 1.0);
    double before = 0;
    double after = 0;
    for (int y = 5; y < 195; ++y)
        for (int x = 5; x < 195; ++x) {
            before += double(noise.at(y, x)) * double(noise.at(y, x));
            after += double(smooth.at(y, x)) * double(smooth.at(y, x));
        }
    EXPECT_NEAR(std::sqrt(after / before), smoothed_noise(1.0), 0.002);
    EXPECT_EQ(smoothed(noise, 0), noise);
}

TEST(GuidedFilter, KeepsLinearFunctionsOfTheGuide) {
    RandomValues random(2);
    const Image guide = random.image(30, 20);
    const GuidedFilter filter(guide, 3, 1e-3F);
    GuidedFilter::Scratch scratch;
    std::vector<float> plane(guide.values.size());
    for (std::size_t i = 0; i < plane.size(); ++i)
        plane[i] = 0.02F * guide.values[i] + 3;
    auto filtered = plane;
    filter.apply(filtered.data(), scratch);
    for (std::size_t i = 0; i < plane.size(); ++i)
        EXPECT_NEAR(filtered[i], plane[i], 2e-5);
}

TEST(GuidedFilter, IsTheMeanOfMeansForAFlatGuide) {
    const Image guide(9, 9, 1, 80.0F);
    const GuidedFilter filter(guide, 1, 4.0F);
    GuidedFilter::Scratch scratch;
    std::vector<float> plane(81, 0.0F);
    plane[40] = 81;
    filter.apply(plane.data(), scratch);
    EXPECT_NEAR(plane[40], 9.0F, 1e-3);      // 81 (1/9) of nine windows, over nine
    EXPECT_NEAR(plane[40 + 2], 3.0F, 1e-3);  // three of them are shared
    EXPECT_NEAR(plane[0], 0.0F, 1e-3);
}

TEST(WeightedMedian, RemovesOutliersAndKeepsEdgesOfTheGuide) {
    Image map(12, 8);
    Image guide(12, 8);
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 12; ++x) {
            map.at(y, x) = x < 6 ? 1.0F : -1.0F;
            guide.at(y, x) = x < 6 ? 50.0F : 200.0F;
        }
    const Image clean = map;
    map.at(3, 3) = 9;
    map.at(4, 9) = -7;
    EXPECT_EQ(weighted_median(map, guide, 2, 6), clean);
}

// The smallest value of the window up to which the weights sum to half of all.
TEST(WeightedMedian, IsTheDefinitionOnWindowsOfAnySize) {
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (const int radius : {0, 1, 3, 4}) {
        Image map(13, 9);
        Image guide(13, 9);
        for (std::size_t i = 0; i < map.values.size(); ++i) {
            map.values[i] = std::round(4 * uniform(random)) / 4;  // some values are equal
            guide.values[i] = 20 * uniform(random);
        }
        const Image result = weighted_median(map, guide, radius, 6);
        for (int y = 0; y < map.height; ++y)
            for (int x = 0; x < map.width; ++x) {
                std::map<float, double> weights;
                double total = 0;
                for (int j = std::max(0, y - radius); j <= std::min(8, y + radius); ++j)
                    for (int i = std::max(0, x - radius); i <= std::min(12, x + radius); ++i) {
                        const double w = std::exp(
                            -std::abs(double(guide.at(j, i)) - double(guide.at(y, x))) / 6);
                        weights[map.at(j, i)] += w;
                        total += w;
                    }
                double sum = 0;
                auto value = weights.begin();
                while (2 * (sum += value->second) < total)
                    ++value;
                EXPECT_EQ(result.at(y, x), value->first) << radius << ": " << x << ", " << y;
            }
    }
}

}  // namespace
}  // namespace plenosr::test
