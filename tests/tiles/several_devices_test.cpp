// Several engines share one image.
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/cancelled.h"
#include "cases/scenes.h"
#include "devices/make_engines.h"
#include "tiles/work_queue.h"

namespace plenosr {
namespace {

test::DegradedScene scene_of(int width, int height) {
    test::SceneSetup setup;
    setup.views = 3;
    setup.width = width;
    setup.height = height;
    return test::degraded_scene(setup);
}

TEST(SeveralDevices, SolveImagesThatAreTooSmallToBeShared) {
    struct Size {
        int width, height;
    };
    for (const Size size : {Size{48, 48}, Size{128, 32}, Size{32, 128}}) {
        const auto scene = scene_of(size.width, size.height);
        ReconstructOptions o;
        o.device = "cpu,cpu";
        const ReconstructResult shared =
            reconstruct(scene.views, scene.centre, scene.low_disparity, o);
        o.device = "cpu";
        const ReconstructResult alone =
            reconstruct(scene.views, scene.centre, scene.low_disparity, o);
        EXPECT_LE(shared.tiles.count, 3);
        if (shared.tiles.count == 1) {
            EXPECT_EQ(shared.image, alone.image);
        }
        EXPECT_GE(test::closeness(shared.image, alone.image), 40.0);
    }
}

TEST(SeveralDevices, PassOnExceptionsOfTheProgressCallback) {
    ReconstructOptions o;
    o.device = "cpu,cpu";
    const Engines engines = make_engines(o);
    const Progress throwing = [](const ProgressEvent&) -> bool {
        throw std::logic_error("thrown by the callback");
    };
    bool woken = false;
    EXPECT_THROW(for_each_tile(
                     engines, 4, "testing", throwing,
                     [](std::size_t, Engine&, const Progress& progress) {
                         while (progress({})) {
                         }
                         throw Cancelled();
                     },
                     [&] { woken = true; }),
                 std::logic_error);
    EXPECT_TRUE(woken);
}

TEST(SeveralDevices, PassOnExceptionsFromAWholeReconstruction) {
    const auto scene = scene_of(256, 256);
    ReconstructOptions o;
    o.device = "cpu,cpu";
    int calls = 0;
    const Progress throwing = [&](const ProgressEvent&) -> bool {
        if (++calls > 2) throw std::logic_error("thrown by the callback");
        return true;
    };
    EXPECT_THROW(reconstruct(scene.views, scene.centre, scene.low_disparity, o, throwing),
                 std::logic_error);
}

}  // namespace
}  // namespace plenosr
