#include <signal.h>
#include <sys/stat.h>

#include "cli/program.h"

namespace plenosr::test {
namespace {

// One second is promised. The rest is for a machine that has other work to do; without the
// program's watcher, each of these would survive all signals.
constexpr double most_seconds = 3;

class Interrupts : public Program {
protected:
    void expect_ends(const std::vector<std::string>& words, const RunOptions& options) const {
        const auto before = everything();
        const Ended ended = run(words, options);
        EXPECT_EQ(ended.code, 130) << ended.err;
        EXPECT_LT(ended.seconds_after_signal, most_seconds);
        ASSERT_FALSE(ended.err_lines().empty());
        EXPECT_TRUE(ended.err_lines().back().starts_with("plenosr: interrupted")) << ended.err;
        EXPECT_EQ(everything(), before);
    }

    std::function<bool()> has_temporary() const {
        return [this] {
            for (const auto& entry : fs::directory_iterator(at("")))
                if (entry.path().string().find(".tmp-") != std::string::npos) return true;
            return false;
        };
    }

    // Prints the report while the picture has its temporary name.
    const std::vector<std::string> printing_ = {"reconstruct",  name("lr"), "-o",     name("x.png"),
                                                "--iterations", "1",        "--json", "-"};
};

// Standard output becomes a pipe that is full and that nobody reads.
void fill_standard_output() {
    int ends[2];
    if (pipe(ends) != 0) _exit(126);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    const std::string some(1024, 'x');
    while (write(ends[1], some.data(), some.size()) > 0) {
    }
    fcntl(ends[1], F_SETFL, 0);
    dup2(ends[1], STDOUT_FILENO);
}

// The other output has its temporary name already when the program waits.
TEST_F(Interrupts, EndAProgramThatWaitsForTheReaderOfAPipe) {
    mkfifo(at("pipe.png").c_str(), 0600);
    for (const int signal : {SIGINT, SIGTERM}) {
        expect_ends({"reconstruct", name("lr"), "-o", name("pipe.png"), "--json", name("r.json"),
                     "--iterations", "1"},
                    {{}, signal, {}, has_temporary()});
    }
}

TEST_F(Interrupts, EndAProgramThatCannotPrint) {
    expect_ends(printing_, {fill_standard_output, SIGTERM, {}, has_temporary()});
}

TEST_F(Interrupts, ASecondSignalEndsTheProgramAtOnce) {
    // Alone, the first signal takes half a second here. Any run that is faster proves the law.
    double fastest = most_seconds;
    for (int i = 0; i < 8 && fastest > 0.4; ++i) {
        const Ended ended = run(printing_, {fill_standard_output, SIGINT, {}, has_temporary(), 2});
        EXPECT_EQ(ended.code, 130);
        fastest = std::min(fastest, ended.seconds_after_signal);
    }
    EXPECT_LT(fastest, 0.4);
}

}  // namespace
}  // namespace plenosr::test
