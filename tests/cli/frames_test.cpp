#include <signal.h>

#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class FramesProgram : public Program {
protected:
    FramesProgram() {
        const fs::path photo = fs::path(name("hr")) / "input_Cam004.png";
        fs::copy_file(photo, at("photo.png"));
        EXPECT_EQ(run({"degrade", name("photo.png"), "-o", name("set"), "--frames", "4", "--shifts",
                       "grid", "--scale", "2", "--gaussian", "1", "--quiet"})
                      .code,
                  0);
    }
    Ended frames(const std::vector<std::string>& more) const {
        std::vector<std::string> words = {"frames", name("set"), "-o", name("out.png"), "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
};

TEST_F(FramesProgram, TheWholePathFromPhotoToResult) {
    const Ended ended = frames(
        {"--shifts", name("set/lightfield.json"), "--truth", name("photo.png"), "--json", "-"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(ended.out);
    EXPECT_GT(report["psnr"].get<double>(), report["psnr_interpolated"].get<double>());
    EXPECT_EQ(report["frames"].size(), 4U);
    EXPECT_EQ(report["frames"][3]["matrix"][2], 0.5);
    EXPECT_EQ(report["frames"][3]["weight"], 1.0);
    EXPECT_EQ(report["options"]["scale"], 2);
    EXPECT_EQ(read_image(at("out.png")).width, size);
    const std::string manual = take(fs::path(PLENOSR_DOCS) / "cli.md");
    for (const auto& item : report.items())
        EXPECT_NE(manual.find("- `" + item.key() + "`"), std::string::npos) << item.key();
}

TEST_F(FramesProgram, FilesInOrderGiveTheSameResultAsTheirFolder) {
    ASSERT_EQ(frames({"--register", "translation"}).code, 0);
    const std::string folder = take(at("out.png"));
    ASSERT_EQ(run({"frames", name("set/view_0000.png"), name("set/view_0001.png"),
                   name("set/view_0002.png"), name("set/view_0003.png"), "-o", name("out.png"),
                   "--scale", "2", "--blur", "gaussian", "--quiet"})
                  .code,
              0);
    EXPECT_EQ(take(at("out.png")), folder);
}

TEST_F(FramesProgram, AWrongReferenceIsReplacedUnlessItWasGiven) {
    Image wrong = read_image(at("set/view_0000.png"));
    std::reverse(wrong.values.begin(), wrong.values.end());
    write_image(at("set/view_0000.png"), wrong);
    const auto report = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"--iterations", "1", "--json", "-"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = frames(words);
        EXPECT_EQ(ended.code, 0) << ended.err;
        return json::parse(ended.out);
    };
    for (const std::vector<std::string>& known :
         {std::vector<std::string>{}, {"--shifts", name("set/lightfield.json")}}) {
        const json replaced = report(known);
        EXPECT_NE(replaced["reference"], 0);
        EXPECT_LT(replaced["frames"][0]["weight"], 0.5);
        EXPECT_NE(replaced["notes"].dump().find("instead"), std::string::npos);
        EXPECT_NE(replaced["notes"].dump().find("frame 0 (view_0000.png)"), std::string::npos);
    }
    const json kept = report({"--reference", "0"});
    EXPECT_EQ(kept["reference"], 0);
    EXPECT_NE(kept["notes"].dump().find("may suit better"), std::string::npos);
}

TEST_F(FramesProgram, OneFrameIsRefusedUnlessItIsAskedFor) {
    const std::vector<std::string> words = {
        "frames", name("set/view_0000.png"), "-o", name("one.png"), "--iterations", "1"};
    expect_refused(3, "needs at least two; --single", [&] { return run(words); });
    std::vector<std::string> single = words;
    single.emplace_back("--single");
    const Ended ended = run(single);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("one frame alone was enlarged"), std::string::npos) << ended.out;
    expect_refused(2, "--single enlarges one frame, but 4 were given",
                   [&] { return frames({"--single"}); });
}

TEST_F(FramesProgram, TheSharpestReferenceAndTheBestFramesAreNamed) {
    const Ended ended = frames({"--reference", "sharpest", "--best", "3", "--motion-mask",
                                name("mask.png"), "--iterations", "1", "--json", "-"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(ended.out);
    const std::size_t reference = report["reference"];
    double sharpest = 0;
    int used = 0;
    for (const json& frame : report["frames"]) {
        sharpest = std::max(sharpest, frame["sharpness"].get<double>());
        used += frame["weight"] > 0.0 ? 1 : 0;
    }
    EXPECT_EQ(report["frames"][reference]["sharpness"], sharpest);
    EXPECT_EQ(report["frames"][reference]["file"], report["reference_file"]);
    EXPECT_EQ(used, 3);
    EXPECT_EQ(report["motion_model"], "translation");
    EXPECT_EQ(read_image(at("mask.png")).width, size / 2);
    expect_refused(2, "it needs --motion on", [&] {
        return frames({"--motion", "off", "--motion-mask", name("mask.png")});
    });
}

TEST_F(FramesProgram, TheScaleIsTwoUnlessItIsRecordedOrGiven) {
    const Ended ended = run({"frames", name("set/view_0000.png"), name("set/view_0001.png"), "-o",
                             name("x.png"), "--iterations", "1"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(read_image(at("x.png")).width, size);
    EXPECT_NE(ended.out.find("(x2) from 2 of 2 frames"), std::string::npos) << ended.out;
}

TEST_F(FramesProgram, DryRunTellsThePlanAndWritesNothing) {
    const Ended ended = frames({"--dry-run"});
    EXPECT_EQ(ended.code, 0);
    EXPECT_NE(ended.out.find("periodic"), std::string::npos) << ended.out;
    EXPECT_FALSE(fs::exists(at("out.png")));
}

TEST_F(FramesProgram, InvalidArgumentsAreRefused) {
    put(at("three.txt"), "0 0\n1 0\n0 1\n");
    expect_refused(3, "3 shifts for 4 frames", [&] {
        return frames({"--shifts", name("three.txt")});
    });
    expect_refused(2, "use only one of them", [&] {
        return frames({"--shifts", name("three.txt"), "--register", "affine"});
    });
    expect_refused(2, "reference", [&] { return frames({"--reference", "4"}); });
    expect_refused(2, "register", [&] { return frames({"--register", "magic"}); });
    for (const char* option : {"--operator", "--visibility", "--refine-disparity"})
        expect_refused(2, std::string("frames has no option ") + option, [&] {
            return frames({option, "0"});
        });
    expect_refused(3, "nowhere", [&] {
        return run({"frames", name("nowhere"), "-o", name("x.png"), "--scale", "2"});
    });
    expect_refused(4, "overwrite the input", [&] {
        return run({"frames", name("set"), "-o", name("set/view_0000.png")});
    });
    expect_refused(2, "frames = 5", [&] {
        return run({"degrade", name("photo.png"), "-o", name("more"), "--frames", "5"});
    });
    expect_refused(3, "nothing.txt", [&] {
        return run(
            {"degrade", name("photo.png"), "-o", name("more"), "--shifts", name("nothing.txt")});
    });
}

TEST_F(FramesProgram, AnInterruptionLeavesNothingBehind) {
    const auto before = everything();
    RunOptions options;
    options.signal = SIGINT;
    options.signal_when = "registering";
    const Ended ended =
        run({"frames", name("set"), "-o", name("out.png"), "--iterations", "100000"}, options);
    EXPECT_EQ(ended.code, 130);
    EXPECT_EQ(everything(), before);
}

}  // namespace
}  // namespace plenosr::test
