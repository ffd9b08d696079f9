#include "cli/program.h"

namespace plenosr::test {
namespace {

class ProgressOutput : public Program {};

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
