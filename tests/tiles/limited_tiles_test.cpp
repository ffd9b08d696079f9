// Memory limits of the work around the solver: disparity estimation and refinement.
#include "tiles/limited_tiles.h"

#include <gtest/gtest.h>

#include "cases/scenes.h"
#include "plenosr/error.h"
#include "refine_in_tiles.h"

namespace plenosr {
namespace {

LimitedJob job_of(int width, int height) {
    LimitedJob job{"testing", width, height, 10, 4, {}};
    job.bytes = [](const Box& box) { return std::size_t(box.width) * std::size_t(box.height); };
    return job;
}

TEST(LimitedTiles, CoresPartitionTheImageAndPartsStayBelowTheLimit) {
    const LimitedJob job = job_of(203, 150);
    for (const std::size_t limit : {std::size_t(0), std::size_t(20000), std::size_t(6000)}) {
        Image covered(203, 150);
        const std::vector<Tile> tiles = limited_tiles(job, limit, 0);
        EXPECT_EQ(tiles.size() == 1, limit == 0);
        for (const Tile& tile : tiles) {
            EXPECT_LE(job.bytes(tile.box), limit > 0 ? limit : job.bytes({0, 0, 203, 150}));
            EXPECT_TRUE(tile.box.contains(tile.core));
            EXPECT_EQ(tile.box.x0 % job.alignment, 0);
            EXPECT_EQ(tile.box.y0 % job.alignment, 0);
            for (int y = tile.core.y0; y < tile.core.y1(); ++y)
                for (int x = tile.core.x0; x < tile.core.x1(); ++x)
                    covered.at(y, x) += 1;
        }
        EXPECT_EQ(covered, Image(203, 150, 1, 1.0F));
    }
}

TEST(LimitedTiles, RefuseALimitThatIsTooSmall) {
    try {
        limited_tiles(job_of(203, 150), 100, 0);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::invalid_option);
        EXPECT_NE(std::string(error.what()).find("memory-limit = 100 must be at least"),
                  std::string::npos);
        EXPECT_NE(std::string(error.what()).find("for testing"), std::string::npos);
    }
}

test::DegradedScene scene_of(int size) {
    test::SceneSetup setup;
    setup.views = 3;
    setup.width = setup.height = size;
    return test::degraded_scene(setup);
}

double share_that_differs(const Image& a, const Image& b, float tolerance) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (std::abs(a.values[i] - b.values[i]) > tolerance) ++count;
    return double(count) / double(a.values.size());
}

TEST(MemoryLimit, LimitedDisparityIsNearlyTheUnlimitedOne) {
    const auto scene = scene_of(512);
    DisparityOptions o;
    const DisparityResult whole = estimate_disparity(scene.views, scene.centre, o);
    o.memory_limit = 12 << 20;
    const DisparityResult limited = estimate_disparity(scene.views, scene.centre, o);
    EXPECT_NE(limited.disparity, whole.disparity);  // it was cut
    EXPECT_LT(share_that_differs(limited.disparity, whole.disparity, 0.05F), 0.05);
    o.memory_limit = 1000;
    EXPECT_THROW(estimate_disparity(scene.views, scene.centre, o), Error);
}

TEST(MemoryLimit, RefinementInTilesEqualsTheWholeAwayFromRounding) {
    const auto scene = scene_of(256);
    ReconstructOptions o;
    const ReconstructResult r = reconstruct(scene.views, scene.centre, scene.low_disparity, o);
    const Image map = disparity_at_full_size(scene.low_disparity, scene.views.width(),
                                             scene.views.height(), o.scale, "map");
    const PsfGrid psf = make_psf_grid(o.blur, o.scale, 256, 256);
    const RefineDesc desc{scene.views, scene.centre, psf, o.scale, 1.0};
    const Image whole = refine_in_tiles(map, r.image, desc, 0);
    EXPECT_EQ(whole, refined_disparity(map, r.image, desc));
    const Image tiled = refine_in_tiles(map, r.image, desc, 5 << 20);
    EXPECT_LT(share_that_differs(tiled, whole, 1e-3F), 0.001);
    EXPECT_GT(share_that_differs(tiled, map, 1e-3F), 0.1);
}

}  // namespace
}  // namespace plenosr
