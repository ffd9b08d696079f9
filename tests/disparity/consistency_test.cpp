#include <gtest/gtest.h>

#include "disparity/consistency.h"

namespace plenosr::test {
namespace {

// A square at disparity 1 before a background at 0.
Image square_map(int x0) {
    Image map(24, 16);
    for (int y = 4; y < 12; ++y)
        for (int x = x0; x < x0 + 8; ++x)
            map.at(y, x) = 1;
    return map;
}

TEST(CrossCheck, AgreesForTrueMapsAndMarksOcclusions) {
    const Image reference = square_map(8);
    const Image view = square_map(6);  // two steps to the right, the square has moved 2 pixels left
    const CrossCheck check = cross_check(view, reference, 2, 0);
    EXPECT_GT(check.agreement, 0.99);
    EXPECT_EQ(check.occluded.at(6, 14), 1.0F);  // the square covers this in the reference
    EXPECT_EQ(check.occluded.at(6, 15), 1.0F);
    EXPECT_EQ(check.occluded.at(6, 8), 0.0F);
    EXPECT_EQ(check.occluded.at(1, 1), 0.0F);
}

TEST(CrossCheck, FindsAWrongMap) {
    const Image reference = square_map(8);
    Image wrong = square_map(6);
    for (float& d : wrong.values)
        d += 0.15F;
    EXPECT_LT(cross_check(wrong, reference, 2, 0).agreement, 0.2);
}

TEST(MadeConsistent, PrefersTheMoreConfidentMapAndFillsHoles) {
    const OwnMap own{Image(3, 1, 1, 1.0F), Image(3, 1, 1, 0.5F)};
    ViewDisparity seen{Image(3, 1, 1, 2.0F), Image(3, 1, 1, 1.0F)};
    seen.visible.at(0, 2) = 0;
    seen.disparity.at(0, 1) = 1.05F;
    Image confidence(3, 1, 1, 0.5F);
    confidence.at(0, 0) = 0.9F;
    const OwnMap one = made_consistent(own, seen, confidence);
    EXPECT_EQ(one.disparity.at(0, 0), 2.0F);
    EXPECT_NEAR(one.disparity.at(0, 1), 1.025F, 1e-6);
    EXPECT_EQ(one.disparity.at(0, 2), 1.0F);
}

}  // namespace
}  // namespace plenosr::test
