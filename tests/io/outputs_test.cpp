#include "plenosr/outputs.h"
#include "base/cancelled.h"

#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "base/output_batch.h"
#include "base/temporary.h"
#include "io/support.h"
#include "plenosr/progress.h"

namespace plenosr::test {
namespace {

class Outputs : public InFolder {
protected:
    void write_views(const std::string& name, int seed = 0) const {
        LightField field = numbered_views({0, 0, 1, 2}, 1);
        field.views.front().image = pattern(12, 9, 1, seed);
        write_light_field(at(name), field, {});
    }
    // Leaves what a process leaves that is killed before it gives `name` its final name.
    void killed_while_writing(const std::string& name) const {
        const pid_t child = fork();
        if (child == 0) {
            const OutputBatch outputs;
            write_text_file(at(name), "incomplete");
            raise(SIGKILL);
        }
        waitpid(child, nullptr, 0);
    }
};

TEST_F(Outputs, OfABatchAppearTogether) {
    OutputBatch outputs;
    write_text_file(at("a.txt"), "a");
    write_views("views");
    write_text_file(at("new/folder/b.txt"), "b");
    EXPECT_FALSE(fs::exists(at("a.txt")));
    EXPECT_FALSE(fs::exists(at("views")));
    outputs.commit();
    EXPECT_EQ(take(at("a.txt")), "a");
    EXPECT_EQ(take(at("new/folder/b.txt")), "b");
    EXPECT_TRUE(fs::exists(at("views/lightfield.json")));
    EXPECT_EQ(entries(folder()), 3U);
}

TEST_F(Outputs, WithoutACommitNothingNewIsLeft) {
    put(at("old.txt"), "old");
    {
        const OutputBatch outputs;
        write_text_file(at("old.txt"), "new");
        write_text_file(at("new/folder/a.txt"), "a");
        write_text_file(at("new/folder/b.txt"), "b");
        write_views("views");
    }
    EXPECT_EQ(take(at("old.txt")), "old");
    EXPECT_EQ(entries(folder()), 1U);
    {
        const FullDisk disk;
        refusal_of(ErrorKind::output,
                   [&] { write_text_file(at("new/a.txt"), std::string(100000, 'x')); });
    }
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(Outputs, ADeviceThatFailsLeavesNothingNew) {
    OutputBatch outputs;
    write_text_file(at("a.txt"), "a");
    write_text_file("/dev/full", "b");
    refusal_of(ErrorKind::output, [&] { outputs.commit(); });
    EXPECT_FALSE(fs::exists(at("a.txt")));
}

TEST_F(Outputs, WithTheSameTargetAreRefused) {
    put(at("a.txt"), "old");
    fs::create_symlink("a.txt", at("link.txt"));
    fs::create_directory_symlink(".", at("here"));
    for (const char* other : {"a.txt", "./a.txt", "link.txt", "here/a.txt", "none/../a.txt"}) {
        const auto text = refusal_of(ErrorKind::output, [&] {
            require_distinct_outputs({at("a.txt"), at(other)});
        });
        EXPECT_TRUE(mentions(text, other)) << text;
        OutputBatch outputs;
        write_text_file(at("a.txt"), "1");
        refusal_of(ErrorKind::output, [&] { write_text_file(at(other), "2"); });
    }
    refusal_of(ErrorKind::output, [&] { require_distinct_outputs({at("out"), at("out/r.json")}); });
    refusal_of(ErrorKind::output, [&] { require_distinct_outputs({at("here/b"), at("b/")}); });
    require_distinct_outputs({at("a"), at("ab"), at("b/a"), {}, {}});
    EXPECT_EQ(take(at("a.txt")), "old");
}

TEST_F(Outputs, ALinkToNothingIsRefused) {
    fs::create_symlink("missing", at("link"));
    for (const auto& write : {std::function<void()>([&] { write_text_file(at("link"), "x"); }),
                              std::function<void()>([&] { write_views("link"); })}) {
        const auto text = refusal_of(ErrorKind::output, write);
        EXPECT_TRUE(mentions(text, "missing")) << text;
    }
    EXPECT_TRUE(fs::is_symlink(at("link")));
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(Outputs, AFolderIsThereWhileItIsReplaced) {
    write_views("views");
    std::atomic<bool> done{false};
    std::atomic<int> missing{0};
    std::thread watcher([&] {
        while (!done)
            if (::access(at("views/lightfield.json").c_str(), F_OK) != 0) ++missing;
    });
    for (int i = 0; i < 60; ++i)
        write_views("views", i);
    done = true;
    watcher.join();
    EXPECT_EQ(missing, 0);
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(Outputs, AFolderIsReplacedWithoutAnExchangeToo) {
    for (const char* name : {"views", "new"}) {
        fs::create_directory(at(name));
        put(at(name) / name, name);
    }
    const fs::path temporary = at(".views.tmp-00000000-1-0");
    fs::rename(at("new"), temporary);
    replace_folder(temporary, at("views"), FolderExchange::never);
    EXPECT_TRUE(fs::exists(at("views/new")));
    EXPECT_EQ(entries(folder()), 1U);
}

TEST_F(Outputs, TheNextRunRemovesWhatAKilledOneLeft) {
    fs::create_directory(at("x"));
    killed_while_writing("x/a.txt");
    EXPECT_EQ(entries(at("x")), 1U);
    write_text_file(at("x/b.txt"), "b");
    EXPECT_EQ(entries(at("x")), 1U);
}

TEST_F(Outputs, TemporaryFilesOfOthersAreLeftAlone) {
    fs::create_directory(at("x"));
    killed_while_writing("x/a.txt");
    const std::string dead = fs::directory_iterator(at("x"))->path().filename().string();
    const std::string host = dead.substr(std::string(".a.txt.tmp-").size(), 8);
    // A running process, another machine, and names that only look similar.
    const std::vector<std::string> others = {
        ".a.txt.tmp-" + host + "-1-0", ".a.txt.tmp-00000000-1-0",
        ".a.txt.tmp-" + host + "-999999999", ".a.txt.tmp-" + host + "-999999999-x",
        "a.txt.tmp-" + host + "-999999999-0"};
    for (const std::string& name : others)
        put(at("x") / name, "x");
    remove_stale_temporaries(at("x"));
    EXPECT_FALSE(fs::exists(at("x") / dead));
    for (const std::string& name : others)
        EXPECT_TRUE(fs::exists(at("x") / name)) << name;
}

TEST_F(Outputs, AnOldTemporaryFileOfAnotherMachineIsRemoved) {
    fs::create_directory(at("x"));
    const fs::path old = at("x/.a.txt.tmp-00000000-1-0");
    put(old, "x");
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(8 * 24));
    remove_stale_temporaries(at("x"));
    EXPECT_FALSE(fs::exists(old));
}

// Two steps replace a folder on some file systems. A process was killed between them.
TEST_F(Outputs, AFolderThatWasMovedAsideComesBack) {
    fs::create_directory(at("x"));
    killed_while_writing("x/views");
    const fs::path temporary = fs::directory_iterator(at("x"))->path();
    fs::create_directory(moved_aside_name(temporary));
    put(moved_aside_name(temporary) / "a", "old");
    remove_stale_temporaries(at("x"));
    EXPECT_EQ(take(at("x/views/a")), "old");
    EXPECT_EQ(entries(at("x")), 1U);
}

TEST_F(Outputs, AbandonedNothingIsWrittenAnyMore) {
    const pid_t child = fork();  // abandoning cannot be undone
    if (child == 0) {
        OutputBatch outputs;
        write_text_file(at("new/a.txt"), "a");
        write_views("views");
        abandon_outputs();
        bool ok = entries(folder()) == 0;
        try {
            outputs.commit();
            ok = false;
        } catch (const Cancelled&) {
        }
        try {
            write_text_file(at("b.txt"), "b");
            ok = false;
        } catch (const Cancelled&) {
        }
        _exit(ok && entries(folder()) == 0 ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace plenosr::test
