#include "plenosr/view_order.h"

#include <gtest/gtest.h>

#include "cases/random_values.h"
#include "plenosr/synth.h"

namespace plenosr {
namespace {

constexpr int side = 5;

struct Scene {
    LightField views;
    Image map;
};

Scene scene_of(const std::string& name, double noise = 0, double disparity_scale = 1) {
    SynthOptions options;
    options.scene = name;
    options.rows = options.cols = side;
    options.width = 144;
    options.height = 112;
    options.supersampling = 1;
    options.channels = 1;
    options.disparity_scale = disparity_scale;
    SynthResult rendered = synthesise(options);
    test::RandomValues random(3);
    for (View& view : rendered.light_field.views)
        for (float& value : view.image.values)
            value += float(noise) * random.next(-1.7F, 1.7F);
    return {rendered.light_field, rendered.disparity[side * side / 2]};
}

// The scene as it looks if its views were numbered in a wrong order.
LightField numbered_wrongly(LightField field, bool transposed, bool rows, bool cols) {
    for (View& view : field.views) {
        ViewPosition& p = view.position;
        if (rows) p.row = side - 1 - p.row;
        if (cols) p.col = side - 1 - p.col;
        if (transposed) std::swap(p.row, p.col);
    }
    return field;
}

void expect_found(const Scene& scene, const Image& map, bool transposed, bool rows, bool cols) {
    const ViewOrder found =
        find_view_order(numbered_wrongly(scene.views, transposed, rows, cols), map);
    EXPECT_TRUE(found.decided);
    EXPECT_EQ(found.transposed, transposed);
    EXPECT_EQ(found.rows_mirrored, rows);
    EXPECT_EQ(found.cols_mirrored, cols);
    EXPECT_FALSE(found.map_inverted);
    EXPECT_EQ(found.note.empty(), !transposed && !rows && !cols) << found.note;
}

TEST(ViewOrder, WrongOrdersAreFoundByParallaxAndOcclusions) {
    const Scene scene = scene_of("planes");
    expect_found(scene, {}, true, false, false);
    expect_found(scene, {}, false, false, true);
    expect_found(scene, {}, true, true, true);
}

TEST(ViewOrder, EveryWrongOrderIsFoundByTheMap) {
    const Scene scene = scene_of("discs");
    for (const bool transposed : {false, true})
        for (const bool rows : {false, true})
            for (const bool cols : {false, true})
                expect_found(scene, scene.map, transposed, rows, cols);
}

TEST(ViewOrder, RightOrdersAreKept) {
    struct Case {
        const char* scene;
        double noise;  // grey levels
        double disparity_scale;
    };
    for (const auto& [scene, noise, scale] :
         {Case{"planes", 60, 0.25}, Case{"planes", 20, 4}, Case{"curved", 0, 0.25},
          Case{"curved", 60, 4}, Case{"discs", 40, 1}, Case{"flat", 0, 1},
          Case{"flat", 60, 0.25}}) {
        const ViewOrder found = find_view_order(scene_of(scene, noise, scale).views, {});
        EXPECT_TRUE(found.is_right()) << scene << " " << noise << " " << scale << found.note;
    }
}

TEST(ViewOrder, AMapOfTheOppositeSignIsFound) {
    const Scene scene = scene_of("planes");
    Image opposite = scene.map;
    for (float& value : opposite.values)
        value = -value;
    const ViewOrder found = find_view_order(scene.views, opposite);
    EXPECT_TRUE(found.map_inverted);
    EXPECT_FALSE(found.rows_mirrored || found.cols_mirrored || found.transposed);
}

TEST(ViewOrder, EqualViewsDoNotTellTheOrder) {
    Scene scene = scene_of("planes");
    for (View& view : scene.views.views)
        view.image = scene.views.views.front().image;
    const ViewOrder found = find_view_order(scene.views, {});
    EXPECT_FALSE(found.decided);
    EXPECT_TRUE(found.is_right());
    EXPECT_NE(found.note.find("nothing was changed"), std::string::npos);
}

TEST(ViewOrder, WithoutOcclusionsTheSignIsLeftOpenAndSaidSo) {
    const Scene plane = scene_of("flat");
    const ViewOrder right = find_view_order(plane.views, {});
    EXPECT_TRUE(right.decided && right.is_right());
    EXPECT_FALSE(right.sign_decided);
    EXPECT_NE(right.note.find("occlusions"), std::string::npos) << right.note;
    EXPECT_NE(right.note.find("nothing was changed"), std::string::npos) << right.note;
    EXPECT_EQ(find_view_order(plane.views, plane.map).note, "") << "the map tells the sign";
    const ViewOrder mirrored =
        find_view_order(numbered_wrongly(plane.views, false, false, true), {});
    EXPECT_TRUE(mirrored.rows_mirrored != mirrored.cols_mirrored);
    EXPECT_NE(mirrored.note.find("occlusions"), std::string::npos) << mirrored.note;
}

TEST(ViewOrder, TheIndexIsPutRight) {
    LightFieldIndex index;
    index.grid = {1, 4, 2, 3};
    for (int row = 0; row < 2; ++row)
        for (int col = 0; col < 3; ++col)
            index.views.push_back({{1.0 + row, 4.0 + col}, "file.h5", row * 3 + col, {}});
    index.disparity = "centre.pfm";  // of the view 2,5
    ViewOrder order;
    order.transposed = order.cols_mirrored = order.map_inverted = true;
    const LightFieldIndex right = in_right_order(index, order);
    EXPECT_EQ(right.grid, (ViewGrid{4, 1, 3, 2}));
    EXPECT_EQ(right.stored_grid(), index.grid);
    EXPECT_EQ(right.disparity_factor, -1);
    ASSERT_EQ(right.views.size(), 6U);
    for (const LightFieldIndex::Entry& entry : right.views) {
        const int row = entry.part / 3;
        const int col = entry.part % 3;
        EXPECT_EQ(entry.position, (ViewPosition{4.0 + col, 2.0 - row}));
        EXPECT_EQ(entry.disparity.empty(), !(row == 1 && col == 1));
    }
}

}  // namespace
}  // namespace plenosr
