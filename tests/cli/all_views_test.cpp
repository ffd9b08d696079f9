#include <csignal>
#include <map>

#include "cli/program.h"

namespace plenosr::test {
namespace {

using nlohmann::json;

class AllViews : public Program {
protected:
    std::vector<std::string> words(const std::string& out) const {
        return {"reconstruct", name("lr"), "-o", name(out), "--view", "all"};
    }
    // Every file of a folder with its bytes.
    std::map<std::string, std::string> content(const std::string& folder) const {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::directory_iterator(at(folder)))
            files[entry.path().filename().string()] = take(entry.path());
        return files;
    }
};

TEST_F(AllViews, EveryViewIsWrittenInTheLayoutOfTheInputAndBeatsBicubic) {
    auto job = words("all");
    job.insert(job.end(), {"--truth", name("hr"), "--json", name("all.json")});
    const Ended ended = run(job);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("least gain"), std::string::npos) << ended.out;
    EXPECT_NE(ended.err.find("views 900/900"), std::string::npos) << ended.err;
    const LightFieldIndex index = index_light_field(at("all"));
    EXPECT_EQ(index.format, "hci");
    EXPECT_EQ(index.views.size(), 9U);
    EXPECT_EQ(index.image.width, size);
    const json report = json::parse(take(at("all.json")));
    ASSERT_EQ(report["views"].size(), 9U);
    for (const json& view : report["views"])
        EXPECT_GT(view["psnr"].get<double>(), view["psnr_bicubic"].get<double>() + 1) << view;
    // its own disparity comes with it, at its own size
    for (const LightFieldIndex::Entry& entry : index.views)
        EXPECT_EQ(read_disparity(index, entry.position).width, size);
    // nothing else is left behind
    for (const auto& entry : fs::directory_iterator(at("")))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".")) << entry.path();
}

TEST_F(AllViews, ARunThatWasKilledGoesOnAndEndsWithTheSameBits) {
    ASSERT_EQ(run(words("whole")).code, 0);
    RunOptions kill_it;
    kill_it.signal = SIGKILL;
    kill_it.signal_when = "views 400/900";
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

TEST_F(AllViews, ViewsOfAnotherRunsOptionsAreNotTaken) {
    RunOptions kill_it;
    kill_it.signal = SIGKILL;
    kill_it.signal_when = "views 400/900";
    EXPECT_EQ(run(words("out"), kill_it).code, -1);
    auto job = words("out");
    job.insert(job.end(), {"--lambda", "0.5"});
    const Ended ended = run(job);
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.out.find("from an earlier run"), std::string::npos) << ended.out;
}

TEST_F(AllViews, WhatIsForOneViewIsRefused) {
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"--disparity", name("lr/gt_disp_lowres.pfm")}, {"--dry-run"}}) {
        auto job = words("out");
        job.insert(job.end(), more.begin(), more.end());
        expect_refused(2, more.front(), [&] { return run(job); });
    }
}

}  // namespace
}  // namespace plenosr::test
