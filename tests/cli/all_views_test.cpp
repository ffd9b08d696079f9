#include <csignal>

#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class AllViews : public Program {
protected:
    // Kills the run that writes `out` when it has kept this many finished views.
    RunOptions killed_after_views(int count, const std::string& out) const {
        RunOptions options;
        options.signal = SIGKILL;
        options.signal_if = [=, folder = at("." + out + ".plenosr-views")] {
            std::error_code error;
            int finished = 0;
            for (const auto& entry : fs::directory_iterator(folder, error))
                finished += entry.path().extension() == ".bin" ? 1 : 0;
            return finished >= count;
        };
        return options;
    }
    void remove_maps() const {
        for (const auto& entry : fs::directory_iterator(at("lr")))
            if (entry.path().extension() == ".pfm") fs::remove(entry.path());
    }
    std::vector<std::string> words(const std::string& out) const {
        return {"reconstruct", name("lr"), "-o", name(out), "--view", "all"};
    }
    // Leaves the report of the run that went on in again.json.
    void expect_same_bits_after_a_kill() {
        ASSERT_EQ(run(words("whole")).code, 0);
        const RunOptions kill_it = killed_after_views(4, "again");
        EXPECT_EQ(run(words("again"), kill_it).code, -1);
        EXPECT_FALSE(fs::exists(at("again")));
        auto job = words("again");
        job.insert(job.end(), {"--json", name("again.json")});
        const Ended ended = run(job);
        ASSERT_EQ(ended.code, 0) << ended.err;
        EXPECT_NE(ended.out.find("from an earlier run"), std::string::npos) << ended.out;
        std::size_t resumed = 0;
        const json report = json::parse(take(at("again.json")));
        for (const json& view : report["views"])
            resumed += view["resumed"].get<bool>() ? 1 : 0;
        EXPECT_GE(resumed, 3U);
        EXPECT_LT(resumed, 9U);
        EXPECT_EQ(content("again"), content("whole"));
    }
};

TEST_F(AllViews, EveryViewIsWrittenInTheLayoutOfTheInputAndBeatsBicubic) {
    auto job = words("all");
    job.insert(job.end(), {"--truth", name("hr"), "--json", name("all.json")});
    const Ended ended = run(job);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("smallest gain"), std::string::npos) << ended.out;
    EXPECT_NE(ended.err.find("views 9/9"), std::string::npos) << ended.err;
    const LightFieldIndex index = index_light_field(at("all"));
    EXPECT_EQ(index.format, "hci");
    EXPECT_EQ(index.views.size(), 9U);
    EXPECT_EQ(index.image.width, size);
    const json report = json::parse(take(at("all.json")));
    ASSERT_EQ(report["views"].size(), 9U);
    for (const json& view : report["views"])
        EXPECT_GT(view["psnr"].get<double>(), view["psnr_bicubic"].get<double>() + 1) << view;
    // Every view has its disparity map, at the size of the result.
    for (const LightFieldIndex::Entry& entry : index.views)
        EXPECT_EQ(read_disparity(index, entry.position).width, size);
    // No temporary file is left.
    for (const auto& entry : fs::directory_iterator(at("")))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

TEST_F(AllViews, ARunThatWasKilledGoesOnAndEndsWithTheSameBits) {
    expect_same_bits_after_a_kill();
}

// Finished views are kept with their corrected maps, from which their neighbours start.
TEST_F(AllViews, ARunThatWasKilledGoesOnWithCorrectedMaps) {
    remove_maps();
    expect_same_bits_after_a_kill();
    const json report = json::parse(take(at("again.json")));
    EXPECT_GT(report["views"][0]["refinements"], 0);
}

TEST_F(AllViews, ViewsOfAnotherRunsOptionsAreNotTaken) {
    const RunOptions kill_it = killed_after_views(4, "out");
    EXPECT_EQ(run(words("out"), kill_it).code, -1);
    auto job = words("out");
    job.insert(job.end(), {"--lambda", "0.5"});
    const Ended ended = run(job);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out.find("from an earlier run"), std::string::npos) << ended.out;
}

// The name of the file alone does not say what it holds.
TEST_F(AllViews, ViewsOfAnotherPsfAreNotTaken) {
    Image psf(3, 3, 1, 1.0F);
    write_pfm(at("psf.pfm"), psf);
    auto job = words("out");
    job.insert(job.end(), {"--blur", "psf:" + name("psf.pfm")});
    EXPECT_EQ(run(job, killed_after_views(4, "out")).code, -1);
    psf.at(1, 1) = 4;
    write_pfm(at("psf.pfm"), psf);
    const Ended ended = run(job);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out.find("from an earlier run"), std::string::npos) << ended.out;
}

TEST_F(AllViews, EstimatedMapsAreNotNamedAsGroundTruth) {
    remove_maps();
    auto job = words("all");
    job.insert(job.end(), {"--json", name("all.json")});
    const Ended ended = run(job);
    ASSERT_EQ(ended.code, 0) << ended.err;
    for (const auto& entry : fs::directory_iterator(at("all")))
        EXPECT_FALSE(entry.path().filename().string().starts_with("gt_")) << entry.path();
    EXPECT_TRUE(fs::exists(at("all/estimated_disp_lowres.pfm")));
    EXPECT_TRUE(fs::exists(at("all/estimated_disp_lowres_Cam008.pfm")));
    EXPECT_EQ(json::parse(take(at("all.json")))["disparity"]["written_as"], "estimate");
    // A later run does not take them for the truth, but accepts them from --disparity.
    const LightFieldIndex index = index_light_field(at("all"));
    EXPECT_TRUE(index.disparity.empty());
    EXPECT_TRUE(index.disparity_of({0, 2}).empty());
    const std::vector<std::string> again = {
        "reconstruct", name("all"), "-o",           name("x4.png"),
        "--disparity", name("all"), "--iterations", "1",
        "--json",      "-",         "--quiet"};
    EXPECT_EQ(json::parse(run(again).out)["disparity"]["file"],
              name("all/estimated_disp_lowres_Cam004.pfm"));
    EXPECT_EQ(run(words("all")).code, 0) << "the folder can be replaced";
}

TEST_F(AllViews, ANameThatEndsLikeAFileIsRefused) {
    for (const char* out : {"x.png", "x.mp4", "x.PFM"})
        expect_refused(4, "must not end in", [&] { return run(words(out)); });
}

TEST_F(AllViews, OptionsForOneViewAreRefused) {
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--disparity", name("lr/gt_disp_lowres.pfm")}, {"--dry-run"}}) {
        auto job = words("out");
        job.insert(job.end(), more.begin(), more.end());
        expect_refused(2, more.front(), [&] { return run(job); });
    }
}

}  // namespace
}  // namespace plenosr::test
