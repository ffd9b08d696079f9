#include "base/cache.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>

#include "io/support.h"

namespace plenosr::test {
namespace {

constexpr std::size_t longest = 1000;

class CacheTrust : public InFolder {
protected:
    std::optional<std::string> load() const { return cache::load(at("cache"), "key", longest); }
    fs::path file() const { return cache::file_of(at("cache"), "key"); }

    void SetUp() override {
        cache::store(at("cache"), "key", "value");
        ASSERT_EQ(load(), "value");
    }
};

TEST_F(CacheTrust, WhatOthersMayWriteIsIgnored) {
    for (const fs::path& path : {file(), at("cache")})
        for (const mode_t others : {S_IWGRP, S_IWOTH}) {
            struct stat status {};
            ASSERT_EQ(stat(path.c_str(), &status), 0);
            chmod(path.c_str(), status.st_mode | others);
            EXPECT_EQ(load(), std::nullopt) << path << " " << others;
            EXPECT_EQ(cache::read_text(file()), "");
            chmod(path.c_str(), status.st_mode);
            EXPECT_EQ(load(), "value");
        }
}

TEST_F(CacheTrust, WhatOthersOwnIsIgnored) {
    constexpr uid_t other = 12345;
    for (const fs::path& path : {file(), at("cache")}) {
        if (chown(path.c_str(), other, gid_t(-1)) != 0) {
            EXPECT_NE(geteuid(), 0U);  // only root can make such a file
            return;
        }
        EXPECT_EQ(load(), std::nullopt) << path;
        ASSERT_EQ(chown(path.c_str(), geteuid(), gid_t(-1)), 0);
    }
    EXPECT_EQ(load(), "value");
}

TEST_F(CacheTrust, NothingIsStoredInAFolderOfOthers) {
    ASSERT_EQ(mkdir(at("open").c_str(), 0700), 0);
    ASSERT_EQ(chmod(at("open").c_str(), 0777), 0);
    cache::store(at("open"), "key", "value");
    EXPECT_EQ(entries(at("open")), 0U);
    refusal_of(ErrorKind::output, [&] { cache::write_text(at("open/tuning.json"), "{}"); });
}

TEST_F(CacheTrust, EntriesAreForThisUserAloneWhateverTheUmask) {
    const mode_t before = umask(0);
    cache::store(at("other"), "key", "value");
    cache::write_text(at("third/tuning.json"), "{}");
    umask(before);
    EXPECT_EQ(cache::load(at("other"), "key", longest), "value");
    EXPECT_EQ(cache::read_text(at("third/tuning.json")), "{}");
}

TEST_F(CacheTrust, LinksPipesAndHugeFilesAreIgnored) {
    fs::rename(file(), at("cache/elsewhere"));
    fs::create_symlink("elsewhere", file());
    EXPECT_EQ(load(), std::nullopt);
    fs::remove(file());
    ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
    EXPECT_EQ(load(), std::nullopt);
    fs::remove(file());
    put(file(), take(at("cache/elsewhere")));
    fs::resize_file(file(), std::uintmax_t(1) << 40U);  // sparse
    EXPECT_EQ(load(), std::nullopt);
    EXPECT_EQ(cache::read_text(file()), "");
    EXPECT_EQ(cache::load(at("cache"), "key", std::size_t(4)), std::nullopt);
}

// PoCL, for one, ends the process if a binary is not its own.
TEST_F(CacheTrust, AnEntryThatAProcessDidNotSurviveIsRemoved) {
    const auto die_with_mark_on = [&](const char* folder, const char* key) {
        const pid_t child = fork();
        if (child == 0) {
            for (const char* stored : {"good", "bad"})
                cache::store(at(folder), stored, "value");
            const Temporary mark = cache::use_mark(at(folder), key);
            raise(SIGKILL);
        }
        waitpid(child, nullptr, 0);
    };
    die_with_mark_on("other", "bad");
    EXPECT_EQ(cache::load(at("other"), "bad", longest), std::nullopt);
    EXPECT_EQ(cache::load(at("other"), "good", longest), "value");
    EXPECT_EQ(entries(at("other")), 1U);
}

// The checksum of version 0.1.0, FNV-1a, could be computed for any content.
TEST_F(CacheTrust, TheDigestCoversKeyAndValue) {
    const std::string whole = take(file());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = char(damaged[i] ^ 0x10);
        fs::remove(file());
        put(file(), damaged);
        chmod(file().c_str(), 0600);
        EXPECT_EQ(load(), std::nullopt) << i;
    }
}

}  // namespace
}  // namespace plenosr::test
