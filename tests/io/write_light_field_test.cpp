#include "base/cancelled.h"
#include "io/npy_header.h"
#include "io/support.h"
#include "plenosr/convert.h"

namespace plenosr::test {
namespace {

class WriteField : public InFolder {
protected:
    // Expects that the folder holds this light field.
    void expect_holds(const std::string& name, const LightField& expected) const {
        const LightField found = read_light_field(index_light_field(at(name)));
        EXPECT_EQ(found.grid, expected.grid);
        ASSERT_EQ(found.views.size(), expected.views.size());
        for (std::size_t i = 0; i < found.views.size(); ++i) {
            EXPECT_EQ(found.views[i].position, expected.views[i].position);
            EXPECT_EQ(found.views[i].image, expected.views[i].image);
        }
    }
    std::string refusal(const std::string& name, const WriteLightField& options = {}) const;
};

WriteLightField layout(const std::string& format, PixelFormat pixels = PixelFormat::bits8) {
    WriteLightField options;
    options.format = format;
    options.pixels = pixels;
    return options;
}

WriteLightField with_disparity(const Image& disparity, const std::vector<Image>& per_view = {}) {
    WriteLightField options;
    options.disparity = disparity;
    options.view_disparity = per_view;
    return options;
}

LightField sample(ViewGrid grid = {0, 0, 3, 4}, int channels = 3) {
    return numbered_views(grid, channels);
}

std::string WriteField::refusal(const std::string& name, const WriteLightField& options) const {
    return refusal_of(ErrorKind::output, [&] { write_light_field(at(name), sample(), options); });
}

TEST_F(WriteField, RoundTripInEveryLayoutAndPixelFormat) {
    for (const char* format : {"hci", "row_col"}) {
        for (const PixelFormat pixels :
             {PixelFormat::bits8, PixelFormat::bits16, PixelFormat::float32}) {
            for (const int channels : {1, 3}) {
                const LightField field = sample({0, 0, 3, 4}, channels);
                write_light_field(at("out"), field, layout(format, pixels));
                expect_holds("out", field);
                EXPECT_EQ(index_light_field(at("out")).image.format, pixels);
                EXPECT_EQ(index_light_field(at("out")).format, format);
            }
        }
    }
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(WriteField, RoundTripOfGridsWithOffsetsAndMissingViews) {
    for (const char* format : {"hci", "row_col"}) {
        LightField field = sample({5, 7, 4, 4});
        field.views.erase(field.views.begin(), field.views.begin() + 6);
        field.views.pop_back();
        write_light_field(at("out"), field, layout(format));
        expect_holds("out", field);
    }
}

TEST_F(WriteField, WritesTheDisparityOfEachViewAndOfTheCentre) {
    const LightField field = sample({0, 0, 3, 3});
    WriteLightField options;
    for (int i = 0; i < 9; ++i)
        options.view_disparity.push_back(Image(12, 9, 1, float(i) + 0.5F));
    write_light_field(at("out"), field, options);
    EXPECT_EQ(read_pfm(at("out/gt_disp_lowres_Cam007.pfm")), options.view_disparity[7]);
    EXPECT_EQ(read_pfm(at("out/gt_disp_lowres.pfm")), options.view_disparity[4]);
    EXPECT_EQ(index_light_field(at("out")).disparity, at("out/gt_disp_lowres.pfm"));

    options.format = "row_col";
    options.disparity = Image(24, 18, 1, 2.0F);
    write_light_field(at("out"), field, options);
    EXPECT_EQ(read_pfm(at("out/disparity_002_001.pfm")), options.view_disparity[7]);
    EXPECT_EQ(read_pfm(index_light_field(at("out")).disparity), options.disparity);
    EXPECT_EQ(index_light_field(at("out")).views.size(), 9U);
}

TEST_F(WriteField, WritesParametersWithTheActualGrid) {
    WriteLightField options;
    options.parameters = {{"extrinsics.num_cams_x", "99"}, {"meta.scene", "planes"}};
    write_light_field(at("out"), sample(), options);
    const auto parameters = index_light_field(at("out")).parameters;
    EXPECT_EQ(parameters.at("extrinsics.num_cams_x"), "4");
    EXPECT_EQ(parameters.at("extrinsics.num_cams_y"), "3");
    EXPECT_EQ(parameters.at("meta.scene"), "planes");
}

TEST_F(WriteField, RoundTripOfDegradationKeepsPathsUsable) {
    write_light_field(at("full"), sample(), with_disparity(Image(12, 9)));
    WriteLightField options;
    options.degradation = DegradationRecord{};
    options.degradation->options.scale = 3;
    options.degradation->source = at("full");
    options.degradation->full_disparity = at("full/gt_disp_lowres.pfm");
    write_light_field(at("deep/low"), sample(), options);
    const auto record = index_light_field(at("deep/low")).degradation;
    ASSERT_TRUE(record);
    EXPECT_EQ(record->options.scale, 3);
    EXPECT_EQ(index_light_field(record->source).views.size(), 12U);
    EXPECT_EQ(read_pfm(record->full_disparity).width, 12);
    EXPECT_FALSE(index_light_field(at("full")).degradation);
}

// Manifests cannot name files outside their folder.
TEST_F(WriteField, FoldersHoldTheirOwnCopyOfThePsf) {
    Image kernel(3, 5, 1, 1.0F);
    kernel.at(1, 1) = 0.3F;
    write_pfm(at("kernel.pfm"), kernel);
    write_image(at("kernel.png"), pattern(3, 3, 3));
    put(at("grid.json"), R"({"plenosr_psf_grid": 1, "rows": 1, "cols": 3,
                             "psfs": ["gaussian", "psf:kernel.pfm", "psf:kernel.png"]})");
    put(at("grid.npy"), io::format_npy_header({1, 1, 1, 1}, io::Element::uint8) + "a");
    for (const std::string blur :
         {"psf:kernel.pfm", "psf:kernel.png", "psf-grid:grid.json", "psf-grid:grid.npy"}) {
        const std::size_t colon = blur.find(':') + 1;
        DegradationRecord record;
        record.options.blur.text = blur.substr(0, colon) + at(blur.substr(colon)).string();
        WriteLightField options;
        options.degradation = record;
        write_light_field(at("out"), sample(), options);
        // A converted folder has a copy of the copy, and both can be replaced.
        convert_light_field(index_light_field(at("out")), at("again"), {});
        for (const char* name : {"out", "again"}) {
            const auto found = index_light_field(at(name)).degradation;
            ASSERT_TRUE(found) << blur;
            EXPECT_EQ(fs::path(psf_file(found->options.blur)).parent_path(), at(name));
            EXPECT_EQ(make_psf_grid(found->options.blur, 2), make_psf_grid(record.options.blur, 2))
                << blur;
        }
    }
    EXPECT_FALSE(fs::exists(at("out/psf.pfm"))) << "of an earlier light field";
    write_light_field(at("out"), sample(), {});
    EXPECT_FALSE(fs::exists(at("out/psf_grid.npy")));
}

TEST_F(WriteField, AMissingPsfIsRefusedAndLeavesNothing) {
    WriteLightField options;
    options.degradation = DegradationRecord{};
    options.degradation->options.blur.text = "psf:" + at("missing.pfm").string();
    const auto text =
        refusal_of(ErrorKind::input, [&] { write_light_field(at("out"), sample(), options); });
    EXPECT_TRUE(mentions(text, "missing.pfm")) << text;
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(WriteField, ReplacesEmptyFoldersAndItsOwnOutput) {
    fs::create_directory(at("out"));
    write_light_field(at("out"), sample({0, 0, 3, 3}), {});
    write_light_field(at("out/"), sample({0, 0, 2, 2}), layout("row_col"));
    expect_holds("out", sample({0, 0, 2, 2}));
    EXPECT_EQ(entries(at("out")), 4U + 2U);
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(WriteField, RefusesFoldersWithOtherFiles) {
    fs::create_directory(at("photos"));
    put(at("photos/holiday.png"), "precious");
    EXPECT_TRUE(mentions(refusal("photos"), "photos"));
    put(at("photos/lightfield.json"), "{\"someone\": \"else\"}");
    EXPECT_TRUE(mentions(refusal("photos"), "lightfield.json"));
    EXPECT_EQ(take(at("photos/holiday.png")), "precious");
    EXPECT_EQ(entries(at("photos")), 2U);
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(WriteField, RefusesToRemoveFilesThatTheUserAdded) {
    write_light_field(at("out"), sample(), {});
    put(at("out/result.png"), "precious");
    EXPECT_TRUE(mentions(refusal("out"), "result.png"));
    fs::remove(at("out/result.png"));
    fs::create_directory(at("out/results"));
    EXPECT_TRUE(mentions(refusal("out"), "results"));
    expect_holds("out", sample());
}

TEST_F(WriteField, RefusesImpossiblePaths) {
    put(at("file"), "old");
    EXPECT_TRUE(mentions(refusal("file"), "in the way"));
    EXPECT_TRUE(mentions(refusal("file/out"), "file"));
    refusal_of(ErrorKind::output, [] { write_light_field("", sample(), {}); });
    refusal_of(ErrorKind::output, [] { write_light_field("/", sample(), {}); });
    EXPECT_EQ(take(at("file")), "old");
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(WriteField, FailureKeepsTheOldFolderAndLeavesNoOther) {
    write_light_field(at("out"), sample(), {});
    LightField large = sample();
    for (View& view : large.views)
        view.image = pattern(200, 200, 3);
    const WriteLightField floats = layout("hci", PixelFormat::float32);
    std::string text;
    {
        const FullDisk disk;
        text = refusal_of(ErrorKind::output, [&] { write_light_field(at("out"), large, floats); });
        refusal_of(ErrorKind::output, [&] { write_light_field(at("new"), large, floats); });
    }
    EXPECT_TRUE(mentions(text, at("out/input_Cam000.pfm").string())) << text;
    expect_holds("out", sample());
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(WriteField, CancelledWriteLeavesNoFiles) {
    const Progress stop_later = [](const ProgressEvent& event) { return event.step == 0; };
    EXPECT_THROW(write_light_field(at("out"), sample(), {}, stop_later), Cancelled);
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(WriteField, RefusesPositionsThatTheLayoutCannotName) {
    LightField field = sample();
    field.views[3].position = {0.5, 3};
    for (const char* format : {"hci", "row_col"}) {
        refusal_of(ErrorKind::output, [&] { write_light_field(at("out"), field, layout(format)); });
    }
    field.views[3].position = {0, 4};
    refusal_of(ErrorKind::output, [&] { write_light_field(at("out"), field, {}); });
    refusal_of(ErrorKind::output, [&] {
        write_light_field(at("out"), sample({-1, 0, 2, 2}), layout("row_col"));
    });
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(WriteField, RefusesContradictingOptions) {
    refusal_of(ErrorKind::invalid_option,
               [&] { write_light_field(at("out"), sample(), layout("hologram")); });
    refusal("out", with_disparity({}, {Image(12, 9)}));
    refusal("out", with_disparity(Image(12, 9, 3)));
    WriteLightField bad_parameters;
    bad_parameters.parameters = {{"a.b=c", "1"}};
    refusal("out", bad_parameters);
    refusal_of(ErrorKind::input, [&] { write_light_field(at("out"), {}, {}); });
    EXPECT_EQ(entries(folder()), 0U);
}

TEST_F(WriteField, ReplacesTheTargetOfALink) {
    write_light_field(at("real"), sample(), {});
    fs::create_directory_symlink(at("real"), at("link"));
    write_light_field(at("link"), sample({0, 0, 2, 2}), {});
    EXPECT_TRUE(fs::is_symlink(at("link")));
    expect_holds("real", sample({0, 0, 2, 2}));
}

}  // namespace
}  // namespace plenosr::test
