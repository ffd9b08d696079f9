#include <fmt/format.h>
#include "cli/program.h"

#include "plenosr/metrics.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class DisparityCommand : public Program {
protected:
    void remove_maps() const {
        for (const auto& entry : fs::directory_iterator(at("lr")))
            if (entry.path().extension() == ".pfm") fs::remove(entry.path());
    }
};

TEST_F(DisparityCommand, WritesMapConfidencePreviewAndReport) {
    const Ended ended = run({"disparity", name("lr"), "-o", name("d.pfm"), "--confidence",
                             name("c.pfm"), "--preview", name("p.png"), "--json", name("d.json")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("matching"), std::string::npos);
    EXPECT_NE(ended.out.find("mean confidence"), std::string::npos);
    EXPECT_EQ(read_pfm(at("d.pfm")).width, size / 2);
    for (const float c : read_pfm(at("c.pfm")).values)
        EXPECT_TRUE(c >= 0 && c <= 1);
    EXPECT_EQ(read_image(at("p.png")).channels, 3);
    const json report = json::parse(take(at("d.json")));
    EXPECT_EQ(report["options"]["scale"], 2);  // as recorded
    EXPECT_EQ(report["options"]["range"], "auto");
    EXPECT_EQ(report["views"], 9);
    for (const char* key : {"mean_confidence", "noise", "impulses", "seconds", "sweep_seconds",
                            "nanoseconds_per_cost"})
        EXPECT_TRUE(report[key].is_number()) << key;
    EXPECT_LT(report["range"][0], report["range"][1]);
}

TEST_F(DisparityCommand, TheRunIsRepeatedBitForBit) {
    for (const char* file : {"a.pfm", "b.pfm"})
        ASSERT_EQ(run({"disparity", name("lr"), "-o", name(file), "--quiet"}).code, 0);
    EXPECT_EQ(take(at("a.pfm")), take(at("b.pfm")));
}

TEST_F(DisparityCommand, AllWritesAMapPerViewThatReconstructFinds) {
    remove_maps();
    const Ended ended = run({"disparity", name("lr"), "-o", name("maps"), "--all", "--occlusions",
                             name("hidden"), "--json", "-", "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(ended.out);
    EXPECT_EQ(report["maps"].size(), 9U);
    EXPECT_GT(report["agreement"], 0.5);
    EXPECT_TRUE(fs::exists(at("maps/estimated_disp_lowres_Cam008.pfm")));
    EXPECT_TRUE(fs::exists(at("hidden/estimated_disp_lowres_Cam008.png")));
    const json used = json::parse(
        reconstruct_lr({"--view", "0,2", "--disparity", name("maps"), "--json", "-"}).out);
    EXPECT_EQ(used["disparity"]["file"], name("maps/estimated_disp_lowres_Cam002.pfm"));
}

TEST_F(DisparityCommand, ReconstructWithoutAMapEstimatesAndSaysSo) {
    remove_maps();
    const Ended ended =
        run({"reconstruct", name("lr"), "-o", name("o.png"), "--json", name("o.json")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("disparity estimated from the views"), std::string::npos);
    const json report = json::parse(take(at("o.json")));
    EXPECT_EQ(report["disparity"]["from"], "estimate");
    EXPECT_TRUE(report["disparity"]["estimated"]["range"].is_array());
    ASSERT_EQ(reconstruct_lr({"-o", name("p.png"), "--threads", "1"}).code, 0);
    EXPECT_EQ(take(at("o.png")), take(at("p.png")));
}

TEST_F(DisparityCommand, TheReportListsTheViewsThatWereUsedAndAllNotes) {
    remove_maps();
    // A picture of something else in the place of one view is rejected.
    Image other = read_image(at("lr/input_Cam008.png"));
    for (int y = 0; y < other.height; ++y)
        for (int x = 0; x < other.width; ++x)
            other.at(y, x) = float((x / 3 + y / 3) % 2 * 255);
    write_image(at("lr/input_Cam008.png"), other);
    const Ended ended =
        run({"reconstruct", name("lr"), "-o", name("o.png"), "--json", name("o.json")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(take(at("o.json")));
    EXPECT_EQ(report["views"].size(), 9U);
    EXPECT_EQ(report["views_used"].size(), 8U);
    for (const json& view : report["views_used"])
        EXPECT_NE(view, json::parse("[2, 2]"));
    ASSERT_FALSE(report["notes"].empty());
    EXPECT_NE(report["notes"].dump().find("2,2"), std::string::npos) << report["notes"];
    EXPECT_NE(ended.out.find("from 8 of 9 views"), std::string::npos) << ended.out;
}

TEST_F(DisparityCommand, ManyLostViewsAreAWarningAndMostOfThemAnError) {
    remove_maps();
    Image other = read_image(at("lr/input_Cam000.png"));
    const auto replace = [&](int number) {  // each by a pattern of its own
        for (int y = 0; y < other.height; ++y)
            for (int x = 0; x < other.width; ++x)
                other.at(y, x) =
                    float(((x + number) / 3 + (y + 2 * number) / (2 + number % 3)) % 2 * 255);
        write_image(at(fmt::format("lr/input_Cam{:03}.png", number)), other);
    };
    for (const int number : {0, 2, 6, 8})
        replace(number);
    const Ended ended =
        run({"reconstruct", name("lr"), "-o", name("o.png"), "--json", name("o.json")});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const json report = json::parse(take(at("o.json")));
    EXPECT_EQ(report["views_used"].size(), 5U) << report["notes"];
    ASSERT_EQ(report["warnings"].size(), 1U);
    EXPECT_TRUE(
        ended.out.ends_with(fmt::format("warning: {}\n", report["warnings"][0].get<std::string>())))
        << ended.out;
    EXPECT_NE(ended.out.find("from 5 of 9 views"), std::string::npos) << ended.out;

    for (const int number : {1, 3, 5, 7})
        replace(number);
    for (const std::vector<std::string>& job :
         {std::vector<std::string>{"reconstruct", name("lr"), "-o", name("p.png"), "--quiet"},
          {"reconstruct", name("lr"), "-o", name("all"), "--view", "all", "--quiet"},
          {"disparity", name("lr"), "-o", name("p.pfm"), "--quiet"}}) {
        expect_refused(3, "--force", [&] { return run(job); });
    }
    const Ended forced = run({"reconstruct", name("lr"), "-o", name("p.png"), "--force"});
    ASSERT_EQ(forced.code, 0) << forced.err;
    EXPECT_NE(forced.out.find("from 1 of 9 views"), std::string::npos) << forced.out;
}

TEST_F(DisparityCommand, EvaluateJudgesMapsAtTheSizeOfTheTruth) {
    const std::string truth = name("hr/gt_disp_lowres.pfm");
    const json same =
        json::parse(run({"evaluate", "--disparity", truth, truth, "--json", "-"}).out);
    EXPECT_EQ(same["badpix_0.01"], 0);
    EXPECT_EQ(same["mse100"], 0);
    EXPECT_EQ(same["border"], 15);
    const Ended low = run({"evaluate", "--disparity", name("lr/gt_disp_lowres.pfm"), truth});
    ASSERT_EQ(low.code, 0) << low.err;
    EXPECT_NE(low.out.find("BadPix(0.07)"), std::string::npos);
}

TEST_F(DisparityCommand, RefusesBeforeItWorks) {
    expect_refused(2, "range = 2,1", [&] {
        return run({"disparity", name("lr"), "-o", name("d.pfm"), "--range", "2,1"});
    });
    expect_refused(2, "--occlusions", [&] {
        return run({"disparity", name("lr"), "-o", name("d.pfm"), "--occlusions", name("o")});
    });
    expect_refused(2, "--mask", [&] {
        return run({"evaluate", name("hr/input_Cam004.png"), name("hr/input_Cam004.png"), "--mask",
                    name("m.png")});
    });
    expect_refused(3, "no view 7,7", [&] {
        return run({"disparity", name("lr"), "-o", name("d.pfm"), "--view", "7,7"});
    });
    expect_refused(4, "overwrite", [&] {
        return run({"disparity", name("lr"), "-o", name("lr/gt_disp_lowres.pfm")});
    });
    expect_refused(4, "must not end in .png", [&] {
        return run({"disparity", name("lr"), "-o", name("maps.png"), "--all"});
    });
    expect_refused(4, "must end in", [&] {
        return run({"disparity", name("lr"), "-o", name("d.jpg")});
    });
}

}  // namespace
}  // namespace plenosr::test
