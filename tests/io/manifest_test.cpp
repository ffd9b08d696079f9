#include "io/manifest.h"

#include <limits>

#include "io/support.h"

namespace plenosr::test {
namespace {

class Manifest : public InFolder {
protected:
    void expect_refused(const std::string& text, const std::string& word) {
        put(at("lightfield.json"), text);
        const auto message = complaint(ErrorKind::input, [&] { io::read_manifest(folder()); });
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

TEST_F(Manifest, WrittenAndReadIsTheSame) {
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

TEST_F(Manifest, NoneIsNoError) {
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

TEST_F(Manifest, PathsSurviveAMoveOfEverythingTogether) {
    fs::create_directories(at("old/low"));
    io::Manifest manifest = sample(at("old"));
    manifest.degradation->options.blur.text = "psf:" + at("old/kernel.pfm").string();
    const std::string text = io::format_manifest(manifest, at("old/low"));
    EXPECT_FALSE(mentions(text, folder().string())) << text;
    put(at("old/low/lightfield.json"), text);
    fs::rename(at("old"), at("new"));
    const auto read = io::read_manifest(at("new/low"));
    EXPECT_EQ(read->degradation->source, at("new/original"));
    EXPECT_EQ(read->degradation->options.blur.text, "psf:" + at("new/kernel.pfm").string());
}

TEST_F(Manifest, RelativePathsAreMeantFromTheWorkingDirectoryWhenWritten) {
    io::Manifest manifest = sample(folder());
    manifest.degradation->options.blur.text = "psf:kernel.pfm";
    put(at("lightfield.json"), io::format_manifest(manifest, folder()));
    EXPECT_EQ(io::read_manifest(folder())->degradation->options.blur.text,
              "psf:" + fs::weakly_canonical(fs::absolute("kernel.pfm")).string());
}

TEST_F(Manifest, WhatIsNoJsonObjectIsRefused) {
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
    expect_refused(R"({"plenosr_light_field":3})", "newer");
}

TEST_F(Manifest, MissingAndMistypedKeysAreNamed) {
    const std::string head = R"({"plenosr_light_field":1)";
    expect_refused(head + "}", "\"format\"");
    expect_refused(head + R"(,"format":3})", "\"format\"");
    expect_refused(head + R"(,"format":"hci"})", "\"grid\"");
    expect_refused(head + R"(,"format":"hci","grid":3})", "grid must be an object");
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
    expect_refused(with_degradation("null"), "degradation must be an object");
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

}  // namespace
}  // namespace plenosr::test
