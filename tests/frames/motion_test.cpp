#include "plenosr/motion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plenosr {
namespace {

TEST(Motion, InverseAndProductOfHomographiesAreCorrect) {
    const std::array<double, 9> h = {1.1, 0.05, 3, -0.02, 0.95, -2, 1e-3, -2e-3, 1};
    const auto identity = product(h, inverse(h));
    for (std::size_t i = 0; i < 9; ++i)
        EXPECT_NEAR(identity[i], i % 4 == 0 ? 1.0 : 0.0, 1e-12);
}

TEST(Motion, FromReferenceInvertsToReference) {
    FrameMotion motion{{1.02, 0.03, 4, -0.03, 0.99, -1, 1e-4, 2e-4, 1}, {}};
    const Place there = motion.to_reference({20, 30});
    const Place back = motion.from_reference(there);
    EXPECT_NEAR(back.x, 20, 1e-9);
    EXPECT_NEAR(back.y, 30, 1e-9);
    motion.flow = Image(64, 64, 2);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            motion.flow.at(y, x, 0) = float(2 * std::sin(0.1 * y));
            motion.flow.at(y, x, 1) = float(0.05 * x);
        }
    const Place bent = motion.to_reference({20, 30});
    EXPECT_GT(std::hypot(bent.x - there.x, bent.y - there.y), 0.5);
    const Place straight = motion.from_reference(bent);
    EXPECT_NEAR(straight.x, 20, 0.02);
    EXPECT_NEAR(straight.y, 30, 0.02);
}

TEST(Motion, OnlyAShiftIsATranslation) {
    EXPECT_TRUE(FrameMotion::translation(0.5, -2).is_translation());
    FrameMotion turned = FrameMotion::translation(1, 1);
    turned.matrix[1] = 1e-6;
    EXPECT_FALSE(turned.is_translation());
}

}  // namespace
}  // namespace plenosr
