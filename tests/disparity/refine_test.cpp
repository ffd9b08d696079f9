#include "disparity/refine.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/scenes.h"

namespace plenosr::test {
namespace {

double mean_error(const Image& map, const Image& truth) {
    double sum = 0;
    for (std::size_t i = 0; i < map.values.size(); ++i)
        sum += std::abs(double(map.values[i]) - double(truth.values[i]));
    return sum / double(map.values.size());
}

TEST(RefinedDisparity, ReducesTheErrorGivenTheTrueImage) {
    SceneSetup setup;
    setup.width = setup.height = 96;
    setup.impulse = 0;
    const DegradedScene scene = degraded_scene(setup);
    const Psf psf = make_psf(BlurSpec(), 2);
    // Bounds lie 10 % above the measured values.
    const RefineDesc desc{scene.views, scene.centre, psf, 2, 1.0};
    Image map = scene.full_disparity;
    for (float& d : map.values)
        d += 0.12F;
    const Image once = refined_disparity(map, scene.truth, desc);
    const Image twice = refined_disparity(once, scene.truth, desc);
    EXPECT_LE(mean_error(once, scene.full_disparity), 1.1 * 0.0557);
    EXPECT_LE(mean_error(twice, scene.full_disparity), 1.1 * 0.0381);
}

TEST(RefinedDisparity, HardlyChangesATrueMap) {
    SceneSetup setup;
    setup.width = setup.height = 96;
    setup.impulse = 0;
    setup.gaussian = 0;
    const DegradedScene scene = degraded_scene(setup);
    const Psf psf = make_psf(BlurSpec(), 2);
    const Image refined = refined_disparity(scene.full_disparity, scene.truth,
                                            {scene.views, scene.centre, psf, 2, 0});
    EXPECT_LE(mean_error(refined, scene.full_disparity), 1.1 * 0.0097);
}

}  // namespace
}  // namespace plenosr::test
