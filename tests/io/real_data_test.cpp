#include <cmath>
#include <cstdlib>

#include "io/support.h"
#include "plenosr/inspect.h"

namespace plenosr::test {
namespace {

// Light fields that are too large to ship, looked for under $PLENOSR_DATA.
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

const std::vector<RealField>& known_fields() {
    static const std::vector<RealField> fields = {
        {"hci/cotton", "hci", 81, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        {"hci/vinyl", "hci", 49, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        {"hci/boardgames", "hci", 25, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        {"hci/medieval2", "hci", 25, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        {"hci/dishes", "hci", 25, {0, 0, 9, 9}, 512, 512, PixelFormat::bits8, true},
        {"lytro/illum_field", "row_col", 25, {5, 5, 5, 5}, 625, 434, PixelFormat::bits8, false},
        {"lytro/bikes", "row_col", 25, {5, 5, 5, 5}, 626, 434, PixelFormat::bits8, false},
        {"lytro/bikes_16bit", "row_col", 9, {6, 6, 3, 3}, 626, 434, PixelFormat::bits16, false},
    };
    return fields;
}

std::vector<RealField> fields_here() {
    std::vector<RealField> here;
    const char* data = std::getenv("PLENOSR_DATA");
    for (const RealField& field : known_fields()) {
        if (data != nullptr && fs::exists(fs::path(data) / field.path)) here.push_back(field);
    }
    return here;
}

TEST(RealData, IsIndexedAndReadWhereItIsThere) {
    for (const RealField& expected : fields_here()) {
        SCOPED_TRACE(expected.path);
        const auto index = index_light_field(fs::path(std::getenv("PLENOSR_DATA")) / expected.path);
        EXPECT_EQ(index.format, expected.format);
        EXPECT_EQ(index.views.size(), expected.views);
        EXPECT_EQ(index.grid, expected.grid);
        EXPECT_EQ(index.image.width, expected.width);
        EXPECT_EQ(index.image.height, expected.height);
        EXPECT_EQ(index.image.format, expected.pixels);
        EXPECT_EQ(!index.disparity.empty(), expected.has_disparity);
        const auto nearest = select_views("3x3", index.grid.centre(), index.positions());
        ASSERT_EQ(nearest.size(), 9U);
        const LightField field = read_light_field(index, nearest);
        EXPECT_EQ(field.channels(), 3);
        if (expected.has_disparity) {
            const Image disparity = read_pfm(index.disparity);
            EXPECT_EQ(disparity.width, expected.width);
            EXPECT_TRUE(std::isfinite(disparity.at(0, 0)));
        }
    }
}

TEST(RealData, FramesOpenAsOneRow) {
    const char* data = std::getenv("PLENOSR_DATA");
    for (const char* name : {"text", "car", "eia_lr", "adyoron_rotation"}) {
        const fs::path folder = fs::path(data != nullptr ? data : "") / "frames" / name;
        if (data == nullptr || !fs::exists(folder)) continue;
        const LightFieldIndex index = index_light_field(folder);
        EXPECT_EQ(index.format, "frames") << name;
        EXPECT_EQ(index.grid.rows, 1);
        EXPECT_EQ(read_light_field(index).views.size(), std::size_t(index.grid.cols));
    }
}

// The names of this capture have the column first: seen by its parallax, and put right by a
// pattern.
TEST(RealData, ExchangedAxesAreNoticedAndPutRight) {
    const char* data = std::getenv("PLENOSR_DATA");
    const fs::path folder = fs::path(data != nullptr ? data : "") / "lytro" / "bikes_16bit";
    if (data == nullptr || !fs::exists(folder)) return;
    const auto findings = inspect_light_field(index_light_field(folder));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, "axes");
    OpenOptions options;
    options.pattern = "{col}_{row}";
    EXPECT_TRUE(inspect_light_field(index_light_field(folder, options)).empty());
}

TEST(RealData, GridsOfTheKnownFieldsHoldTheirViews) {
    for (const RealField& field : known_fields()) {
        EXPECT_LE(field.views, std::size_t(field.grid.rows * field.grid.cols)) << field.path;
    }
}

}  // namespace
}  // namespace plenosr::test
