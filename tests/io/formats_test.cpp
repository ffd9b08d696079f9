#include <OpenImageIO/imageio.h>

#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "io/formats.h"
#include "io/support.h"

namespace plenosr::test {
namespace {

class Formats : public InFolder {
protected:
    LightFieldIndex index(const std::string& name, const OpenOptions& options = {}) const {
        return index_light_field(at(name), options);
    }
    static OpenOptions grid(int rows, int cols) {
        OpenOptions options;
        options.rows = rows;
        options.cols = cols;
        return options;
    }
    void add_view(const std::string& name, int seed = 0) const {
        write_image(at(name), pattern(6, 5, 1, seed));
    }
};

void expect_equal(const LightField& found, const LightField& expected, double tolerance) {
    ASSERT_EQ(found.views.size(), expected.views.size());
    for (std::size_t i = 0; i < found.views.size(); ++i) {
        const Image& a = found.views[i].image;
        const Image& b = expected.views[i].image;
        ASSERT_EQ(a.values.size(), b.values.size());
        EXPECT_TRUE(a.same_size(b));
        for (std::size_t k = 0; k < a.values.size(); ++k)
            ASSERT_NEAR(a.values[k], b.values[k], tolerance) << "view " << i << " value " << k;
    }
}

// Round trip of every writable layout with each of its encodings: exact for integers, within one
// unit in the last place for floats, which are stored with 1 as white.
TEST_F(Formats, RoundTripOfEveryWritableFormat) {
    struct Encoding {
        const char* format;
        const char* name;
        PixelFormat pixels;
        const char* extension = "";
    };
    using enum PixelFormat;
    const std::vector<Encoding> encodings = {
        {"hci", "out", bits8},           {"hci", "out", bits16, ".tif"},
        {"hci", "out", float32, ".exr"}, {"hci", "out", float32, ".tif"},
        {"row_col", "out", bits16},      {"row_col", "out", float32},
        {"list", "out", bits8},          {"list", "out", float32, ".exr"},
        {"npy", "out.npy", bits8},       {"npy", "out.npy", bits16},
        {"npy", "out.npy", float32},     {"hdf5", "out.h5", bits8},
        {"hdf5", "out.h5", bits16},      {"hdf5", "out.hdf5", float32},
        {"mosaic", "out.png", bits8},    {"mosaic", "out.png", bits16},
        {"mosaic", "out.exr", float32},  {"mosaic", "out.tif", float32},
        {"mosaic", "out.pfm", float32},  {"eslf", "out.png", bits8},
        {"eslf", "out.tif", bits16},     {"eslf", "out.pfm", float32},
    };
    std::set<std::string> written;
    for (const Encoding& encoding : encodings) {
        for (const int channels : {1, 3}) {
            SCOPED_TRACE(std::string(encoding.format) + " " + encoding.name + encoding.extension);
            const LightField field = numbered_views({0, 0, 3, 4}, channels);
            WriteLightField options;
            options.format = encoding.format;
            options.pixels = encoding.pixels;
            options.extension = encoding.extension;
            write_light_field(at(encoding.name), field, options);
            OpenOptions open = grid(3, 4);
            if (encoding.format == std::string("eslf")) open.format = "eslf";
            const LightFieldIndex found = index(encoding.name, open);
            EXPECT_EQ(found.format, encoding.format);
            EXPECT_EQ(found.image.format, encoding.pixels);
            EXPECT_EQ(found.image.channels, channels);
            expect_equal(read_light_field(found), field,
                         encoding.pixels == PixelFormat::float32 ? 255.0 * 0x1p-23 : 0.0);
            written.insert(encoding.format);
            fs::remove_all(at(encoding.name));
        }
    }
    for (const FormatDescription& format : light_field_formats())
        EXPECT_EQ(written.contains(format.name), format.writable) << format.name;
}

TEST_F(Formats, SameLightFieldGivesTheSameBytesAtAnotherTime) {
    const LightField field = numbered_views({0, 0, 2, 2}, 3);
    const auto write_all = [&] {
        std::map<std::string, std::string> bytes;
        for (const char* name : {"a.npy", "a.h5", "a.png", "a.exr", "a.tif"}) {
            WriteLightField options;
            options.format = format_for_output(at(name), field);
            options.pixels =
                std::string(name) == "a.exr" ? PixelFormat::float32 : PixelFormat::bits16;
            write_light_field(at(name), field, options);
            bytes[name] = take(at(name));
        }
        return bytes;
    };
    const auto first = write_all();
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // files may hold whole seconds
    for (const auto& [name, bytes] : write_all())
        EXPECT_EQ(bytes, first.at(name)) << name;
}

TEST_F(Formats, LayoutsOfFullGridsRefuseMissingViewsAndPositionsBetweenPlaces) {
    LightField field = numbered_views({2, 3, 3, 3}, 1);
    field.views.erase(field.views.begin() + 4);
    for (const char* name : {"a.npy", "a.h5", "a.png"}) {
        WriteLightField options;
        options.format = format_for_output(at(name), field);
        const auto text =
            refusal_of(ErrorKind::output, [&] { write_light_field(at(name), field, options); });
        EXPECT_TRUE(mentions(text, "missing")) << text;
    }
    field = numbered_views({0, 0, 1, 2}, 1);
    field.views[1].position.col = 1.25;
    WriteLightField options;
    options.format = "npy";
    refusal_of(ErrorKind::output, [&] { write_light_field(at("a.npy"), field, options); });
    EXPECT_EQ(format_for_output(at("folder"), field), "list");
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(Formats, ListKeepsPositionsBetweenPlaces) {
    LightField field = numbered_views({-1, 0, 2, 2}, 1);
    field.views[0].position = {-1.125, 0.5};
    field.views[3].position = {0.0625, 0.9};
    WriteLightField options;
    options.format = "list";
    options.disparity = Image(12, 9, 1, 0.5F);
    write_light_field(at("out"), field, options);
    const LightFieldIndex found = index("out");
    EXPECT_EQ(found.format, "list");
    EXPECT_EQ(found.grid, field.grid);
    EXPECT_EQ(found.positions(),
              (std::vector<ViewPosition>{{-1.125, 0.5}, {-1, 1}, {0, 0}, {0.0625, 0.9}}));
    EXPECT_EQ(read_pfm(found.disparity), options.disparity);
    write_light_field(at("out"), field, options);  // replaces its own output
}

TEST_F(Formats, Hdf5KeepsTheGridOffsetAndAllMaps) {
    const LightField field = numbered_views({5, 6, 2, 3}, 3);
    WriteLightField options;
    options.format = "hdf5";
    for (int i = 0; i < 6; ++i)
        options.view_disparity.push_back(Image(12, 9, 1, float(i) - 2.5F));
    options.disparity = Image(24, 18, 1, 1.5F);
    // Each of these values changes by a rounding if it is multiplied by 255 and divided again.
    for (std::size_t i = 0; i < options.disparity.values.size(); ++i)
        options.disparity.values[i] = 1.5F + 0x1p-16F + float(i) * 0x1p-15F;
    write_light_field(at("a.h5"), field, options);
    const LightFieldIndex found = index("a.h5");
    EXPECT_EQ(found.grid, field.grid);
    EXPECT_EQ(found.positions(),
              (std::vector<ViewPosition>{{5, 6}, {5, 7}, {5, 8}, {6, 6}, {6, 7}, {6, 8}}));
    EXPECT_EQ(read_disparity(found, {5, 8}), options.view_disparity[2]);
    EXPECT_EQ(read_disparity(found, found.grid.centre()), options.disparity);
}

TEST_F(Formats, InriaNamesCountFromOneAndHaveNpyMaps) {
    for (const char* name : {"lf_1_1.png", "lf_1_2.png", "lf_2_1.png", "lf_2_2.png"})
        add_view(name);
    write_disparity(at("disparity_1_2.npy"), Image(6, 5, 1, 0.75F));
    write_disparity(at("disparity_2_2.npy"), Image(6, 5, 1, -0.25F));
    const LightFieldIndex found = index("");
    EXPECT_EQ(found.format, "inria");
    EXPECT_EQ(found.grid, (ViewGrid{1, 1, 2, 2}));
    EXPECT_EQ(read_disparity(found, {1, 2}), Image(6, 5, 1, 0.75F));
    EXPECT_EQ(read_disparity(found, found.grid.centre()), Image(6, 5, 1, -0.25F));
    const auto text = refusal_of(ErrorKind::input, [&] {
        read_disparity(found, ViewPosition{1, 1});
    });
    EXPECT_TRUE(mentions(text, "1,1")) << text;
}

TEST_F(Formats, StanfordNamesContainTruePositions) {
    // Steps of 40 along x and -40 along y, with the middle of the second row off by half a step.
    const std::vector<std::string> names = {
        "out_00_00_-100.0_20.0_.png", "out_00_01_-100.0_60.0_.png", "out_00_02_-100.0_100.0_.png",
        "out_01_00_-140.0_20.0_.png", "out_01_01_-140.0_60.0_.png", "out_01_02_-140.0_105.0_.png",
        "out_02_00_-180.0_15.0_.png", "out_02_01_-180.0_60.0_.png", "out_02_02_-180.0_100.0_.png"};
    for (const std::string& name : names)
        add_view(name);
    const LightFieldIndex found = index("");
    EXPECT_EQ(found.format, "stanford");
    EXPECT_EQ(found.grid, (ViewGrid{0, 0, 3, 3}));
    const auto positions = found.positions();
    const auto near = [&](double row, double col) {
        return std::any_of(positions.begin(), positions.end(), [&](ViewPosition p) {
            return std::abs(p.row - row) < 0.05 && std::abs(p.col - col) < 0.05;
        });
    };
    EXPECT_NE(std::find(positions.begin(), positions.end(), ViewPosition{1, 1}), positions.end());
    EXPECT_TRUE(near(0, 0) && near(2, 2) && near(1, 1)) << to_string(positions.front());
    EXPECT_TRUE(near(1, 2.11) || near(1, 2.125)) << "5 of 40 units off";
    EXPECT_EQ(select_views("3x3", {1, 1}, positions).size(), 9U);
    EXPECT_EQ(select_views("cross5", {1, 1}, positions).size(), 5U);
}

TEST_F(Formats, StanfordNamesWithoutUsablePositionsAreRefused) {
    add_view("out_00_00_5_5_.png");
    add_view("out_00_01_5_5_.png");
    const auto text = refusal_of(ErrorKind::input, [&] { index(""); });
    EXPECT_TRUE(mentions(text, "positions")) << text;
}

TEST_F(Formats, PatternsMayHaveTheColumnFirst) {
    add_view("SAI_01_02.png");
    add_view("SAI_03_04.png", 1);
    EXPECT_EQ(index("").format, "lfbm5d");
    EXPECT_EQ(index("").positions(), (std::vector<ViewPosition>{{1, 2}, {3, 4}}));
    OpenOptions options;
    options.pattern = "SAI_{col}_{row}.png";
    EXPECT_EQ(index("", options).format, "row_col");
    EXPECT_EQ(index("", options).positions(), (std::vector<ViewPosition>{{2, 1}, {4, 3}}));
    options.pattern = "view_{row}_{col}.png";
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index("", options); }), "no view"));
}

TEST_F(Formats, ManifestStoresThePattern) {
    const LightField field = numbered_views({0, 0, 2, 3}, 1);
    WriteLightField options;
    options.format = "row_col";
    options.pattern = "cam{col:2}-{row:2}.png";
    write_light_field(at("out"), field, options);
    EXPECT_TRUE(fs::exists(at("out/cam02-01.png")));
    expect_equal(read_light_field(index("out")), field, 0);
    write_light_field(at("out"), field, options);
}

TEST_F(Formats, FramesAreOneRowInTheOrderOfTheirNumbers) {
    for (const char* name : {"f9.png", "f10.png", "f2.png", "f100.png"})
        add_view(name);
    const LightFieldIndex found = index("");
    EXPECT_EQ(found.format, "frames");
    EXPECT_EQ(found.grid, (ViewGrid{0, 0, 1, 4}));
    EXPECT_EQ(found.views[0].file, at("f2.png"));
    EXPECT_EQ(found.views[3].file, at("f100.png"));
    EXPECT_EQ(index("", grid(2, 2)).views[2].position, (ViewPosition{1, 0}));
    EXPECT_TRUE(
        mentions(refusal_of(ErrorKind::input, [&] { index("", grid(2, 3)); }), "do not fill"));
}

TEST_F(Formats, PagesOfATiffAreViews) {
    const auto output = OIIO::ImageOutput::create("tiff");
    const OIIO::ImageSpec spec(6, 5, 1, OIIO::TypeDesc::UINT16);
    std::vector<OIIO::ImageSpec> specs(6, spec);
    ASSERT_TRUE(output->open(at("a.tif").string(), 6, specs.data()));
    for (int page = 0; page < 6; ++page) {
        if (page > 0) {
            ASSERT_TRUE(output->open(at("a.tif").string(), specs[std::size_t(page)],
                                     OIIO::ImageOutput::AppendSubimage));
        }
        const std::vector<std::uint16_t> values(30, std::uint16_t(257 * page));
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT16, values.data()));
    }
    output->close();
    const LightFieldIndex found = index("a.tif", grid(2, 3));
    EXPECT_EQ(found.format, "pages");
    EXPECT_EQ(found.image.format, PixelFormat::bits16);
    const LightField field = read_light_field(found);
    ASSERT_EQ(field.views.size(), 6U);
    EXPECT_EQ(field.find({1, 1})->image, Image(6, 5, 1, 4.0F));
    EXPECT_EQ(index("a.tif").grid, (ViewGrid{0, 0, 1, 6}));
    const std::string whole = take(at("a.tif"));
    put(at("cut.tif"), whole.substr(0, whole.size() / 2));
    refusal_of(ErrorKind::input, [&] { read_light_field(index("cut.tif", grid(2, 3))); });
}

TEST_F(Formats, LensletsAndMosaicsAreDistinguishedByContent) {
    // A smooth scene, one pixel of parallax from one end to the other.
    LightField field = numbered_views({0, 0, 4, 4}, 1, 40, 30);
    for (View& view : field.views)
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x)
                view.image.at(y, x) =
                    std::round(float(127 + 60 * std::sin(0.6 * (x + 0.1 * view.position.col)) +
                                     60 * std::cos(0.7 * (y + 0.1 * view.position.row))));
    for (const char* format : {"eslf", "mosaic"}) {
        WriteLightField options;
        options.format = format;
        write_light_field(at("a.png"), field, options);
        EXPECT_EQ(index("a.png", grid(4, 4)).format, format);
        expect_equal(read_light_field(index("a.png", grid(4, 4))), field, 0);
    }
    const auto text = refusal_of(ErrorKind::input, [&] { index("a.png"); });
    EXPECT_TRUE(mentions(text, "--grid")) << text;
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index("a.png", grid(7, 4)); }),
                         "do not divide"));
}

TEST_F(Formats, LensletsOf14PixelsAreDetected) {
    LightField field = numbered_views({0, 0, 14, 14}, 1, 20, 16);
    for (View& view : field.views)
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 20; ++x)
                view.image.at(y, x) =
                    std::round(float(127 + 60 * std::sin(0.9 * (x - 0.05 * view.position.col)) +
                                     60 * std::cos(1.1 * (y - 0.05 * view.position.row))));
    WriteLightField options;
    options.format = "eslf";
    write_light_field(at("a.png"), field, options);
    EXPECT_EQ(index("a.png").format, "eslf");
    EXPECT_EQ(index("a.png").grid, (ViewGrid{0, 0, 14, 14}));
    expect_equal(read_light_field(index("a.png")), field, 0);
}

TEST_F(Formats, FormatOptionOverridesDetection) {
    OpenOptions options;
    options.format = "hologram";
    add_view("0_0.png");
    EXPECT_TRUE(
        mentions(refusal_of(ErrorKind::invalid_option, [&] { index("", options); }), "hologram"));
    options.format = "npy";
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index("", options); }), "folder"));
    options.format = "hci";
    EXPECT_TRUE(mentions(refusal_of(ErrorKind::input, [&] { index("", options); }), "no view"));
    options.format = "row_col";
    EXPECT_EQ(index("", options).views.size(), 1U);
}

TEST_F(Formats, ViewsBeyondTheMemoryLimitAreRefusedBeforeDecoding) {
    add_view("0_0.png");
    put(at("0_1.png"), "not a picture; never decoded");
    OpenOptions options;
    options.memory_limit = 6 * 5 * 4 * 2 - 1;
    const auto text = refusal_of(ErrorKind::input, [&] { read_light_field(index("", options)); });
    EXPECT_TRUE(mentions(text, "limit")) << text;
    EXPECT_EQ(read_light_field(index("", options), {{0, 0}}).views.size(), 1U);
}

TEST_F(Formats, PathOfAManifestMeansItsFolder) {
    write_light_field(at("out"), numbered_views({0, 0, 2, 2}, 1), {});
    EXPECT_EQ(index("out/lightfield.json").views.size(), 4U);
}

}  // namespace
}  // namespace plenosr::test
