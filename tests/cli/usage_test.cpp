#include "cli/program.h"
#include "plenosr/version.h"

namespace plenosr::test {
namespace {

class Usage : public Program {};

TEST_F(Usage, HelpAndVersionGoToStandardOutput) {
    EXPECT_EQ(run({"--version"}).out, "plenosr " PLENOSR_VERSION "\n");
    for (const char* command : {"synth", "degrade", "reconstruct", "evaluate", "convert", "info",
                                "devices", "tune", "demo"}) {
        const Ended help = run({command, "--help"});
        EXPECT_EQ(help.code, 0);
        EXPECT_EQ(help.err, "");
        EXPECT_NE(help.out.find("Usage: plenosr " + std::string(command)), std::string::npos);
        EXPECT_NE(run({"--help"}).out.find(command), std::string::npos);
    }
}

TEST_F(Usage, NoOrAnUnknownCommandIsRefused) {
    expect_refused(2, "--help", [&] { return run({}); });
    expect_refused(2, "restore", [&] { return run({"restore"}); });
}

TEST_F(Usage, AnUnknownOptionIsNamed) {
    expect_refused(2, "--sharpness", [&] { return reconstruct_lr({"--sharpness", "3"}); });
}

TEST_F(Usage, AnUnknownValueIsNamed) {
    expect_refused(2, "data = l3", [&] { return reconstruct_lr({"--data", "l3"}); });
    expect_refused(2, "prior = nl", [&] { return reconstruct_lr({"--prior", "nl"}); });
    expect_refused(2, "denoiser = x", [&] { return reconstruct_lr({"--denoiser", "x"}); });
    expect_refused(2, "bits = 12", [&] { return reconstruct_lr({"--bits", "12"}); });
    expect_refused(2, "disparity-from = x", [&] {
        return reconstruct_lr({"--disparity-from", "x"});
    });
    expect_refused(2, "views = 4x4", [&] { return reconstruct_lr({"--views", "4x4"}); });
    expect_refused(2, "box", [&] { return reconstruct_lr({"--blur", "box"}); });
    expect_refused(2, "scene = \"moon\"", [&] {
        return run({"synth", "-o", name("s"), "--scene", "moon"});
    });
}

TEST_F(Usage, AScaleOfZeroIsRefused) {
    expect_refused(2, "scale = 0", [&] { return reconstruct_lr({"--scale", "0"}); });
    expect_refused(2, "scale = 0", [&] {
        return run({"degrade", name("hr"), "-o", name("l"), "--scale", "0"});
    });
}

TEST_F(Usage, AMissingScaleIsAskedFor) {
    expect_refused(2, "--scale", [&] {
        return run({"reconstruct", name("hr"), "-o", name("out.png"), "--quiet"});
    });
}

TEST_F(Usage, ANegativeWeightIsRefused) {
    expect_refused(2, "lambda = -1", [&] { return reconstruct_lr({"--lambda", "-1"}); });
    expect_refused(2, "lambda1 = nan", [&] { return reconstruct_lr({"--lambda1", "nan"}); });
    for (const char* option : {"--gain", "--read-noise", "--tolerance", "--lambda", "--lambda2"})
        for (const char* value : {"-1", "nan", "inf", "much"})
            expect_refused(2, std::string(option + 2) + " = " + value, [&] {
                return reconstruct_lr({option, value});
            });
}

TEST_F(Usage, TermsThatDoNotGoTogetherAreRefused) {
    expect_refused(2, "data = l2 must be poisson-gauss where gain", [&] {
        return reconstruct_lr({"--data", "l2", "--gain", "1"});
    });
    for (const char* data : {"mixture", "huber", "poisson-gauss"})
        expect_refused(2, std::string("data = ") + data, [&] {
            return reconstruct_lr({"--data", data, "--solver", "gd"});
        });
    expect_refused(2, "data = poisson-gauss", [&] {
        return reconstruct_lr({"--gain", "1", "--solver", "gd"});
    });
}

TEST_F(Usage, BlursAndPhotonsThatCannotBeAreRefused) {
    const auto degrade = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {"degrade", name("hr"), "-o", name("l")});
        return run(words);
    };
    put(at("grid.json"), R"({"plenosr_psf_grid":1,"rows":1,"cols":2,"psfs":["none","disc:3"]})");
    write_pfm(at("zero.pfm"), Image(3, 3));
    expect_refused(2, "--psf-grid", [&] {
        return degrade({"--blur", "none", "--psf-grid", name("grid.json")});
    });
    expect_refused(3, "nowhere.json", [&] {
        return reconstruct_lr({"--psf-grid", name("nowhere.json")});
    });
    expect_refused(3, "sum to 0", [&] {
        return reconstruct_lr({"--blur", "psf:" + name("zero.pfm")});
    });
    expect_refused(3, "larger than the image", [&] { return degrade({"--blur", "disc:120"}); });
    expect_refused(2, "poisson = -3", [&] { return degrade({"--poisson", "-3"}); });
    expect_refused(2, "read-noise = 2", [&] { return degrade({"--read-noise", "2"}); });
    EXPECT_EQ(degrade({"--psf-grid", name("grid.json"), "--quiet"}).code, 0);
    const Ended ended = run({"info", name("l"), "--json", "-"});
    EXPECT_NE(ended.out.find("psf-grid:" + name("grid.json")), std::string::npos) << ended.out;
}

TEST_F(Usage, ASolverThatDivergesIsAResultOfItsOwn) {
    expect_refused(5, "diverged", [&] { return reconstruct_lr({"--lambda2", "1e300"}); });
}

TEST_F(Usage, ASwitchIsOnWhenItStandsAlone) {
    const auto profile_of = [&](const std::vector<std::string>& words) {
        std::vector<std::string> all = {"--json", name("report.json"), "--iterations", "1"};
        all.insert(all.begin(), words.begin(), words.end());
        EXPECT_EQ(reconstruct_lr(all).code, 0);
        return nlohmann::json::parse(take(at("report.json")))["options"]["profile"];
    };
    EXPECT_EQ(profile_of({"--profile"}), "on");
    EXPECT_EQ(profile_of({"--profile", "on"}), "on");
    EXPECT_EQ(profile_of({"--profile", "off"}), "off");
    EXPECT_EQ(profile_of({}), "off");
}

}  // namespace
}  // namespace plenosr::test
