#include "plenosr/inspect.h"

#include "io/support.h"
#include "plenosr/synth.h"

namespace plenosr::test {
namespace {

class Inspect : public InFolder {
protected:
    Inspect() {
        SynthOptions options;
        options.rows = options.cols = 5;
        options.width = options.height = 128;
        options.supersampling = 2;
        scene_ = synthesise(options);
        layout_.format = "row_col";
        layout_.disparity = scene_.disparity[12];
    }
    std::vector<Finding> findings() {
        write_light_field(at("out"), scene_.light_field, layout_);
        return inspect_light_field(index_light_field(at("out")));
    }
    Image& view(int row, int col) {
        return scene_.light_field.views[std::size_t(5 * row + col)].image;
    }
    static std::string all(const std::vector<Finding>& list) {
        std::string text;
        for (const Finding& finding : list)
            text += finding.kind + ": " + finding.text + "\n";
        return text;
    }

    SynthResult scene_;
    WriteLightField layout_;
};

TEST_F(Inspect, CorrectLightFieldHasNoFindings) {
    EXPECT_EQ(all(findings()), "");
}

TEST_F(Inspect, BlackAndDarkViewsAreFound) {
    view(0, 0) = Image(128, 128, 3);
    for (float& value : view(0, 4).values)
        value *= 0.5F;
    const auto found = findings();
    ASSERT_EQ(found.size(), 2U) << all(found);
    EXPECT_EQ(found[0].kind, "black");
    EXPECT_EQ(found[0].views, (std::vector<ViewPosition>{{0, 0}}));
    EXPECT_EQ(found[1].kind, "dark");
    EXPECT_EQ(found[1].views, (std::vector<ViewPosition>{{0, 4}}));
}

TEST_F(Inspect, IdenticalViewsAreFound) {
    view(3, 1) = view(3, 2);
    const auto found = findings();
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].kind, "duplicate");
    EXPECT_EQ(found[0].views, (std::vector<ViewPosition>{{3, 1}, {3, 2}}));
}

TEST_F(Inspect, SwappedViewsAreFound) {
    std::swap(view(2, 1), view(2, 2));
    layout_.disparity = {};
    const auto found = findings();
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].kind, "order");
    EXPECT_EQ(found[0].views, (std::vector<ViewPosition>{{2, 1}, {2, 2}}));
}

TEST_F(Inspect, ExchangedRowsAndColumnsAreFound) {
    for (int row = 0; row < 5; ++row)
        for (int col = 0; col < row; ++col)
            std::swap(view(row, col), view(col, row));
    const auto found = findings();
    ASSERT_EQ(found.size(), 1U) << all(found);
    EXPECT_EQ(found[0].kind, "axes");
}

TEST_F(Inspect, MapOfTheOppositeSignIsFound) {
    for (float& value : layout_.disparity.values)
        value = -value;
    const auto found = findings();
    ASSERT_FALSE(found.empty());
    for (const Finding& finding : found)
        EXPECT_EQ(finding.kind, "sign") << finding.text;
}

TEST_F(Inspect, OtherSizesAndDamagedFilesAreFoundTogether) {
    write_light_field(at("out"), scene_.light_field, layout_);
    write_image(at("out/001_001.png"), pattern(120, 128, 3));
    put(at("out/001_002.png"), "damaged");
    const auto found = inspect_light_field(index_light_field(at("out")));
    ASSERT_EQ(found.size(), 2U) << all(found);
    EXPECT_EQ(found[0].kind, "unreadable");
    EXPECT_TRUE(mentions(found[0].text, "001_002.png"));
    EXPECT_EQ(found[1].kind, "size");
    EXPECT_EQ(found[1].views, (std::vector<ViewPosition>{{1, 1}}));
    EXPECT_TRUE(mentions(found[1].text, "120x128"));
}

}  // namespace
}  // namespace plenosr::test
