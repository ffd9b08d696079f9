// Tiles as geometry: what they cover, what they see, how they are put together.
#include "tiles/tile_geometry.h"

#include <gtest/gtest.h>

#include "cases/random_values.h"
#include "plenosr/disparity.h"
#include "tiles/blend.h"

namespace plenosr {
namespace {

ReconstructOptions at_scale(int scale) {
    ReconstructOptions o;
    o.scale = scale;
    return o;
}

// 3x3 views around (0, 0) of 61 x 47 pixels, disparities of ±3 high-resolution pixels.
struct Case {
    explicit Case(int scale, bool low = true) : options(at_scale(scale)) {
        test::RandomValues random(3);
        map = low ? random.image(61, 47, 1, -3.0F / float(scale), 3.0F / float(scale))
                  : random.image(61 * scale, 47 * scale, 1, -3.0F, 3.0F);
        for (int row = -1; row <= 1; ++row)
            for (int col = -1; col <= 1; ++col)
                views.push_back({double(row), double(col)});
    }
    TileGeometry geometry() const {
        return {61,
                47,
                options.scale,
                views,
                {0, 0},
                map,
                make_psf(options.blur, options.scale),
                OperatorForm::sampling};
    }
    ReconstructOptions options;
    Image map;
    std::vector<ViewPosition> views;
};

TEST(TileGeometry, CoresPartitionTheImageAndBoxesKeepTheGrid) {
    for (const int scale : {2, 3, 4}) {
        const Case c(scale);
        const TileGeometry geometry = c.geometry();
        Image covered(geometry.width(), geometry.height());
        for (const Tile& tile : geometry.tiles(4, 3, 10, 1)) {
            EXPECT_TRUE((Box{0, 0, geometry.width(), geometry.height()}.contains(tile.box)));
            EXPECT_TRUE(tile.box.contains(tile.core));
            EXPECT_EQ(tile.box.x0 % scale, 0);
            EXPECT_EQ(tile.box.y0 % scale, 0);
            EXPECT_EQ(tile.box.width % scale, 0);
            for (int y = tile.core.y0; y < tile.core.y1(); ++y)
                for (int x = tile.core.x0; x < tile.core.x1(); ++x)
                    covered.at(y, x) += 1;
        }
        EXPECT_EQ(covered, Image(geometry.width(), geometry.height(), 1, 1.0F));
    }
}

TEST(TileGeometry, DisparityOfATileIsThatOfTheImage) {
    for (const bool low : {true, false}) {
        const Case c(3, low);
        const TileGeometry geometry = c.geometry();
        const Image full = disparity_at_full_size(c.map, 61, 47, 3, "map");
        for (const Tile& tile : geometry.tiles(3, 2, 7, 1))
            EXPECT_EQ(geometry.disparity(tile.box), crop(full, tile.box));
    }
}

TEST(TileGeometry, CropsHoldEverySampleThatLiesInTheTile) {
    for (const bool low : {true, false}) {
        const Case c(2, low);
        const TileGeometry geometry = c.geometry();
        const GeometryDesc all = geometry.describe(geometry.whole());
        const auto views = view_geometry(all, {});
        for (const Tile& tile : geometry.tiles(3, 3, 8, 1)) {
            const GeometryDesc desc = geometry.describe(tile);
            for (std::size_t k = 0; k < views.size(); ++k) {
                const ViewCrop& view = desc.views[k];
                const Box seen{(view.x0 + tile.box.x0) / 2, (view.y0 + tile.box.y0) / 2,
                               desc.low_width, desc.low_height};
                ASSERT_TRUE((Box{0, 0, 61, 47}.contains(seen)));
                for (int i = 0; i < 47; ++i)
                    for (int j = 0; j < 61; ++j) {
                        const double d = double(views[k].disparity.at(i, j));
                        const double x = 2 * j + view.u * d;
                        const double y = 2 * i + view.v * d;
                        if (x < tile.box.x0 || x > tile.box.x1() - 1 || y < tile.box.y0 ||
                            y > tile.box.y1() - 1)
                            continue;
                        ASSERT_TRUE(seen.contains({j, i, 1, 1})) << "view " << k;
                    }
            }
        }
    }
}

TEST(TileGeometry, GeometryOfATileIsThatOfTheImageWhereItCounts) {
    const Case c(2);
    const TileGeometry geometry = c.geometry();
    const auto whole = view_geometry(geometry.describe(geometry.whole()), {});
    for (const Tile& tile : geometry.tiles(3, 2, 8, 1)) {
        const auto part = view_geometry(geometry.describe(tile), {});
        for (std::size_t k = 0; k < part.size(); ++k)
            for (int i = 0; i < part[k].visible.height; ++i)
                for (int j = 0; j < part[k].visible.width; ++j) {
                    if (part[k].inside.at(i, j) == 0.0F) continue;
                    const int row = i + (part[k].crop.y0 + tile.box.y0) / 2;
                    const int col = j + (part[k].crop.x0 + tile.box.x0) / 2;
                    ASSERT_EQ(part[k].disparity.at(i, j), whole[k].disparity.at(row, col));
                    ASSERT_EQ(part[k].visible.at(i, j), whole[k].visible.at(row, col));
                }
    }
}

TEST(Blend, WeightsSumToOneInAnyOrderOfArrival) {
    const Case c(2);
    const TileGeometry geometry = c.geometry();
    TilePlan plan;
    plan.overlap = 8;
    plan.tiles = geometry.tiles(3, 2, plan.overlap, 1);
    Blend blend(geometry.width(), geometry.height(), plan);
    Image out(geometry.width(), geometry.height());
    Image initial = out;
    for (std::size_t i = 0; i < plan.tiles.size(); ++i) {
        const Image ones(plan.tiles[i].box.width, plan.tiles[i].box.height, 1, 1.0F);
        blend.add(i, ones, out, ones, initial);
    }
    for (const float v : out.values)
        ASSERT_NEAR(v, 1.0F, 1e-6F);
    EXPECT_EQ(out, initial);
}

}  // namespace
}  // namespace plenosr
