#include <regex>

#include "cli/program.h"

namespace plenosr::test {
namespace {

class ProgressOutput : public Program {
protected:
    // The last count of each stage, off a terminal: "9/9" of "reading 9/9  0.1 s".
    static std::map<std::string, std::string> last_counts(const Ended& ended) {
        static const std::regex line(R"((.+) (\d+/\d+|\d+ %|\d+)  [\d.]+ s)");
        std::map<std::string, std::string> counts;
        std::smatch match;
        for (const std::string& text : ended.err_lines())
            if (std::regex_match(text, match, line)) counts[match[1]] = match[2];
        return counts;
    }
    // All stages end at their total, and `stages` are among them.
    void expect_complete(const std::vector<std::string>& words,
                         const std::vector<std::string>& stages) const {
        const Ended ended = run(words);
        ASSERT_EQ(ended.code, 0) << ended.err;
        const auto counts = last_counts(ended);
        for (const auto& [stage, count] : counts) {
            const auto slash = count.find('/');
            EXPECT_TRUE(slash == std::string::npos
                            ? count == "100 %"
                            : count.substr(0, slash) == count.substr(slash + 1))
                << ended.err;
        }
        for (const std::string& stage : stages)
            EXPECT_EQ(counts.count(stage), 1U) << stage << "\n" << ended.err;
    }
};

TEST_F(ProgressOutput, OffATerminalAFewLinesAreEnough) {
    const Ended ended = run({"reconstruct", name("lr"), "-o", name("o.png"), "--iterations", "300",
                             "--tolerance", "0", "--denoiser", "none"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("solving 300/300"), std::string::npos) << ended.err;
    EXPECT_LT(ended.err_lines().size(), 15U) << ended.err;
}

TEST_F(ProgressOutput, AllViewsAreCountedAsViews) {
    const Ended ended = run({"reconstruct", name("lr"), "-o", name("all"), "--view", "all"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("views 9/9"), std::string::npos) << ended.err;
    EXPECT_LT(ended.err_lines().size(), 15U) << ended.err;
}

// Also stages that end early, because a tolerance is met or a search has found what it sought.
TEST_F(ProgressOutput, EveryStageEndsAtItsTotal) {
    const std::vector<std::string> lr = {"reconstruct", name("lr"), "-o", name("o.png")};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), lr.begin(), lr.end());
        return more;
    };
    expect_complete(with({"--blur", "auto", "--tolerance", "5"}),
                    {"reading", "finding the blur", "geometry", "solving"});
    expect_complete({"disparity", name("lr"), "-o", name("maps"), "--all"}, {"matching", "views"});
}

TEST_F(ProgressOutput, EveryStageOfTilesAndOfFramesEndsAtItsTotal) {
    ASSERT_EQ(run({"synth", "-o", name("scene"), "--grid", "3", "--width", "128", "--height", "128",
                   "--quiet"})
                  .code,
              0);
    ASSERT_EQ(run({"degrade", name("scene"), "-o", name("low"), "--quiet"}).code, 0);
    expect_complete({"reconstruct", name("low"), "-o", name("o.png"), "--tolerance", "5"},
                    {"solving", "checking"});
    expect_complete({"reconstruct", name("low"), "-o", name("o.png"), "--device", "cpu,cpu",
                     "--memory-limit", "8M", "--threads", "1"},
                    {"surveying", "solving"});
    ASSERT_EQ(run({"degrade", name("scene/input_Cam004.png"), "-o", name("set"), "--frames", "9",
                   "--scale", "3", "--quiet"})
                  .code,
              0);
    expect_complete({"frames", name("set"), "-o", name("o.png"), "--scale", "2", "--blur", "auto"},
                    {"reading", "registering", "checking the reference", "looking for motion",
                     "finding the blur", "solving"});
    // Another scene as the reference is replaced, and registered again.
    Image other = read_image(at("set/view_0000.png"));
    std::reverse(other.values.begin(), other.values.end());
    write_image(at("set/view_0000.png"), other);
    expect_complete({"frames", name("set"), "-o", name("o.png"), "--scale", "2"},
                    {"registering", "registering again"});
}

TEST_F(ProgressOutput, QuietPrintsNothing) {
    const Ended ended = reconstruct_lr({"--iterations", "2"});
    EXPECT_EQ(ended.out + ended.err, "");
}

// Numbers as a first-time user can read them, and which of the cases applied.
TEST_F(ProgressOutput, TheExplanationNamesTheCaseThatApplied) {
    const auto explain = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words = {"reconstruct", name("lr"), "-o", name("o.png"),
                                          "--explain"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words).out;
    };
    const std::string usual = explain({});
    EXPECT_NE(usual.find("--denoiser bm3d: the noise that remains in a pixel, "), std::string::npos)
        << usual;
    EXPECT_NE(usual.find(" is strong (at least 2)"), std::string::npos) << usual;
    const auto number_after = [&](const std::string& words) {
        const std::size_t at = usual.find(words);
        EXPECT_NE(at, std::string::npos) << words << "\n" << usual;
        return at == std::string::npos ? -1 : std::stod(usual.substr(at + words.size()));
    };
    const double assumed = number_after("The reconstruction assumes ");
    EXPECT_NEAR(assumed, 1.06 * number_after("with a standard deviation of "), 0.1);
    const std::string plain = explain({"--lambda1", "1"});
    EXPECT_NE(plain.find("--data l1+l2: --lambda1 is given"), std::string::npos) << plain;
    EXPECT_NE(plain.find("--denoiser none: a denoiser is chosen for --data mixture only"),
              std::string::npos)
        << plain;
    const std::size_t begin = usual.find("--lambda ") + std::string("--lambda ").size();
    EXPECT_LE(usual.find(':', begin) - begin, 7U) << usual;
}

}  // namespace
}  // namespace plenosr::test
