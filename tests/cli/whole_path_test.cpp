#include <fmt/format.h>

#include "cli/program.h"
#include "plenosr/metrics.h"
#include "plenosr/options.h"
#include "plenosr/reconstruct.h"
#include "plenosr/version.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class WholePath : public Program {};

TEST_F(WholePath, SynthDegradeReconstructGainsADecibelAtLeast) {
    const Ended synth = run({"synth", "-o", name("s"), "--grid", "3", "--width", "64", "--height",
                             "64", "--quiet", "--json", name("s.json")});
    ASSERT_EQ(synth.code, 0) << synth.err;
    EXPECT_EQ(synth.out + synth.err, "");
    EXPECT_EQ(json::parse(take(at("s.json")))["options"]["rows"], 3);

    const Ended degrade = run({"degrade", name("s"), "-o", name("l"), "--scale", "2", "--gaussian",
                               "3", "--impulse", "1", "--seed", "7", "--json", name("l.json")});
    ASSERT_EQ(degrade.code, 0) << degrade.err;
    EXPECT_EQ(json::parse(take(at("l.json")))["options"]["seed"], 7);

    const Ended solve =
        run({"reconstruct", name("l"), "-o", name("o.png"), "--truth", name("s/input_Cam004.png"),
             "--json", name("o.json"), "--iterations", "8", "--denoiser", "none", "--explain"});
    ASSERT_EQ(solve.code, 0) << solve.err;
    EXPECT_NE(solve.out.find("--iterations 8: as given"), std::string::npos) << solve.out;
    EXPECT_NE(solve.out.find("PSNR"), std::string::npos);
    EXPECT_NE(solve.err.find("solving "), std::string::npos);
    const json report = json::parse(take(at("o.json")));
    EXPECT_GT(report["psnr"].get<double>(), report["psnr_initial"].get<double>() + 1);

    const Ended judged =
        run({"evaluate", name("o.png"), name("s/input_Cam004.png"), "--json", "-"});
    ASSERT_EQ(judged.code, 0) << judged.err;
    EXPECT_NEAR(json::parse(judged.out)["psnr"].get<double>(), report["psnr"].get<double>(), 1e-3);
}

TEST_F(WholePath, TheReportHasEveryKeyWithItsType) {
    const Ended ended = reconstruct_lr({"--json", "-", "--truth", name("hr/input_Cam004.png"),
                                        "--iterations", "8", "--denoiser", "none"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(ended.out);
    for (const char* key :
         {"psnr", "ssim", "psnr_initial", "psnr_bicubic", "seconds", "noise", "impulses"})
        EXPECT_TRUE(report[key].is_number()) << key;
    for (const char* key : {"peak_memory_bytes", "samples", "operator_bytes"})
        EXPECT_GT(report[key].get<std::size_t>(), 0U) << key;
    for (const char* key : {"device", "termination", "message"})
        EXPECT_TRUE(report[key].is_string()) << key;
    EXPECT_EQ(report["version"], PLENOSR_VERSION);
    EXPECT_EQ(report["reference"], json::parse("[1, 1]"));
    EXPECT_EQ(report["views"].size(), 9U);
    EXPECT_EQ(report["views_used"], report["views"]);
    EXPECT_EQ(report["disparity"]["from"], "lowres");
    EXPECT_EQ(report["disparity"]["file"], name("lr/gt_disp_lowres.pfm"));
    for (const char* key : {"io", "setup", "zw_step", "x_step"})
        EXPECT_TRUE(report["seconds_by_stage"][key].is_number()) << key;
    ASSERT_GE(report["iterations"].size(), 9U);
    for (const json& row : report["iterations"])
        for (const char* key : {"iteration", "cost", "data", "prior", "primal_residual",
                                "dual_residual", "units", "seconds", "psnr", "ssim"})
            EXPECT_TRUE(row[key].is_number()) << key;
    for (const auto& option : reconstruct_options())
        EXPECT_TRUE(report["options"].contains(option.name)) << option.name;
    EXPECT_EQ(report["options"]["lambda"], "auto");
    EXPECT_GT(report["lambda"].get<double>(), 0.0);
    EXPECT_GT(report["sensor_noise"].get<double>(), 0.0);
    EXPECT_EQ(report["options"]["data"], "auto");
    EXPECT_EQ(report["chosen"]["data"], "mixture");
    EXPECT_GT(report["explanation"].size(), 3U);
}

TEST_F(WholePath, WithoutATruthQualityIsNull) {
    const Ended ended = reconstruct_lr({"--json", "-"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(ended.out);
    for (const char* key : {"psnr", "ssim", "psnr_initial", "psnr_bicubic"})
        EXPECT_TRUE(report.at(key).is_null()) << key;
    EXPECT_TRUE(report["iterations"][0].at("psnr").is_null());
}

TEST_F(WholePath, TheFieldsReductionIsRecordedAndUsed) {
    const std::string truth = name("s/input_Cam004.png");
    ASSERT_EQ(
        run({"synth", "-o", name("s"), "--grid", "3", "--width", "96", "--height", "96", "--quiet"})
            .code,
        0);
    ASSERT_EQ(run({"degrade", name("s"), "-o", name("b"), "--blur", "bicubic", "--quiet"}).code, 0);
    const auto solve = [&](std::vector<std::string> more) {
        std::vector<std::string> words = {"reconstruct", name("b"), "-o", name("b.png"), "--truth",
                                          truth,         "--json",  "-",  "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 0) << ended.err;
        return json::parse(ended.out);
    };
    const json right = solve({});
    EXPECT_EQ(right["chosen"]["phase"], "centre");
    EXPECT_EQ(right["chosen"]["blur"], "bicubic");
    EXPECT_EQ(right["notes"], json::array());
    EXPECT_GT(right["psnr"].get<double>(), right["psnr_bicubic"].get<double>() + 1);
    // The same baseline by other means: the enlarged view, rounded as the result is.
    const Image low = read_image(at("b/input_Cam004.png"));
    Image enlarged = enlarge_view(low, {2, 0.5});
    for (float& value : enlarged.values)
        value = std::round(std::clamp(value, 0.0F, 255.0F));
    const Image known = read_image(truth);
    EXPECT_NEAR(right["psnr_bicubic"].get<double>(), compare(enlarged, known).psnr, 1e-6);

    const json inner = solve({"--border", "8"});
    EXPECT_NEAR(inner["psnr_bicubic"].get<double>(), compare(enlarged, known, {8}).psnr, 1e-6);
    EXPECT_NEAR(inner["psnr"].get<double>(), compare(read_image(at("b.png")), known, {8}).psnr,
                1e-6);
    EXPECT_NE(inner["iterations"].back()["psnr"], right["iterations"].back()["psnr"]);

    const json wrong = solve({"--phase", "corner"});
    ASSERT_EQ(wrong["notes"].size(), 1U) << wrong["notes"];
    EXPECT_NE(wrong["notes"][0].get<std::string>().find("--phase centre"), std::string::npos)
        << wrong["notes"];
    expect_refused(2, "border = 60", [&] {
        return run({"reconstruct", name("b"), "-o", name("c.png"), "--truth", truth, "--border",
                    "60", "--quiet"});
    });
}

TEST_F(WholePath, ExchangedRowsAndColumnsAreCorrectedAndSaid) {
    ASSERT_EQ(run({"synth", "-o", name("s"), "--grid", "5", "--width", "128", "--height", "128",
                   "--quiet"})
                  .code,
              0);
    fs::create_directory(at("t"));
    for (int i = 0; i < 25; ++i)  // column first
        fs::copy(at(fmt::format("s/input_Cam{:03}.png", i)),
                 at(fmt::format("t/{:03}_{:03}.png", i % 5, i / 5)));
    const Ended ended = run({"convert", name("t"), name("r"), "--to", "hci", "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    for (int i = 0; i < 25; ++i)
        EXPECT_EQ(read_image(at(fmt::format("s/input_Cam{:03}.png", i))),
                  read_image(at(fmt::format("r/input_Cam{:03}.png", i))));
    const Ended kept = run({"disparity", name("t"), "-o", name("d.pfm"), "--json", "-", "--quiet"});
    ASSERT_EQ(kept.code, 0) << kept.err;
    EXPECT_NE(kept.out.find("rows and columns are exchanged"), std::string::npos) << kept.out;
    const Ended given = run({"disparity", name("t"), "-o", name("d.pfm"), "--json", "-", "--quiet",
                             "--order", "given"});
    EXPECT_EQ(given.out.find("rows and columns are exchanged"), std::string::npos) << given.out;
    const Ended noise = run({"noise", name("t"), "--json", "-", "--quiet"});
    ASSERT_EQ(noise.code, 0) << noise.err;
    EXPECT_NE(noise.out.find("rows and columns are exchanged"), std::string::npos) << noise.out;
    EXPECT_EQ(json::parse(noise.out)["views"], 25);
}

TEST_F(WholePath, FullSizeMapsFollowTheCorrectedOrderAndSign) {
    ASSERT_EQ(run({"synth", "-o", name("s"), "--grid", "5", "--width", "128", "--height", "128",
                   "--quiet"})
                  .code,
              0);
    const auto solve_all = [&](const std::string& low, const std::string& out) {
        ASSERT_EQ(run({"degrade", name("s"), "-o", name(low), "--quiet"}).code, 0);
        const Ended ended =
            run({"reconstruct", name(low), "-o", name(out), "--view", "all", "--views", "cross5",
                 "--iterations", "1", "--disparity-from", "full", "--quiet"});
        ASSERT_EQ(ended.code, 0) << ended.err;
    };
    solve_all("a", "right");
    for (const auto& entry : fs::directory_iterator(at("s")))  // all maps with the opposite sign
        if (entry.path().extension() == ".pfm") {
            Image map = read_pfm(entry.path());
            for (float& d : map.values)
                d = -d;
            write_pfm(entry.path(), map);
        }
    solve_all("b", "opposite");
    for (int i = 0; i < 25; ++i)
        EXPECT_EQ(read_image(at(fmt::format("right/input_Cam{:03}.png", i))),
                  read_image(at(fmt::format("opposite/input_Cam{:03}.png", i))));
}

TEST_F(WholePath, TheResultDependsNeitherOnTheRunNorOnTheThreads) {
    ASSERT_EQ(reconstruct_lr({"-o", name("a.png")}).code, 0);
    ASSERT_EQ(reconstruct_lr({"-o", name("b.png"), "--threads", "1"}).code, 0);
    ASSERT_EQ(reconstruct_lr({"-o", name("c.png"), "--threads", "2"}).code, 0);
    ASSERT_EQ(reconstruct_lr({"-o", name("d.png"), "--truth", name("hr/input_Cam004.png")}).code,
              0);
    const std::string first = take(at("a.png"));
    EXPECT_FALSE(first.empty());
    for (const char* other : {"b.png", "c.png", "d.png"})
        EXPECT_EQ(take(at(other)), first) << other;
}

TEST_F(WholePath, FloatOutputIsAPfmOfTheFullSize) {
    ASSERT_EQ(reconstruct_lr({"-o", name("o.pfm"), "--bits", "float"}).code, 0);
    const Image image = read_pfm(at("o.pfm"));
    EXPECT_EQ(image.width, size);
    EXPECT_EQ(image.height, size);
}

TEST_F(WholePath, TheFullSizeMapIsFoundThroughTheRecord) {
    const Ended ended = reconstruct_lr({"--disparity-from", "full", "--json", "-"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(json::parse(ended.out)["disparity"]["file"], name("hr/gt_disp_lowres.pfm"));
}

TEST_F(WholePath, AnotherViewUsesItsOwnMap) {
    const Ended ended = reconstruct_lr({"--view", "0,2", "--json", "-"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(json::parse(ended.out)["disparity"]["file"], name("lr/gt_disp_lowres_Cam002.pfm"));
}

TEST_F(WholePath, DegradeReducesMapsAndRecordsTheSource) {
    ASSERT_EQ(run({"degrade", name("hr"), "-o", name("l"), "--scale", "3", "--quiet"}).code, 0);
    const LightFieldIndex index = index_light_field(at("l"));
    EXPECT_EQ(index.image.width, size / 3);
    EXPECT_EQ(index.image.channels, 1);
    EXPECT_EQ(read_pfm(index.disparity),
              reduce_disparity(read_pfm(at("hr/gt_disp_lowres.pfm")), 3));
    ASSERT_TRUE(index.degradation.has_value());
    EXPECT_EQ(index.degradation->options.scale, 3);
    EXPECT_TRUE(fs::equivalent(index.degradation->source, at("hr")));
    EXPECT_TRUE(fs::equivalent(index.degradation->full_disparity, at("hr/gt_disp_lowres.pfm")));
}

TEST_F(WholePath, DegradeWithoutAMapSaysSo) {
    for (const auto& entry : fs::directory_iterator(at("hr")))
        if (entry.path().extension() == ".pfm") fs::remove(entry.path());
    const Ended ended = run({"degrade", name("hr"), "-o", name("l")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("note: "), std::string::npos);
    EXPECT_TRUE(index_light_field(at("l")).disparity.empty());
}

TEST_F(WholePath, InfoTellsWhatIsThereAndWhatIsMissing) {
    fs::remove(at("lr/input_Cam002.png"));
    const Ended table = run({"info", name("lr")});
    ASSERT_EQ(table.code, 0) << table.err;
    EXPECT_NE(table.out.find("# # .\n             # @ #\n"), std::string::npos) << table.out;
    const json report = json::parse(run({"info", name("lr"), "--json", "-"}).out);
    EXPECT_EQ(report["format"], "hci");
    EXPECT_EQ(report["views"].size(), 8U);
    EXPECT_EQ(report["missing"], json::parse("[[0, 2]]"));
    EXPECT_EQ(report["width"], size / 2);
    EXPECT_EQ(report["bits"], 8);
    EXPECT_LT(report["disparity"]["min"], report["disparity"]["max"]);
    EXPECT_EQ(report["degradation"]["gaussian"], 2);
}

TEST_F(WholePath, EqualPicturesHaveNoFinitePsnr) {
    const std::string view = name("hr/input_Cam004.png");
    const json report = json::parse(run({"evaluate", view, view, "--json", "-"}).out);
    EXPECT_TRUE(report["psnr"].is_null());
    EXPECT_EQ(report["mse"], 0);
    EXPECT_EQ(report["ssim"], 1);
}

TEST_F(WholePath, TheDemoShowsAGainOfFiveDecibels) {
    const Ended ended = run({"demo", "-o", name("demo"), "--quiet", "--json", "-"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json results = json::parse(ended.out)["results"];
    EXPECT_GT(results[1]["psnr"].get<double>(), results[0]["psnr"].get<double>() + 5);
    EXPECT_GT(read_image(at("demo/demo.png")).width, 3 * 384);
}

}  // namespace
}  // namespace plenosr::test
