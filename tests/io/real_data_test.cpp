#include <algorithm>
#include <cmath>

#include "cases/data.h"
#include "io/support.h"
#include "plenosr/inspect.h"

namespace plenosr::test {
namespace {

// Light fields that are too large for the repository.
struct RealField {
    const char* path;
    const char* format;
    std::size_t views;
    ViewGrid grid;
    int width;
    int height;
    PixelFormat pixels;
    bool has_disparity;
};

std::ostream& operator<<(std::ostream& out, const RealField& field) {
    return out << field.path;
}

// A path as the name of a test.
std::string test_name(std::string path) {
    std::replace(path.begin(), path.end(), '/', '_');
    return path;
}

class RealFields : public testing::TestWithParam<RealField> {};

TEST_P(RealFields, AreIndexedAndRead) {
    const RealField& expected = GetParam();
    SKIP_WITHOUT_DATA(expected.path);
    const auto index = index_light_field(data_path(expected.path));
    EXPECT_EQ(index.format, expected.format);
    EXPECT_EQ(index.views.size(), expected.views);
    EXPECT_EQ(index.grid, expected.grid);
    EXPECT_EQ(index.image.width, expected.width);
    EXPECT_EQ(index.image.height, expected.height);
    EXPECT_EQ(index.image.format, expected.pixels);
    ASSERT_EQ(!index.disparity.empty(), expected.has_disparity);
    const auto nearest = select_views("3x3", index.grid.centre(), index.positions());
    ASSERT_EQ(nearest.size(), 9U);
    const LightField field = read_light_field(index, nearest);
    EXPECT_EQ(field.channels(), 3);
    for (const View& view : field.views) {
        EXPECT_EQ(view.image.width, expected.width);
        EXPECT_EQ(view.image.height, expected.height);
        const auto [low, high] =
            std::minmax_element(view.image.values.begin(), view.image.values.end());
        EXPECT_GE(*low, 0.0F);
        EXPECT_GT(*high, 128.0F);
        EXPECT_LE(*high, 255.0F);
    }
    if (expected.has_disparity) {
        const Image disparity = read_pfm(index.disparity);
        EXPECT_EQ(disparity.width, expected.width);
        EXPECT_EQ(disparity.height, expected.height);
        for (const float d : disparity.values)
            ASSERT_LT(std::abs(d), 10.0F);  // false for NaN
    }
}

INSTANTIATE_TEST_SUITE_P(
    Known, RealFields,
    testing::Values(
        RealField{"hci/cotton", "hci", 81, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        RealField{"hci/vinyl", "hci", 49, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        RealField{"hci/boardgames", "hci", 25, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        RealField{"hci/medieval2", "hci", 25, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        RealField{"hci/dishes", "hci", 25, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        RealField{
            "lytro/illum_field", "row_col", 25, {5, 5, 5, 5}, 625, 434, PixelFormat::bits8, false},
        RealField{"lytro/bikes", "row_col", 25, {5, 5, 5, 5}, 626, 434, PixelFormat::bits8, false},
        RealField{
            "lytro/bikes_16bit", "row_col", 9, {6, 6, 3, 3}, 626, 434, PixelFormat::bits16, false}),
    [](const auto& test) { return test_name(test.param.path); });

struct RealFrames {
    const char* path;
    std::size_t count;
    int width;
    int height;
};

std::ostream& operator<<(std::ostream& out, const RealFrames& frames) {
    return out << frames.path;
}

class RealSequences : public testing::TestWithParam<RealFrames> {};

TEST_P(RealSequences, OpenAsOneRowOfViews) {
    const RealFrames& expected = GetParam();
    SKIP_WITHOUT_DATA(expected.path);
    const LightFieldIndex index = index_light_field(data_path(expected.path));
    EXPECT_EQ(index.format, "frames");
    EXPECT_EQ(index.grid, (ViewGrid{0, 0, 1, int(expected.count)}));
    const LightField frames = read_light_field(index);
    EXPECT_EQ(frames.views.size(), expected.count);
    EXPECT_EQ(frames.width(), expected.width);
    EXPECT_EQ(frames.height(), expected.height);
}

INSTANTIATE_TEST_SUITE_P(Known, RealSequences,
                         testing::Values(RealFrames{"frames/text", 30, 49, 57},
                                         RealFrames{"frames/car", 64, 72, 121},
                                         RealFrames{"frames/eia_lr", 16, 90, 90},
                                         RealFrames{"frames/adyoron_rotation", 20, 66, 76}),
                         [](const auto& test) { return test_name(test.param.path); });

// The file names of this capture start with the column. Its parallax shows that, and a pattern
// reads the names correctly.
TEST(RealData, ExchangedAxesAreFoundAndAPatternCorrectsThem) {
    const char* capture = "lytro/bikes_16bit";
    SKIP_WITHOUT_DATA(capture);
    const fs::path folder = data_path(capture);
    const auto findings = inspect_light_field(index_light_field(folder));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, "axes");
    OpenOptions options;
    options.pattern = "{col}_{row}";
    EXPECT_TRUE(inspect_light_field(index_light_field(folder, options)).empty());
}

}  // namespace
}  // namespace plenosr::test
