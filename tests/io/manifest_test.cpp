#include "io/manifest.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "io/support.h"

namespace plenosr::test {
namespace {

class Manifest : public InFolder {
protected:
    void expect_refused(const std::string& text, const std::string& word) {
        put(at("lightfield.json"), text);
        const auto message = refusal_of(ErrorKind::input, [&] { io::read_manifest(folder()); });
        EXPECT_TRUE(mentions(message, "lightfield.json")) << message;
        EXPECT_TRUE(mentions(message, word)) << text << "\n" << message;
    }
};

const char* const grid_json = R"("grid":{"first_row":0,"first_col":0,"rows":3,"cols":3})";

std::string with_degradation(const std::string& degradation) {
    return std::string(R"({"plenosr_light_field":1,"format":"hci","pixels":"8-bit",)") + grid_json +
           R"(,"degradation":)" + degradation + "}";
}

io::Manifest sample(const fs::path& folder) {
    io::Manifest manifest{"row_col", {5, 6, 4, 3}, PixelFormat::bits16, DegradationRecord{}};
    manifest.degradation->options.scale = 4;
    manifest.degradation->options.blur.text = "motion:5,30";
    manifest.degradation->options.gaussian = 0.1;
    manifest.degradation->options.impulse = 12.5;
    manifest.degradation->options.seed = std::numeric_limits<std::uint64_t>::max();
    manifest.degradation->options.colour = Colour::rgb;
    manifest.degradation->source = folder / "original";
    manifest.degradation->full_disparity = folder / "original" / "gt_disp_lowres.pfm";
    return manifest;
}

TEST_F(Manifest, RoundTrip) {
    const io::Manifest written = sample(folder());
    put(at("lightfield.json"), io::format_manifest(written, folder()));
    const auto read = io::read_manifest(folder());
    ASSERT_TRUE(read && read->degradation);
    EXPECT_EQ(read->format, written.format);
    EXPECT_EQ(read->grid, written.grid);
    EXPECT_EQ(read->pixels, written.pixels);
    const DegradeOptions& a = read->degradation->options;
    const DegradeOptions& b = written.degradation->options;
    EXPECT_EQ(a.scale, b.scale);
    EXPECT_EQ(a.blur, b.blur);
    EXPECT_EQ(a.gaussian, b.gaussian);
    EXPECT_EQ(a.impulse, b.impulse);
    EXPECT_EQ(a.seed, b.seed);
    EXPECT_EQ(a.colour, b.colour);
    EXPECT_EQ(read->degradation->source, written.degradation->source);
    EXPECT_EQ(read->degradation->full_disparity, written.degradation->full_disparity);
}

TEST_F(Manifest, PhotonNoiseIsRecorded) {
    io::Manifest written = sample(folder());
    written.degradation->options.gaussian = 0;
    written.degradation->options.poisson = 30;
    written.degradation->options.read_noise = 2.5;
    put(at("lightfield.json"), io::format_manifest(written, folder()));
    const auto read = io::read_manifest(folder());
    EXPECT_EQ(read->degradation->options.poisson, 30);
    EXPECT_EQ(read->degradation->options.read_noise, 2.5);
}

TEST_F(Manifest, ASimulatedCameraHidesBlurAndNoise) {
    io::Manifest written = sample(folder());
    written.degradation->options.poisson = 30;
    written.degradation->simulated_camera = R"({"lens":0.7,"views":[]})";
    const std::string text = io::format_manifest(written, folder());
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["plenosr_light_field"], 3);  // older programs would ask for the blur
    EXPECT_EQ(json["simulated_camera"]["lens"], 0.7);
    EXPECT_EQ(json["degradation"].size(), 4U);
    for (const char* key : {"scale", "colour", "source", "full_disparity"})
        EXPECT_TRUE(json["degradation"].contains(key)) << key;

    put(at("lightfield.json"), text);
    const auto read = io::read_manifest(folder());
    EXPECT_EQ(read->degradation->options.scale, 4);
    EXPECT_EQ(read->degradation->options.blur.text, "");
    EXPECT_EQ(read->degradation->options.gaussian, 0);
    EXPECT_EQ(read->degradation->options.poisson, 0);
    EXPECT_EQ(read->degradation->simulated_camera, written.degradation->simulated_camera);
    EXPECT_EQ(io::format_manifest(*read, folder()), text);

    // Without a camera the blur is required, in version 3 too.
    auto changed = json;
    changed.erase("simulated_camera");
    expect_refused(changed.dump(), "degradation.blur");
    changed["simulated_camera"] = 5;
    expect_refused(changed.dump(), "simulated_camera");
}

TEST_F(Manifest, MissingManifestIsNotAnError) {
    EXPECT_FALSE(io::read_manifest(folder()));
}

TEST_F(Manifest, EmptyPathsStayEmpty) {
    io::Manifest manifest = sample(folder());
    manifest.degradation->source.clear();
    manifest.degradation->full_disparity.clear();
    put(at("lightfield.json"), io::format_manifest(manifest, folder()));
    EXPECT_TRUE(io::read_manifest(folder())->degradation->source.empty());
    EXPECT_TRUE(io::read_manifest(folder())->degradation->full_disparity.empty());
}

TEST_F(Manifest, PathsStayValidWhenAllFoldersMove) {
    fs::create_directories(at("old/low"));
    io::Manifest manifest = sample(at("old"));
    manifest.degradation->options.blur.text = "psf:" + at("old/low/kernel.pfm").string();
    const std::string text = io::format_manifest(manifest, at("old/low"));
    EXPECT_FALSE(mentions(text, folder().string())) << text;
    put(at("old/low/lightfield.json"), text);
    fs::rename(at("old"), at("new"));
    const auto read = io::read_manifest(at("new/low"));
    EXPECT_EQ(read->degradation->source, at("new/original"));
    EXPECT_EQ(read->degradation->options.blur.text, "psf:" + at("new/low/kernel.pfm").string());
}

TEST_F(Manifest, RelativePathsAreRelativeToTheWorkingDirectory) {
    io::Manifest manifest = sample(folder());
    manifest.degradation->source = "original";
    put(at("lightfield.json"), io::format_manifest(manifest, folder()));
    EXPECT_EQ(io::read_manifest(folder())->degradation->source,
              fs::weakly_canonical(fs::absolute("original")));
}

TEST_F(Manifest, APsfOutsideTheFolderIsRefused) {
    const auto with_blur = [](const std::string& blur) {
        return with_degradation(R"({"scale":2,"blur":")" + blur +
                                R"(","gaussian":0,"impulse":0,"seed":1,"colour":"luma",)"
                                R"("source":"","full_disparity":""})");
    };
    for (const char* blur : {"psf:/etc/kernel.pfm", "psf:../kernel.pfm", "psf:a/../../kernel.pfm",
                             "psf-grid:/etc/grid.json", "psf-grid:../grid.npy", "psf:a/"})
        expect_refused(with_blur(blur), "inside the folder");
    put(at("lightfield.json"), with_blur("psf:sub/kernel.pfm"));
    EXPECT_EQ(io::read_manifest(folder())->degradation->options.blur.text,
              "psf:" + at("sub/kernel.pfm").string());
}

TEST_F(Manifest, OtherTextThanAJsonObjectIsRefused) {
    for (const char* text : {"", "{", "nonsense", "[1", "{\"a\":}", "\xff\xfe"}) {
        expect_refused(text, "JSON");
    }
    for (const char* text : {"[]", "3", "null", "\"text\""})
        expect_refused(text, "object");
    expect_refused(std::string(100000, '['), "JSON");
    expect_refused(std::string(100000, '[') + std::string(100000, ']'), "object");
    expect_refused(std::string(2000000, ' '), "larger");
}

TEST_F(Manifest, OtherAndNewerVersionsAreRefused) {
    expect_refused("{}", "plenosr_light_field");
    expect_refused(R"({"plenosr_light_field":"1"})", "plenosr_light_field");
    expect_refused(R"({"plenosr_light_field":0})", "plenosr_light_field");
    expect_refused(R"({"plenosr_light_field":-1})", "plenosr_light_field");
    expect_refused(R"({"plenosr_light_field":1.5})", "plenosr_light_field");
    expect_refused(R"({"plenosr_light_field":18446744073709551615})", "plenosr_light_field");
    expect_refused(R"({"plenosr_light_field":4})", "newer");
}

TEST_F(Manifest, MissingAndMistypedKeysAreNamed) {
    const std::string head = R"({"plenosr_light_field":1)";
    expect_refused(head + "}", "\"format\"");
    expect_refused(head + R"(,"format":3})", "\"format\"");
    expect_refused(head + R"(,"format":"hci"})", "\"grid\"");
    expect_refused(head + R"(,"format":"hci","grid":3})", R"("grid" must be an object)");
    expect_refused(head + R"(,"format":"hci","grid":{}})", "\"grid.first_row\"");
    expect_refused(
        head + R"(,"format":"hci","grid":{"first_row":0,"first_col":0,"rows":0,"cols":3}})",
        "\"grid.rows\"");
    expect_refused(
        head + R"(,"format":"hci","grid":{"first_row":0,"first_col":0,"rows":1e9,"cols":3}})",
        "\"grid.rows\"");
    expect_refused(head + R"(,"format":"hci",)" + grid_json + "}", "\"pixels\"");
    expect_refused(head + R"(,"format":"hci","pixels":"9-bit",)" + grid_json + "}",
                   "8-bit, 16-bit");
}

TEST_F(Manifest, BadDegradationsAreRefused) {
    const auto record = [](const std::string& scale, const std::string& gaussian,
                           const std::string& impulse, const std::string& seed,
                           const std::string& colour) {
        return with_degradation(R"({"scale":)" + scale + R"(,"blur":"none","gaussian":)" +
                                gaussian + R"(,"impulse":)" + impulse + R"(,"seed":)" + seed +
                                R"(,"colour":)" + colour + R"(,"source":"","full_disparity":""})");
    };
    put(at("lightfield.json"), record("2", "1", "0.5", "7", "\"luma\""));
    EXPECT_EQ(io::read_manifest(folder())->degradation->options.seed, 7U);
    expect_refused(with_degradation("null"), R"("degradation" must be an object)");
    expect_refused(with_degradation("{}"), "\"degradation.scale\"");
    expect_refused(record("0", "1", "1", "7", "\"luma\""), "\"degradation.scale\"");
    expect_refused(record("2.5", "1", "1", "7", "\"luma\""), "\"degradation.scale\"");
    expect_refused(record("2", "-1", "1", "7", "\"luma\""), "\"degradation.gaussian\"");
    expect_refused(record("2", "\"1\"", "1", "7", "\"luma\""), "\"degradation.gaussian\"");
    expect_refused(record("2", "1e300", "1", "7", "\"luma\""), "\"degradation.gaussian\"");
    expect_refused(record("2", "1", "101", "7", "\"luma\""), "\"degradation.impulse\"");
    expect_refused(record("2", "1", "1", "-7", "\"luma\""), "\"degradation.seed\"");
    expect_refused(record("2", "1", "1", "7", "\"pink\""), "luma, rgb");
    expect_refused(record("2", "1", "1", "7", "null"), "\"degradation.colour\"");
}

TEST_F(Manifest, Version2IsWrittenOnlyIfNeeded) {
    io::Manifest manifest = sample(folder());
    EXPECT_TRUE(mentions(io::format_manifest(manifest, folder()), "\"plenosr_light_field\": 1"));
    manifest.format = "list";
    manifest.views = {{{0.5, -1.25}, "a.png", ""}, {{1, 2}, "deep/b.exr", "deep/b.pfm"}};
    manifest.crop = {1, 2, 3, 4};
    manifest.colour_space = ColourSpace::linear;
    manifest.disparity_sign = -1;
    manifest.disparity_per_width = true;
    const std::string text = io::format_manifest(manifest, folder());
    EXPECT_TRUE(mentions(text, "\"plenosr_light_field\": 2"));
    const io::Manifest read = io::parse_manifest(folder(), text);
    ASSERT_EQ(read.views.size(), 2U);
    EXPECT_EQ(read.views[0].position, (ViewPosition{0.5, -1.25}));
    EXPECT_EQ(read.views[1].disparity, "deep/b.pfm");
    EXPECT_EQ(read.crop.height, 4);
    EXPECT_EQ(read.colour_space, ColourSpace::linear);
    EXPECT_EQ(read.disparity_sign, -1);
    EXPECT_TRUE(read.disparity_per_width);
    EXPECT_EQ(io::format_manifest(read, folder()), text);
}

std::string with_view(const std::string& view) {
    return R"({"plenosr_light_field":2,"views":[)" + view + "]}";
}

TEST_F(Manifest, FilesOutsideTheFolderAreRefused) {
    for (const char* file :
         {"../a.png", "/etc/passwd", "a/../../b.png", "..", ".", "", "a/", "a\\u0000b.png"}) {
        const std::string stored = file == std::string(".") ? "x/.." : file;
        expect_refused(with_view(R"({"file":")" + stored + R"(","position":[0,0]})"),
                       "inside the folder");
        expect_refused(
            with_view(R"({"file":"a.png","position":[0,0],"disparity":")" + stored + R"("})"),
            "inside the folder");
    }
}

TEST_F(Manifest, RepeatedPositionsAndFilesAreRefused) {
    const std::string a = R"({"file":"a.png","position":[0,0]})";
    expect_refused(with_view(a + R"(,{"file":"b.png","position":[0,0]})"), "same position 0,0");
    expect_refused(with_view(a + R"(,{"file":"a.png","position":[0,1]})"), "same file a.png");
}

TEST_F(Manifest, MistakesAreReportedAsThoseOfTheManifest) {
    write_image(at("a.png"), pattern(8, 8, 1));
    const auto refused = [&](const std::string& text, const std::string& word) {
        put(at("lightfield.json"), text);
        const auto sentence = refusal_of(ErrorKind::input, [&] { index_light_field(folder()); });
        EXPECT_TRUE(mentions(sentence, "The manifest") && mentions(sentence, "lightfield.json") &&
                    mentions(sentence, word))
            << sentence;
    };
    const std::string grid = R"("grid":{"first_row":0,"first_col":0,"rows":1,"cols":1})";
    const auto of_format = [&](const std::string& format, const std::string& more) {
        return R"({"plenosr_light_field":2,"pixels":"8-bit",)" + grid + R"(,"format":")" + format +
               R"(")" + more + "}";
    };
    refused(with_view(R"({"file":"none.png","position":[0,0]})"), "\"views[0].file\"");
    refused(with_view(R"({"file":"a.png","position":[0,0],"disparity":"d.pfm"})"),
            "\"views[0].disparity\"");
    refused(of_format("row_col", R"(,"pattern":"{row}_{wrong}")"), "pattern");
    refused(of_format("hdf5", ""), "one of files");
    refused(of_format("no_such", ""), "unknown");
    refused(of_format("list", ""), "\"views\"");
    put(at("0_0.png"), take(at("a.png")));
    refused(of_format("row_col",
                      R"(,"degradation":{"scale":2,"blur":"blurry","gaussian":1,"impulse":0,)"
                      R"("seed":1,"colour":"luma","source":"","full_disparity":""})"),
            "\"degradation.blur\"");
    // Long texts are cut.
    put(at("lightfield.json"), of_format(std::string(100000, 'x'), ""));
    EXPECT_LT(refusal_of(ErrorKind::input, [&] { index_light_field(folder()); }).size(), 2000U);
}

TEST_F(Manifest, BadGeometryIsRefused) {
    for (const char* position :
         {"[0]", "[0,0,0]", "[0,null]", "[\"0\",0]", "[1e300,0]", "[0,-1e9]", "{}", "3"}) {
        expect_refused(with_view(std::string(R"({"file":"a.png","position":)") + position + "}"),
                       "position");
    }
    // JSON cannot express NaN.
    expect_refused(with_view(R"({"file":"a.png","position":[NaN,0]})"), "JSON");
    expect_refused(R"({"plenosr_light_field":2,"views":[]})", "views");
    expect_refused(R"({"plenosr_light_field":2,"views":3})", "views");
    const std::string head = R"({"plenosr_light_field":2,"format":"hci","pixels":"8-bit",)" +
                             std::string(grid_json) + ",";
    expect_refused(head + R"("crop":{"x":0,"y":0,"width":0,"height":4}})", "crop.width");
    expect_refused(head + R"("crop":{"x":-1,"y":0,"width":4,"height":4}})", "crop.x");
    expect_refused(head + R"("disparity":{"sign":0}})", "sign");
    expect_refused(head + R"("disparity":{"unit":"mile"}})", "pixel, width");
    expect_refused(head + R"("colour_space":"pink"})", "srgb, linear");
    expect_refused(head + R"("views":[{"file":"a.png","position":[0,0]}]})", "format");
}

TEST_F(Manifest, CropColourSpaceAndSignAreApplied) {
    write_image(at("a.png"), pattern(10, 8, 1));
    write_image(at("b.png"), pattern(10, 8, 1, 1));
    Image map(10, 8, 1, 0.25F);
    map.at(3, 4) = 0.5F;
    write_pfm(at("b.pfm"), map);
    put(at("lightfield.json"),
        R"({"plenosr_light_field":2,"colour_space":"linear","disparity":{"sign":-1,"unit":"width"},)"
        R"("crop":{"x":2,"y":1,"width":6,"height":5},"views":[)"
        R"({"file":"a.png","position":[0,0]},)"
        R"({"file":"b.png","position":[0,1.5],"disparity":"b.pfm"}]})");
    const LightFieldIndex index = index_light_field(folder());
    EXPECT_EQ(index.format, "list");
    EXPECT_EQ(index.image.width, 6);
    EXPECT_EQ(index.colour_space, ColourSpace::linear);
    EXPECT_EQ(read_light_field(index).views[1].image, crop(pattern(10, 8, 1, 1), Box{2, 1, 6, 5}));
    const Image read = read_disparity(index, {0, 1.5});
    EXPECT_EQ(read.width, 6);
    EXPECT_EQ(read.at(0, 0), -2.5F);
    EXPECT_EQ(read.at(2, 2), -5.0F);
    put(at("lightfield.json"),
        R"({"plenosr_light_field":2,"crop":{"x":5,"y":1,"width":6,"height":5},)"
        R"("views":[{"file":"a.png","position":[0,0]}]})");
    refusal_of(ErrorKind::input, [&] { index_light_field(folder()); });
}

}  // namespace
}  // namespace plenosr::test
