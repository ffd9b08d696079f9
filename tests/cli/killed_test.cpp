#include <csignal>
#include <cstdlib>
#include <random>

#include "cli/program.h"

namespace plenosr::test {
namespace {

// PLENOSR_TEST_KILLS sets the number of kills for each command.
int kills() {
    const char* chosen = std::getenv("PLENOSR_TEST_KILLS");
    return chosen != nullptr ? std::atoi(chosen) : 3;
}

// Kills a command at random times. `out` must be missing or complete after each kill; the next run
// continues or begins again, ends with the same bits and leaves no other file.
class Killed : public Program {
protected:
    void kill_at_random(std::vector<std::string> words, const std::string& out) {
        const auto with_output = [&](const std::string& name) {
            auto job = words;
            std::replace(job.begin(), job.end(), std::string("OUT"), this->name(name));
            return job;
        };
        const std::string whole = "whole-" + out;
        const auto start = std::chrono::steady_clock::now();
        ASSERT_EQ(run(with_output(whole)).code, 0);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const auto before = everything();

        std::mt19937 random{std::random_device{}()};
        std::uniform_real_distribution<double> moment(0, 1.1 * seconds);
        bool exists = false;
        for (int i = 0; i < kills(); ++i) {
            const double when = moment(random);
            run(with_output(out), {{}, SIGKILL, {}, after(when)});
            EXPECT_TRUE(fs::exists(at(out)) || !exists) << "removed after " << when << " s";
            exists = fs::exists(at(out));
            if (!exists) continue;
            EXPECT_EQ(content(out), content(whole)) << "killed after " << when << " s";
        }
        const Ended ended = run(with_output(out));
        ASSERT_EQ(ended.code, 0) << ended.err;
        EXPECT_EQ(content(out), content(whole));
        fs::remove_all(at(out));
        EXPECT_EQ(everything(), before);
    }
};

TEST_F(Killed, ReconstructLeavesNoPartialPicture) {
    kill_at_random({"reconstruct", name("lr"), "-o", "OUT"}, "out.png");
}

TEST_F(Killed, ConvertLeavesNoPartialFolder) {
    kill_at_random({"convert", name("hr"), "OUT", "--bits", "16"}, "out");
}

TEST_F(Killed, ConvertLeavesNoPartialFile) {
    kill_at_random({"convert", name("hr"), "OUT"}, "out.h5");
}

TEST_F(Killed, AllViewsAreResumedOrBegunAgain) {
    kill_at_random({"reconstruct", name("lr"), "-o", "OUT", "--view", "all"}, "out");
}

}  // namespace
}  // namespace plenosr::test
