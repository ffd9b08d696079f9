#include "base/cancelled.h"
#include "io/support.h"

namespace plenosr::test {
namespace {

class IndexLightField : public InFolder {
protected:
    void add_view(const std::string& name, int width = 4, int height = 3, int channels = 1) {
        write_image(at(name), pattern(width, height, channels, int(entries(folder()))));
    }
    std::string refusal() const {
        return refusal_of(ErrorKind::input, [&] { index_light_field(folder()); });
    }
};

TEST_F(IndexLightField, HciNumbersRunAlongTheRows) {
    for (const char* name :
         {"input_Cam000.png", "input_Cam008.png", "input_Cam009.png", "input_Cam080.png"}) {
        add_view(name);
    }
    put(at("license.txt"), "text");
    const LightFieldIndex index = index_light_field(folder());
    EXPECT_EQ(index.format, "hci");
    EXPECT_EQ(index.grid, (ViewGrid{0, 0, 9, 9}));
    EXPECT_EQ(index.positions(), (std::vector<ViewPosition>{{0, 0}, {0, 8}, {1, 0}, {8, 8}}));
    EXPECT_EQ(index.image.width, 4);
    EXPECT_TRUE(index.disparity.empty());
    EXPECT_TRUE(index.parameters.empty());
    EXPECT_FALSE(index.degradation);
}

TEST_F(IndexLightField, HciGridComesFromParameters) {
    add_view("input_Cam007.png");
    put(at("parameters.cfg"), "[extrinsics]\nnum_cams_x = 5\nnum_cams_y = 3\nbaseline_mm = 1\n");
    write_pfm(at("gt_disp_lowres.pfm"), Image(4, 3));
    const LightFieldIndex index = index_light_field(folder());
    EXPECT_EQ(index.grid, (ViewGrid{0, 0, 3, 5}));
    EXPECT_EQ(index.views.front().position, (ViewPosition{1, 2}));
    EXPECT_EQ(index.parameters.at("extrinsics.baseline_mm"), "1");
    EXPECT_EQ(index.disparity, at("gt_disp_lowres.pfm"));
}

TEST_F(IndexLightField, HciWithoutGridParametersIsNineByNine) {
    add_view("input_Cam040.png");
    put(at("parameters.cfg"), "[meta]\nscene = x\n");
    EXPECT_EQ(index_light_field(folder()).grid, (ViewGrid{0, 0, 9, 9}));
    EXPECT_EQ(index_light_field(folder()).views.front().position, (ViewPosition{4, 4}));
}

TEST_F(IndexLightField, HciNumbersBeyondTheGridAreRefused) {
    add_view("input_Cam081.png");
    EXPECT_TRUE(mentions(refusal(), "input_Cam081.png")) << refusal();
    fs::rename(at("input_Cam081.png"), at("input_Cam99999999999999999999.png"));
    EXPECT_TRUE(mentions(refusal(), "9x9")) << refusal();
}

TEST_F(IndexLightField, BadParametersAreRefused) {
    add_view("input_Cam000.png");
    for (const char* value : {"0", "-3", "nine", "", "9.5", "9 9", "99999999999", "100000"}) {
        put(at("parameters.cfg"), std::string("[extrinsics]\nnum_cams_x = ") + value + "\n");
        EXPECT_TRUE(mentions(refusal(), "num_cams_x")) << refusal();
    }
    put(at("parameters.cfg"), "[extrinsics]\nnum_cams_x 9\n");
    EXPECT_TRUE(mentions(refusal(), "line 2")) << refusal();
}

TEST_F(IndexLightField, RowColGridIsTheBoundingBox) {
    for (const char* name : {"5_6.png", "5_9.png", "8_7.png"})
        add_view(name);
    add_view("thumbnail.png");
    write_pfm(at("disparity.pfm"), Image(4, 3));
    const LightFieldIndex index = index_light_field(folder());
    EXPECT_EQ(index.format, "row_col");
    EXPECT_EQ(index.grid, (ViewGrid{5, 6, 4, 4}));
    EXPECT_EQ(index.positions(), (std::vector<ViewPosition>{{5, 6}, {5, 9}, {8, 7}}));
    EXPECT_EQ(index.disparity, at("disparity.pfm"));
}

TEST_F(IndexLightField, RowColOrderIsByNumberNotByName) {
    for (const char* name : {"9_10.png", "10_9.png", "09_9.png"})
        add_view(name);
    EXPECT_EQ(index_light_field(folder()).positions(),
              (std::vector<ViewPosition>{{9, 9}, {9, 10}, {10, 9}}));
}

TEST_F(IndexLightField, RowColAcceptsTheBenchmarksDisparityName) {
    add_view("007_008.png");
    write_pfm(at("gt_disp_lowres.pfm"), Image(4, 3));
    EXPECT_EQ(index_light_field(folder()).disparity, at("gt_disp_lowres.pfm"));
}

TEST_F(IndexLightField, TwoFilesForOneViewAreRefused) {
    add_view("5_5.png");
    add_view("005_005.png");
    EXPECT_TRUE(mentions(refusal(), "005_005.png") && mentions(refusal(), "5_5.png")) << refusal();
    fs::remove(at("005_005.png"));
    write_pfm(at("5_5.pfm"), Image(4, 3));
    EXPECT_TRUE(mentions(refusal(), "5_5.pfm")) << refusal();
}

TEST_F(IndexLightField, TwoHciFilesForOneViewAreRefused) {
    add_view("input_Cam005.png");
    add_view("input_Cam5.png");
    EXPECT_TRUE(mentions(refusal(), "input_Cam5.png")) << refusal();
}

TEST_F(IndexLightField, OtherNamesAreIgnored) {
    for (const char* name :
         {"_5.png", "5_.png", "5_5_5.png", "a_5.png", "-1_5.png", "+1_5.png", "20230101_123456.png",
          "input_Cam.png", "input_Camx.png", "5_5.txt.png", "Input_Cam000.png"}) {
        add_view(name);
    }
    put(at("5_5.txt"), "text");
    fs::create_directory(at("6_6.png"));
    const auto text = refusal();
    EXPECT_TRUE(mentions(text, "hci") && mentions(text, "row_col")) << text;
}

TEST_F(IndexLightField, MissingAndEmptyPathsAreRefused) {
    const auto refused = [](const fs::path& path) {
        return refusal_of(ErrorKind::input, [&] { index_light_field(path); });
    };
    EXPECT_TRUE(mentions(refused(at("none")), "does not exist"));
    put(at("a.png"), "x");
    EXPECT_TRUE(mentions(refused(at("a.png")), "not a light field"));
    fs::create_directory(at("empty"));
    EXPECT_TRUE(mentions(refused(at("empty")), "no known light field"));
    refusal_of(ErrorKind::input, [] { index_light_field(""); });
    refusal_of(ErrorKind::input, [] { index_light_field("/dev/null"); });
}

TEST_F(IndexLightField, BadFirstViewIsRefusedByName) {
    put(at("input_Cam000.png"), "");
    EXPECT_TRUE(mentions(refusal(), "input_Cam000.png")) << refusal();
}

TEST_F(IndexLightField, ManifestWithUnknownFormatOrWithoutViewsIsRefused) {
    const std::string tail =
        R"("pixels":"8-bit","grid":{"first_row":0,"first_col":0,"rows":2,"cols":2}})";
    put(at("lightfield.json"), R"({"plenosr_light_field":1,"format":"hologram",)" + tail);
    EXPECT_TRUE(mentions(refusal(), "hologram")) << refusal();
    put(at("lightfield.json"), R"({"plenosr_light_field":1,"format":"row_col",)" + tail);
    EXPECT_TRUE(mentions(refusal(), "no view")) << refusal();
    add_view("5_5.png");
    EXPECT_TRUE(mentions(refusal(), "5_5.png")) << refusal();
}

TEST_F(IndexLightField, ViewsOfDifferentSizesAreRefusedByName) {
    for (const char* name : {"0_0.png", "0_1.png"})
        add_view(name);
    add_view("1_0.png", 5, 3);
    add_view("1_1.png", 6, 3);
    const LightFieldIndex index = index_light_field(folder());
    const auto text = refusal_of(ErrorKind::input, [&] { read_light_field(index); });
    EXPECT_TRUE(mentions(text, "1_0.png") && mentions(text, "5x3") && mentions(text, "4x3"))
        << text;
    EXPECT_EQ(read_light_field(index, {{0, 0}, {0, 1}}).views.size(), 2U);
}

TEST_F(IndexLightField, GreyAndColourTogetherAreRefused) {
    add_view("0_0.png");
    add_view("0_1.png", 4, 3, 3);
    refusal_of(ErrorKind::input, [&] { read_light_field(index_light_field(folder())); });
}

TEST_F(IndexLightField, FirstOfSeveralDamagedViewsIsNamed) {
    for (int i = 0; i < 12; ++i)
        add_view("0_" + std::to_string(i) + ".png");
    for (const char* name : {"0_3.png", "0_4.png", "0_11.png"})
        put(at(name), "damaged");
    const LightFieldIndex index = index_light_field(folder());
    for (int i = 0; i < 5; ++i) {
        const auto text = refusal_of(ErrorKind::input, [&] { read_light_field(index); });
        EXPECT_TRUE(mentions(text, "0_3.png")) << text;
    }
}

TEST_F(IndexLightField, RefusalsNameTheFileAndTheView) {
    LightField field = numbered_views({0, 0, 2, 2}, 1);
    for (const char* name : {"a.npy", "a.h5", "folder"}) {
        WriteLightField layout;
        layout.format = format_for_output(at(name), field);
        layout.pixels = PixelFormat::float32;
        write_light_field(at(name), field, layout);
    }
    const auto refused = [&](const std::string& name, const std::string& word) {
        const auto text =
            refusal_of(ErrorKind::input, [&] { read_light_field(index_light_field(at(name))); });
        EXPECT_TRUE(mentions(text, name) && mentions(text, "(view 1,0)") && mentions(text, word))
            << text;
    };
    const std::string nan("\0\0\xc0\x7f", 4);
    std::string array = take(at("a.npy"));
    array.replace(array.size() / 4 * 4 - 12 * 9 * 4 * 2, 4, nan);
    put(at("a.npy"), array);
    refused("a.npy", "value nan");
    put(at("folder/input_Cam002.pfm"), "Pf\n12 9\n-1\ntoo short");
    refused("folder", "input_Cam002.pfm");
}

TEST_F(IndexLightField, FloatFilesAreClippedOnlyIfTheyShowIt) {
    LightField field = numbered_views({0, 0, 1, 2}, 1, 40, 40);
    for (View& view : field.views)
        for (int y = 0; y < 40; ++y)
            for (int x = 0; x < 40; ++x)
                view.image.at(y, x) = x < 20 ? 0.0F : y < 20 ? 255.0F : 77.7F;
    const auto clipped = [&](PixelFormat pixels, bool recorded = false) {
        WriteLightField layout;
        layout.pixels = pixels;
        if (recorded) layout.degradation = DegradationRecord();
        fs::remove_all(at("field"));
        write_light_field(at("field"), field, layout);
        return read_light_field(index_light_field(at("field"))).clipped;
    };
    EXPECT_TRUE(clipped(PixelFormat::bits8));
    EXPECT_TRUE(clipped(PixelFormat::bits16));
    EXPECT_FALSE(clipped(PixelFormat::float32)) << "areas of exact black and white";
    EXPECT_TRUE(clipped(PixelFormat::float32, true)) << "made by degrade()";
    for (int i = 0; i < 6; ++i)
        field.views[0].image.at(22 + 3 * i, 24 + 2 * i) = i % 2 == 0 ? 0.0F : 255.0F;
    EXPECT_FALSE(clipped(PixelFormat::float32)) << "less than one in 100 of the extremes";
    for (int i = 0; i < 36; ++i)
        field.views[1].image.at(22 + 3 * (i / 6), 22 + 3 * (i % 6)) = 255.0F;
    EXPECT_TRUE(clipped(PixelFormat::float32)) << "impulses";
}

TEST_F(IndexLightField, AskingForAMissingViewIsAnError) {
    add_view("0_0.png");
    const LightFieldIndex index = index_light_field(folder());
    const auto text = refusal_of(ErrorKind::input, [&] { read_light_field(index, {{3, 3}}); });
    EXPECT_TRUE(mentions(text, "3,3")) << text;
}

TEST_F(IndexLightField, ReadingReportsEveryBatchAndCanBeCancelled) {
    for (int i = 0; i < 30; ++i)
        add_view("0_" + std::to_string(i) + ".png");
    const LightFieldIndex index = index_light_field(folder());
    int last = -1;
    read_light_field(index, {}, [&](const ProgressEvent& event) {
        EXPECT_EQ(event.stage, "reading");
        EXPECT_EQ(event.steps, 30);
        EXPECT_GT(event.step, last);
        last = event.step;
        return true;
    });
    EXPECT_EQ(last, 30);
    EXPECT_THROW(read_light_field(index, {}, [](const ProgressEvent&) { return false; }),
                 Cancelled);
}

TEST_F(IndexLightField, FormatsAreDescribed) {
    EXPECT_EQ(light_field_formats().size(), 16U);
    for (const FormatDescription& format : light_field_formats()) {
        EXPECT_FALSE(format.name.empty());
        EXPECT_FALSE(format.description.empty());
    }
}

}  // namespace
}  // namespace plenosr::test
