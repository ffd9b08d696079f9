#include "base/cache.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "backends/opencl/device.h"
#include "backends/opencl/platforms.h"
#include "opencl/support.h"

namespace plenosr::test {
namespace {

using opencl::Device;

constexpr std::size_t longest = 1U << 24U;

TEST(Cache, ReturnsAValueUnderItsKeyOnly) {
    const Folder folder;
    const std::string value("a\0b", 3);
    EXPECT_EQ(cache::load(folder.path(), "key", longest), std::nullopt);
    cache::store(folder.path(), "key", value);
    EXPECT_EQ(cache::load(folder.path(), "key", longest), value);
    EXPECT_EQ(cache::load(folder.path(), "another", longest), std::nullopt);
    // Two keys with the same file name are told apart by the key in the file.
    fs::rename(cache::file_of(folder.path(), "key"), cache::file_of(folder.path(), "another"));
    EXPECT_EQ(cache::load(folder.path(), "another", longest), std::nullopt);
}

TEST(Cache, DetectsAnyDamagedByteAndAnyTruncation) {
    const Folder folder;
    cache::store(folder.path(), "key", "the value");
    const fs::path file = cache::file_of(folder.path(), "key");
    const std::string whole = read_bytes(file);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = char(damaged[i] ^ 1);
        write_bytes(file, damaged);
        EXPECT_EQ(cache::load(folder.path(), "key", longest), std::nullopt) << "byte " << i;
        write_bytes(file, whole.substr(0, i));
        EXPECT_EQ(cache::load(folder.path(), "key", longest), std::nullopt) << "cut at " << i;
    }
    write_bytes(file, whole + "x");
    EXPECT_EQ(cache::load(folder.path(), "key", longest), std::nullopt);
    write_bytes(file, whole);
    EXPECT_EQ(cache::load(folder.path(), "key", longest), "the value");
}

TEST(Cache, AFolderThatCannotBeCreatedIsIgnored) {
    const Folder folder;
    write_bytes(folder.path() / "file", "x");
    cache::store(folder.path() / "file", "key", "value");
    EXPECT_EQ(cache::load(folder.path() / "file", "key", longest), std::nullopt);
    cache::store({}, "key", "value");
    EXPECT_EQ(cache::load({}, "key", longest), std::nullopt);
}

TEST(Cache, TheEnvironmentSetsTheFolder) {
    const Environment home("HOME", "/h");
    const Environment users("XDG_CACHE_HOME", "/x");
    const Environment own("PLENOSR_CACHE", "/own");
    EXPECT_EQ(cache::folder(), "/own");
    const Environment not_own("PLENOSR_CACHE", "");
    EXPECT_EQ(cache::folder(), "/x/plenosr");
    const Environment not_users("XDG_CACHE_HOME", nullptr);
    EXPECT_EQ(cache::folder(), "/h/.cache/plenosr");
    const Environment not_home("HOME", nullptr);
    EXPECT_EQ(cache::folder(), "");
}

class ProgramCacheTest : public ::testing::Test {
protected:
    // Runs the copy kernel on a new device; returns how its program was built.
    static opencl::BuildCount built_on_new_device(const opencl::Tuning& tuning = {}) {
        Device device(opencl::listed_devices().at(0).handle, tuning);
        const std::vector<float> values = {1, 2, 3, 4};
        opencl::Memory from = device.new_constants(values.data(), 16);
        opencl::Memory to = device.new_buffer(16);
        device.kernel("copy", "copy")({}, from, to, 1);
        std::vector<float> back(4);
        device.read(to, back.data(), 16);
        EXPECT_EQ(back, values);
        return device.builds();
    }
    fs::path only_file() const {
        fs::path file;
        int files = 0;
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            file = entry.path();
            ++files;
        }
        EXPECT_EQ(files, 1);
        return file;
    }

    Folder folder_;
    Environment cache_{"PLENOSR_CACHE", folder_.path().c_str()};
};

TEST_F(ProgramCacheTest, TheSecondTimeAProgramIsLoaded) {
    const opencl::BuildCount first = built_on_new_device();
    EXPECT_EQ(first.compiled, 1);
    EXPECT_EQ(first.cached, 0);
    EXPECT_GT(first.seconds, 0);
    const opencl::BuildCount second = built_on_new_device();
    EXPECT_EQ(second.compiled, 0);
    EXPECT_EQ(second.cached, 1);
    opencl::Tuning other;
    other.vector = 4;
    EXPECT_EQ(built_on_new_device(other).compiled, 1);  // other options make another program
}

TEST_F(ProgramCacheTest, ADamagedFileIsRebuiltAndReplaced) {
    built_on_new_device();
    const fs::path file = only_file();
    const std::string whole = read_bytes(file);
    std::string damaged = whole;
    damaged[whole.size() / 2] = char(damaged[whole.size() / 2] ^ 1);
    for (const std::string& bytes :
         {damaged, whole.substr(0, whole.size() / 2), std::string(), std::string("not a cache")}) {
        write_bytes(file, bytes);
        EXPECT_EQ(built_on_new_device().compiled, 1);
        EXPECT_EQ(built_on_new_device().cached, 1);
    }
}

TEST_F(ProgramCacheTest, ABinaryThatTheDriverRefusesCountsAsMissing) {
    const cl::Device device = opencl::listed_devices().at(0).handle;
    const cl::Context context(device);
    const opencl::ProgramCache programs(device);
    const std::string key = programs.key("source", "options");
    cache::store(folder_.path(), key, "no program of any device");
    EXPECT_TRUE(cache::load(folder_.path(), key, longest).has_value());
    EXPECT_FALSE(programs.load(context, key).has_value());
}

TEST_F(ProgramCacheTest, WithoutAFolderProgramsAreCompiledEachTime) {
    const fs::path file = folder_.path() / "file";
    write_bytes(file, "x");
    const Environment nowhere("PLENOSR_CACHE", (file / "below").c_str());
    EXPECT_EQ(built_on_new_device().compiled, 1);
    EXPECT_EQ(built_on_new_device().compiled, 1);
}

// The next test runs this one in two processes at the same time.
TEST_F(ProgramCacheTest, SharedFolder) {
    const char* shared = std::getenv("PLENOSR_SHARED_CACHE");
    const Environment cache("PLENOSR_CACHE", shared != nullptr ? shared : folder_.path().c_str());
    const std::vector<std::string> values = {std::string(200000, 'a'), std::string(100000, 'b')};
    for (int i = 0; i < 200; ++i) {
        cache::store(cache::folder(), "contended", values[std::size_t(i % 2)]);
        const auto seen = cache::load(cache::folder(), "contended", longest);
        ASSERT_TRUE(seen == values[0] || seen == values[1]);
    }
    const opencl::BuildCount builds = built_on_new_device();
    EXPECT_EQ(builds.compiled + builds.cached, 1);
}

TEST_F(ProgramCacheTest, ProcessesThatStartTogetherShareAFolder) {
    const Environment shared("PLENOSR_SHARED_CACHE", folder_.path().c_str());
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const std::string one =
        "'" + self + "' --gtest_filter=ProgramCacheTest.SharedFolder >/dev/null";
    const int status =
        std::system((one + " & a=$!; " + one + "; b=$?; wait $a && exit $b").c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
    int files = 0;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
        EXPECT_EQ(entry.path().extension(), ".bin") << entry.path();  // no temporary file is left
        ++files;
    }
    EXPECT_EQ(files, 2);
}

}  // namespace
}  // namespace plenosr::test
