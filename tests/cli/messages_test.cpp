#include <limits>

#include "cli/program.h"

namespace plenosr::test {
namespace {

// What the program prints about names and texts of other people's files.
class Messages : public Program {
protected:
    // Anything that a terminal obeys.
    static bool has_controls(const std::string& text) {
        return std::any_of(text.begin(), text.end(),
                           [](char c) { return (c >= 0 && c < 0x20 && c != '\n') || c == 0x7f; });
    }
    const std::string hostile_ = "a\x1b[2J\nplenosr: done\x7f\xe2\x80\xae\xff";
};

TEST_F(Messages, ControlCharactersInNamesAreEscaped) {
    fs::rename(at("lr"), at(hostile_));
    for (const std::string& words : {std::string("info"), std::string("noise")}) {
        const Ended ended = run({words, name(hostile_)});
        EXPECT_EQ(ended.code, 0) << ended.err;
        EXPECT_FALSE(has_controls(ended.out)) << ended.out;
        EXPECT_EQ(ended.out.find("\nplenosr: done"), std::string::npos) << ended.out;
        EXPECT_EQ(ended.out.find("\xe2\x80\xae"), std::string::npos) << ended.out;
    }
    const Ended shown = run({"info", name(hostile_), "--fast"});
    EXPECT_NE(shown.out.find("a\\x1b[2J\\nplenosr: done\\x7f\\u202e\\xff"), std::string::npos)
        << shown.out;
    put(at(hostile_ + "/input_Cam004.png"), "no picture");
    expect_refused(3, "\\x1b[2J\\nplenosr: done", [&] {
        return run({"reconstruct", name(hostile_), "-o", name("out.png"), "--quiet"});
    });
    const Ended refused = run({"noise", name(hostile_)});
    EXPECT_FALSE(has_controls(refused.err)) << refused.err;
}

TEST_F(Messages, ControlCharactersInManifestsAndParametersAreEscaped) {
    auto manifest = nlohmann::json::parse(take(at("lr/lightfield.json")));
    manifest["degradation"]["source"] = "\x1b]0;title\x07";
    put(at("lr/lightfield.json"), manifest.dump());
    const Ended shown = run({"info", name("lr"), "--fast"});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_FALSE(has_controls(shown.out)) << shown.out;
    EXPECT_NE(shown.out.find("\\x1b]0;title\\x07"), std::string::npos) << shown.out;
    // C1 controls are escaped in JSON, too.
    put(at("lr/parameters.cfg"),
        "[extrinsics]\nnum_cams_x = 3\nnum_cams_y = 3\n[meta]\nauthor = \xc2\x9b"
        "2J\n");
    const Ended json = run({"info", name("lr"), "--fast", "--json", "-"});
    EXPECT_NE(json.out.find("\\u009b2J"), std::string::npos) << json.out;
    EXPECT_EQ(nlohmann::json::parse(json.out)["parameters"]["meta.author"],
              "\xc2\x9b"
              "2J");

    put(at("lr/lightfield.json"), R"({"plenosr_light_field": 1, "format": "\u001b[31mred"})");
    expect_refused(3, "lightfield.json", [&] { return run({"info", name("lr")}); });
    EXPECT_FALSE(has_controls(run({"info", name("lr")}).err));
}

TEST_F(Messages, DecodersDoNotPrint) {
    // 24 x 24 grey pixels; all checksums are right, but there is only one row.
    const std::string header("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x18\0\0\0\x18\x08\0\0\0\0", 29);
    const std::string rest(
        "\xc5\x1c\x62\x24\0\0\0\x0bIDAT\x78\x9c\x63\x60\xc0\x01\0\0\x19\0\x01\x25\xeb\x1c\x0e"
        "\0\0\0\0IEND\xae\x42\x60\x82",
        39);
    put(at("lr/input_Cam005.png"), header + rest);
    put(at("lr/input_Cam006.png"), header + rest);
    expect_refused(3, "(view 1,2)", [&] { return reconstruct_lr({}); });
    const Ended shown = run({"info", name("lr"), "--quiet"});
    EXPECT_EQ(shown.code, 0);
    EXPECT_EQ(shown.err, "");
}

TEST_F(Messages, EvaluateNamesItsFiles) {
    Image picture(size, size, 1, 9);
    picture.at(3, 4) = std::numeric_limits<float>::infinity();
    write_pfm(at("a.pfm"), picture);
    write_pfm(at("b.pfm"), Image(size, size, 1, 9));
    for (const char* about : {"a.pfm", "b.pfm"})
        expect_refused(3, about, [&] { return run({"evaluate", name("a.pfm"), name("b.pfm")}); });
    expect_refused(3, "a.pfm", [&] {
        return run({"evaluate", "--disparity", name("a.pfm"), name("b.pfm"), "--border", "0"});
    });
}

TEST_F(Messages, IdenticalHdrPicturesHaveNoError) {
    Image picture(size, size, 1, 9);
    for (std::size_t i = 0; i < picture.values.size(); ++i)
        picture.values[i] = float(i % 700) - 50;
    write_pfm(at("a.pfm"), picture);
    write_pfm(at("b.pfm"), picture);
    const Ended ended = run({"evaluate", name("a.pfm"), name("b.pfm"), "--json", "-"});
    EXPECT_EQ(nlohmann::json::parse(ended.out)["mse"], 0) << ended.out;
}

}  // namespace
}  // namespace plenosr::test
