// Clipped highlights that do not move with the surface under them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plenosr/degrade.h"
#include "plenosr/reconstruct.h"

namespace plenosr {
namespace {

constexpr int side = 128;
constexpr double surface_disparity = 1.85;
constexpr double highlight_disparity = 2.35;

// Four highlights on a wavy grey surface.
Image view_with_highlights(ViewPosition p) {
    const double u = p.col - 2;
    const double v = p.row - 2;
    Image image(side, side);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const double sx = x + surface_disparity * u;
            const double sy = y + surface_disparity * v;
            double light = 110 + 30 * std::sin(0.35 * sx) * std::cos(0.22 * sy);
            for (int n = 0; n < 4; ++n) {
                const double dx = x + highlight_disparity * u - (32.3 + 64 * (n % 2));
                const double dy = y + highlight_disparity * v - (32.7 + 64 * (n / 2));
                const double along = dx + 0.4 * (n - 1.5) * dy;
                const double across = dy - 0.4 * (n - 1.5) * dx;
                const double far = std::hypot(along / 14, across / 5) - 1;
                light += 300 / (1 + std::exp(8 * far));
            }
            image.at(y, x) = float(light);
        }
    return image;
}

// The number of pixels that differ from all eight neighbours by more than 10 grey levels.
int specks(const Image& image) {
    int count = 0;
    for (int y = 1; y + 1 < image.height; ++y)
        for (int x = 1; x + 1 < image.width; ++x) {
            float least = 1e9F;
            float most = -1e9F;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    if (dx == 0 && dy == 0) continue;
                    const float value = std::clamp(image.at(y + dy, x + dx), 0.0F, 255.0F);
                    least = std::min(least, value);
                    most = std::max(most, value);
                }
            const float here = std::clamp(image.at(y, x), 0.0F, 255.0F);
            count += here > most + 10 || here < least - 10 ? 1 : 0;
        }
    return count;
}

// Black and white that were measured stay; those that were clipped may stand for values beyond.
TEST(Highlight, AreasOfExactBlackAndWhiteStayUnlessTheyWereClipped) {
    constexpr int small = 48;
    LightField field;
    field.grid = {0, 0, 3, 3};
    for (int view = 0; view < 9; ++view) {
        Image image(small, small);
        for (int y = 0; y < small; ++y)
            for (int x = 0; x < small; ++x)
                image.at(y, x) = float(127 + 76 * std::sin(x / 3.0) * std::cos(y / 4.0));
        for (int y = 4; y < 20; ++y)
            for (int x = 4; x < 20; ++x) {
                image.at(y, x) = 0;
                image.at(y + 24, x + 24) = 255;
            }
        field.views.push_back({{double(view / 3), double(view % 3)}, image});
    }
    const Image map(small, small);
    for (const bool clipped : {false, true}) {
        field.clipped = clipped;
        const Image result = reconstruct(field, {1, 1}, map, {}).image;
        for (int y = 18; y < 30; ++y)
            for (int x = 18; x < 30; ++x) {
                if (clipped) {
                    EXPECT_LT(result.at(y, x), -1);
                    EXPECT_GT(result.at(y + 48, x + 48), 256);
                } else {
                    EXPECT_NEAR(result.at(y, x), 0, 0.2);
                    EXPECT_NEAR(result.at(y + 48, x + 48), 255, 0.2);
                }
            }
    }
}

TEST(Highlight, LeavesNoSpecksWhereItDoesNotMoveWithItsSurface) {
    LightField scene;
    scene.grid = {5, 5};
    for (int row = 0; row < 5; ++row)
        for (int col = 0; col < 5; ++col)
            scene.views.push_back(
                {{double(row), double(col)}, view_with_highlights({double(row), double(col)})});
    DegradeOptions degradation;
    degradation.gaussian = 2;
    degradation.seed = 1;
    const LightField low = degrade(scene, degradation);
    ReconstructOptions o;
    o.refine_disparity = 1;
    const ReconstructResult result =
        reconstruct(low, {2, 2}, Image(side, side, 1, float(surface_disparity)), o);
    EXPECT_EQ(specks(scene.views[12].image), 0);
    EXPECT_LE(specks(result.image), 1);
}

}  // namespace
}  // namespace plenosr
