// The memory that the process may use, and what is planned from it.
#include "base/process_memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "cases/scenes.h"
#include "plenosr/devices.h"
#include "plenosr/error.h"
#include "plenosr/io.h"

namespace plenosr {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t mebibyte = std::uint64_t(1) << 20;

// A folder with proc and sys in it.
class FakeRoot {
public:
    FakeRoot() : root_(fs::temp_directory_path() / fmt::format("plenosr-groups-{}", getpid())) {
        fs::remove_all(root_);
        fs::create_directories(root_ / "proc/self");
    }
    ~FakeRoot() {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    FakeRoot& put(const std::string& file, const std::string& text) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text;
        return *this;
    }
    std::uint64_t memory() const { return control_group_memory(root_); }

private:
    fs::path root_;
};

TEST(ControlGroups, HaveNoLimitWhereNothingIsMounted) {
    EXPECT_EQ(FakeRoot().memory(), none);
    EXPECT_EQ(FakeRoot().put("proc/self/cgroup", "0::/\n").memory(), none);
    EXPECT_EQ(FakeRoot().put("proc/self/cgroup", "nonsense\n::\n:\n\n").memory(), none);
}

TEST(ControlGroups, OfVersion2GiveTheLeastLimitOfAllAncestors) {
    FakeRoot root;
    root.put("proc/self/cgroup", "0::/user/job\n");
    root.put("sys/fs/cgroup/user/job/memory.max", "max\n");
    EXPECT_EQ(root.memory(), none);
    root.put("sys/fs/cgroup/user/memory.max", "300000000\n");
    EXPECT_EQ(root.memory(), 300000000U);
    root.put("sys/fs/cgroup/user/job/memory.max", "200000000\n");
    EXPECT_EQ(root.memory(), 200000000U);
}

TEST(ControlGroups, OfAContainerAreReadAtTheRootThatItSees) {
    FakeRoot root;  // the path is one of the host
    root.put("proc/self/cgroup", "0::/docker/0123\n");
    root.put("sys/fs/cgroup/memory.max", "314572800\n");
    EXPECT_EQ(root.memory(), 300 * mebibyte);
    FakeRoot outside;
    outside.put("proc/self/cgroup", "0::/../other\n");
    outside.put("sys/fs/cgroup/memory.max", "1000\n");
    EXPECT_EQ(outside.memory(), 1000U);
}

TEST(ControlGroups, OfVersion1AreFoundByTheirController) {
    FakeRoot root;
    root.put("proc/self/cgroup", "5:devices:/other\n4:cpu,memory:/a/b\n1:name=memory:/x\n0::/\n");
    root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    root.put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "400\n");
    root.put("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "100\n");
    root.put("sys/fs/cgroup/memory/other/memory.limit_in_bytes", "100\n");
    EXPECT_EQ(root.memory(), 400U);
    root.put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "350\n");
    EXPECT_EQ(root.memory(), 350U);
    root.put("sys/fs/cgroup/unified/memory.max", "300\n");  // both versions are mounted
    EXPECT_EQ(root.memory(), 300U);
    root.put("sys/fs/cgroup/unified/memory.max", "-1\n");
    EXPECT_EQ(root.memory(), 350U);
}

TEST(AddressSpace, LeavesWhatCodeAndStacksDoNotTake) {
    EXPECT_EQ(address_space_memory(none), none);
    EXPECT_EQ(address_space_memory(4096 * mebibyte), 3584 * mebibyte);
    std::uint64_t before = 0;
    for (std::uint64_t limit = 0; limit < 2000 * mebibyte; limit += 100 * mebibyte) {
        EXPECT_GE(address_space_memory(limit), before);
        EXPECT_LE(address_space_memory(limit), limit);
        before = address_space_memory(limit);
    }
}

TEST(ProcessMemory, IsBoundedByTheLimitOfAddresses) {
    const std::uint64_t free = process_memory();
    rlimit old{};
    ASSERT_EQ(getrlimit(RLIMIT_AS, &old), 0);
    rlimit low = old;
    low.rlim_cur = 800 * mebibyte;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &low), 0);
    const std::uint64_t limited = process_memory();
    ASSERT_EQ(setrlimit(RLIMIT_AS, &old), 0);
    EXPECT_EQ(limited, std::min(free, address_space_memory(800 * mebibyte)));
    EXPECT_EQ(process_memory(), free);
}

class Pretended {
public:
    explicit Pretended(const std::string& bytes) { setenv("PLENOSR_MEMORY", bytes.c_str(), 1); }
    ~Pretended() { unsetenv("PLENOSR_MEMORY"); }
};

TEST(ProcessMemory, CountsWhatIsHeldAndKeepsSomethingBack) {
    const Pretended memory("300M");
    EXPECT_EQ(process_memory(), 300 * mebibyte);
    EXPECT_EQ(devices().front().global_memory, 300 * mebibyte);
    const std::uint64_t all = memory_for_work(0);
    EXPECT_GT(all, 200 * mebibyte);
    EXPECT_LT(all, 270 * mebibyte);
    EXPECT_EQ(memory_for_work(100 * mebibyte), all - 100 * mebibyte);
    EXPECT_EQ(memory_for_work(300 * mebibyte), 0U);
    EXPECT_EQ(memory_for_work(none), 0U);
}

TEST(ProcessMemory, BoundsWhatIsRead) {
    const fs::path file = fs::temp_directory_path() / fmt::format("plenosr-{}.png", getpid());
    write_image(file, Image(1000, 1000));
    EXPECT_EQ(read_image(file).width, 1000);
    const Pretended memory("54M");  // less than 1 MB remains for images
    try {
        read_image(file);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find("of memory, but the limit is"), std::string::npos)
            << error.what();
    }
    fs::remove(file);
}

struct Planned {  // made once: rendering takes most of the time
    test::DegradedScene scene = [] {
        test::SceneSetup setup;
        setup.views = 3;
        setup.width = setup.height = 512;
        return test::degraded_scene(setup);
    }();
    TilesReport operator()(const ReconstructOptions& o) const {
        LightFieldSize size{scene.views.width(), scene.views.height(), 1, {}};
        for (const View& view : scene.views.views)
            size.views.push_back(view.position);
        return plan_reconstruct(size, scene.centre, scene.low_disparity, o).front();
    }
};

const Planned& planned() {
    static const Planned plan;
    return plan;
}

ReconstructOptions quick() {
    ReconstructOptions o;
    o.iterations = o.cg = 1;
    o.denoiser = Denoiser::none;
    return o;
}

TEST(ProcessMemory, LeadsToTilesAndThenToARefusal) {
    const Planned& plan = planned();
    const ReconstructOptions o = quick();
    const TilesReport whole = plan(o);
    EXPECT_EQ(whole.count, 1);
    ASSERT_GT(whole.memory_estimate, 20 * mebibyte);
    {
        const Pretended memory(fmt::format("{}", 80 * mebibyte));
        const TilesReport tiled = plan(o);
        EXPECT_GT(tiled.count, 1);
        const ReconstructResult r =
            reconstruct(plan.scene.views, plan.scene.centre, plan.scene.low_disparity, o);
        EXPECT_EQ(r.tiles.count, tiled.count);
        EXPECT_LE(r.memory_peak, memory_for_work(0));
    }
    const Pretended memory("58M");
    try {
        plan(o);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory);
        EXPECT_NE(std::string(error.what()).find("this process may use 60817408 bytes"),
                  std::string::npos)
            << error.what();
    }
}

TEST(ProcessMemory, NeverChangesTheTilesOfAGivenLimit) {
    const Planned& plan = planned();
    ReconstructOptions o;
    o.memory_limit = 16 * mebibyte;
    const TilesReport free = plan(o);
    EXPECT_GT(free.count, 1);
    const auto refusal = [&](const char* bytes) -> std::string {
        const Pretended memory(bytes);
        try {
            EXPECT_EQ(plan(o).count, free.count);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(refusal("200M"), "");
    EXPECT_NE(refusal("70M").find("give a smaller --memory-limit"), std::string::npos);
}

TEST(ProcessMemory, OfEnginesThatShareItIsShared) {
    const Planned& plan = planned();
    ReconstructOptions one;
    ReconstructOptions two;
    two.device = "cpu,cpu";
    const Pretended memory("85M");
    EXPECT_LE(plan(one).memory_estimate, memory_for_work(0));
    const TilesReport shared = plan(two);
    EXPECT_LE(shared.memory_estimate, memory_for_work(0));
    EXPECT_GT(shared.count, plan(one).count);
}

TEST(ProcessMemory, LetsDisparityBeEstimatedInTiles) {
    const Planned& plan = planned();
    DisparityOptions o;
    o.labels = 16;
    o.range = DisparityInterval{-1, 1};
    const Image whole = estimate_disparity(plan.scene.views, plan.scene.centre, o).disparity;
    {
        const Pretended memory("64M");
        EXPECT_NE(estimate_disparity(plan.scene.views, plan.scene.centre, o).disparity, whole);
    }
    const Pretended memory("54M");
    try {
        estimate_disparity(plan.scene.views, plan.scene.centre, o);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::memory);
        EXPECT_NE(std::string(error.what()).find("estimating the disparity"), std::string::npos);
    }
}

}  // namespace
}  // namespace plenosr
