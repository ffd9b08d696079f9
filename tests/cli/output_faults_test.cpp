#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "cli/program.h"

namespace plenosr::test {
namespace {

class OutputFault : public Program {};

void limit_file_size() {
    constexpr rlim_t few_bytes = 1000;
    const rlimit limit{few_bytes, few_bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
}

TEST_F(OutputFault, AParentThatIsAFileIsNamed) {
    put(at("file"), "x");
    expect_refused(4, name("file"), [&] { return reconstruct_lr({"-o", name("file/out.png")}); });
    expect_refused(4, name("file"), [&] {
        return run({"synth", "-o", name("file/s"), "--grid", "3"});
    });
    expect_refused(4, name("file"), [&] {
        return reconstruct_lr({"-o", name("out.png"), "--json", name("file/r.json")});
    });
}

TEST_F(OutputFault, AFolderInTheWayIsNamed) {
    fs::create_directory(at("out.png"));
    expect_refused(4, name("out.png"), [&] { return reconstruct_lr({}); });
}

TEST_F(OutputFault, ANameThatDoesNotSuitTheDepthIsRefused) {
    expect_refused(4, "out.gif", [&] { return reconstruct_lr({"-o", name("out.gif")}); });
    expect_refused(4, ".pfm", [&] { return reconstruct_lr({"--bits", "float"}); });
}

TEST_F(OutputFault, AFolderIsNotNamedLikeAFile) {
    for (const char* out : {"out.png", "out.mp4"}) {
        const std::string about = std::string("must not end in ") + (out + 3);
        expect_refused(4, about, [&] { return run({"degrade", name("hr"), "-o", name(out)}); });
        expect_refused(4, about, [&] { return run({"synth", "-o", name(out), "--grid", "3"}); });
    }
    expect_refused(4, "must not end in .mp4", [&] {
        return run({"convert", name("hr"), name("out.mp4")});
    });
    expect_refused(4, "out.mp4", [&] { return reconstruct_lr({"-o", name("out.mp4")}); });
}

TEST_F(OutputFault, AFolderOfOtherThingsIsNotReplaced) {
    fs::create_directory(at("letters"));
    put(at("letters/dear.txt"), "x");
    expect_refused(4, name("letters"), [&] {
        return run({"degrade", name("hr"), "-o", name("letters")});
    });
}

TEST_F(OutputFault, BeyondTheFileSizeLimitNothingIsLeft) {
    const RunOptions limited{limit_file_size, 0, {}};
    expect_refused(4, name("out.png"), [&] {
        return run({"reconstruct", name("lr"), "-o", name("out.png"), "--quiet"}, limited);
    });
    expect_refused(4, name("l"), [&] {
        return run({"degrade", name("hr"), "-o", name("l"), "--quiet"}, limited);
    });
}

// Uses a tiny file system of the child process if that is allowed, else the file-size limit.
TEST_F(OutputFault, OnAFullDiskNothingIsLeft) {
    fs::create_directory(at("disk"));
    const std::string disk = name("disk");
    const RunOptions tiny{[disk] {
                              if (unshare(CLONE_NEWNS) != 0 ||
                                  mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                                  mount("none", disk.c_str(), "tmpfs", 0, "size=4k") != 0)
                                  limit_file_size();
                          },
                          0,
                          {}};
    const std::string out = name("disk/out.pfm");
    // Lists the files that are left before the file system of the child disappears.
    expect_refused(4, out, [&] {
        return command(
            {"/bin/sh", "-c", "\"$0\" \"$@\"; code=$?; ls -A '" + disk + "'; exit $code",
             PLENOSR_PROGRAM, "reconstruct", name("lr"), "-o", out, "--bits", "float", "--quiet"},
            tiny);
    });
}

TEST_F(OutputFault, AFullStandardOutputIsAnError) {
    const RunOptions full{[] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); }, 0, {}};
    expect_refused(4, "Standard output", [&] { return run({"info", name("lr"), "--fast"}, full); });
}

TEST_F(OutputFault, NoInputIsOverwritten) {
    const std::string view = take(at("lr/input_Cam004.png"));
    expect_refused(4, "input_Cam004.png", [&] {
        return reconstruct_lr({"-o", name("lr/input_Cam004.png")});
    });
    fs::create_symlink(at("lr/input_Cam004.png"), at("link.png"));
    expect_refused(4, "link.png", [&] { return reconstruct_lr({"-o", name("link.png")}); });
    EXPECT_EQ(take(at("lr/input_Cam004.png")), view);
    const std::string truth = name("hr/input_Cam004.png");
    expect_refused(4, truth, [&] { return reconstruct_lr({"-o", truth, "--truth", truth}); });
    expect_refused(4, "lightfield.json", [&] {
        return reconstruct_lr({"--json", name("lr/lightfield.json")});
    });
    expect_refused(4, name("hr"), [&] { return run({"degrade", name("hr"), "-o", name("hr")}); });
}

TEST_F(OutputFault, PictureAndReportNeedTwoNames) {
    expect_refused(4, name("out.png"), [&] { return reconstruct_lr({"--json", name("out.png")}); });
}

TEST_F(OutputFault, TwoOutputsNeedTwoNames) {
    fs::create_directory_symlink(".", at("here"));
    for (const char* other : {"d.png", "here/d.png"})
        expect_refused(4, "d.png", [&] {
            return run({"disparity", name("lr"), "-o", name("d.png"), "--preview", name(other)});
        });
    expect_refused(4, "here/m", [&] {
        return run({"disparity", name("lr"), "--all", "-o", name("maps"), "--preview",
                    name("here/m"), "--confidence", name("m")});
    });
    expect_refused(4, "x.png", [&] {
        return run({"convert", name("lr"), name("out"), "--disparity", name("x.png"), "--preview",
                    name("x.png")});
    });
    expect_refused(4, "out/r.json", [&] {
        return run({"convert", name("lr"), name("out"), "--json", name("out/r.json")});
    });
}

TEST_F(OutputFault, ALinkToNothingIsRefused) {
    fs::create_symlink("missing.png", at("link.png"));
    expect_refused(4, "missing.png", [&] { return reconstruct_lr({"-o", name("link.png")}); });
    fs::create_symlink("missing", at("link"));
    expect_refused(4, "missing", [&] { return run({"convert", name("lr"), name("link")}); });
}

TEST_F(OutputFault, IfTheReportFailsThereIsNoPictureEither) {
    expect_refused(4, "/dev/full", [&] { return reconstruct_lr({"--json", "/dev/full"}); });
    expect_refused(4, "/dev/full", [&] {
        return run({"convert", name("lr"), name("new/out"), "--json", "/dev/full", "--quiet"});
    });
}

TEST_F(OutputFault, InterruptedNothingIsLeft) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const auto before = everything();
        const Ended ended = run({"reconstruct", name("lr"), "-o", name("out.png"), "--iterations",
                                 "1000000", "--tolerance", "0", "--json", name("r.json")},
                                {{}, signal, "solving "});
        EXPECT_EQ(ended.code, 130) << ended.err.substr(0, 1000);
        ASSERT_FALSE(ended.err_lines().empty());
        EXPECT_TRUE(ended.err_lines().back().starts_with("plenosr: interrupted"));
        EXPECT_EQ(everything(), before);
    }
}

}  // namespace
}  // namespace plenosr::test
