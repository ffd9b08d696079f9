#include <algorithm>

#include "cli/program.h"
#include "plenosr/options.h"
#include "plenosr/version.h"

namespace plenosr::test {
namespace {

class Usage : public Program {};

TEST_F(Usage, HelpAndVersionGoToStandardOutput) {
    EXPECT_EQ(run({"--version"}).out, "plenosr " PLENOSR_VERSION "\n");
    const std::string overview = run({"--help"}).out;
    for (const char* command :
         {"reconstruct", "frames", "disparity", "noise", "info", "convert", "evaluate", "synth",
          "degrade", "demo", "devices", "tune", "experiment", "help"}) {
        const Ended help = run({command, "--help"});
        EXPECT_EQ(help.code, 0);
        EXPECT_EQ(help.err, "");
        EXPECT_NE(help.out.find("Usage: plenosr " + std::string(command)), std::string::npos);
        EXPECT_NE(overview.find(command), std::string::npos);
    }
}

TEST_F(Usage, WithoutACommandAnOverviewIsPrinted) {
    const Ended ended = run({});
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.err, "");
    for (const char* text :
         {"\n  reconstruct ", "\n  frames ", "Examples:", "plenosr help COMMAND"})
        EXPECT_NE(ended.out.find(text), std::string::npos) << text;
    EXPECT_LT(std::count(ended.out.begin(), ended.out.end(), '\n'), 34);
    EXPECT_EQ(run({"help"}).out, ended.out);
}

TEST_F(Usage, HelpWithACommandIsItsHelp) {
    EXPECT_EQ(run({"help", "frames"}).out, run({"frames", "--help"}).out);
    EXPECT_EQ(run({"help", "frames", "--all"}).out, run({"frames", "--help-all"}).out);
    expect_refused(2, "did you mean plenosr frames?", [&] { return run({"help", "frame"}); });
}

TEST_F(Usage, HelpListsBasicOptionsAndHelpAllTheOthersToo) {
    const std::string basic = run({"reconstruct", "--help"}).out;
    const std::string all = run({"reconstruct", "--help-all"}).out;
    for (const auto& option : reconstruct_options()) {
        const std::string flag = "\n  --" + option.name + " ";
        EXPECT_EQ(basic.find(flag) != std::string::npos, option.basic) << option.name;
        EXPECT_NE(all.find(flag), std::string::npos) << option.name;
    }
    EXPECT_NE(basic.find("plenosr reconstruct --help-all lists"), std::string::npos);
    EXPECT_LT(std::count(basic.begin(), basic.end(), '\n'), 80);
}

TEST_F(Usage, FramesOffersNoOptionThatIsForViewsOnly) {
    const std::string all = run({"frames", "--help-all"}).out;
    for (const auto& option : reconstruct_options())
        EXPECT_EQ(all.find("\n  --" + option.name + " ") == std::string::npos, option.views_only)
            << option.name;
}

TEST_F(Usage, AMisspeltCommandGetsASuggestion) {
    for (const char* typed : {"reconstuct", "recon", "reconstruct_"})
        expect_refused(2, "did you mean plenosr reconstruct?", [&] { return run({typed}); });
    expect_refused(2, "there is no command zzz; plenosr help", [&] { return run({"zzz"}); });
    expect_refused(2, "the first word must be a command", [&] { return run({name("lr")}); });
}

TEST_F(Usage, AMisspeltOptionGetsASuggestion) {
    const std::vector<std::pair<std::string, std::string>> typed_and_meant = {
        {"--color", "--colour"},       {"--lamda", "--lambda"}, {"--iteration", "--iterations"},
        {"--outptu", "--output"},      {"-scale", "--scale"},   {"--denoise", "--denoiser"},
        {"--memory", "--memory-limit"}};
    for (const auto& [typed, meant] : typed_and_meant)
        expect_refused(2, "has no option " + typed + "; did you mean " + meant + "?", [&] {
            return reconstruct_lr({typed, "1"});
        });
    expect_refused(2, "--color; did you mean --colour?",
                   [&] { return reconstruct_lr({"--color=rgb"}); });
}

TEST_F(Usage, MissingArgumentsAreNamed) {
    expect_refused(2, "reconstruct needs IN and -o OUT; see", [&] { return run({"reconstruct"}); });
    expect_refused(2, "frames needs -o OUT; see", [&] { return run({"frames", name("lr")}); });
}

TEST_F(Usage, AnUnknownOptionIsNamed) {
    expect_refused(2, "--sharpness; plenosr reconstruct --help-all", [&] {
        return reconstruct_lr({"--sharpness", "3"});
    });
    expect_refused(2, "--photometric, which belongs to frames", [&] {
        return reconstruct_lr({"--photometric", "on"});
    });
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

TEST_F(Usage, TheScaleIsTwoUnlessItIsRecordedOrGiven) {
    const auto scale_of = [&](const std::string& input, const std::vector<std::string>& more) {
        std::vector<std::string> words = {"reconstruct", name(input),    "-o",  name("o.png"),
                                          "--quiet",     "--iterations", "1",   "--json",
                                          "-",           "--views",      "3x3", "--disparity-from",
                                          "lowres"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 0) << ended.err;
        return nlohmann::json::parse(ended.out)["options"]["scale"].get<int>();
    };
    EXPECT_EQ(scale_of("hr", {}), 2);
    EXPECT_EQ(scale_of("hr", {"--scale", "3"}), 3);
    ASSERT_EQ(run({"degrade", name("hr"), "-o", name("l3"), "--scale", "3", "--quiet"}).code, 0);
    EXPECT_EQ(scale_of("l3", {}), 3);
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

TEST_F(Usage, TermsThatContradictEachOtherAreRefused) {
    expect_refused(2, "data = l2 must be auto or poisson-gauss if gain", [&] {
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

TEST_F(Usage, InvalidBlursAndPhotonCountsAreRefused) {
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
    EXPECT_NE(ended.out.find("psf-grid:" + name("l/psf_grid.json")), std::string::npos)
        << ended.out;
}

TEST_F(Usage, ASolverThatDivergesHasItsOwnExitCode) {
    expect_refused(5, "diverged", [&] { return reconstruct_lr({"--lambda2", "1e300"}); });
}

TEST_F(Usage, ASwitchWithoutAValueIsOn) {
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
