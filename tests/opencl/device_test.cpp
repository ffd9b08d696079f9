#include "backends/opencl/device.h"

#include <fmt/format.h>

#include <numeric>
#include <thread>

#include "backends/opencl/platforms.h"
#include "base/out_of_memory.h"
#include "opencl/support.h"

namespace plenosr::test {
namespace {

using opencl::Device;
using opencl::Faults;
using opencl::Memory;

class DeviceTest : public ::testing::Test {
protected:
    static cl::Device first() { return opencl::listed_devices().at(0).handle; }

    static std::string out_of_memory(const std::function<void()>& body) {
        try {
            body();
        } catch (const OutOfMemory& error) {
            return error.what();
        }
        ADD_FAILURE() << "memory did not run out";
        return {};
    }

    static void launch(Device& device) {
        Memory from = device.new_buffer(1024);
        Memory to = device.new_buffer(1024);
        device.kernel("copy", "copy")(opencl::value_grid(device.tuning(), 64, 2048), from, to, 64);
    }

    Folder cache_;
    Environment own_cache_{"PLENOSR_CACHE", cache_.path().c_str()};
    Device device_{first(), {}};
};

TEST_F(DeviceTest, MemoryIsZeroAtFirstAndKeepsWrittenValues) {
    std::vector<float> values(1000);
    Memory buffer = device_.new_buffer(values.size() * sizeof(float));
    std::fill(values.begin(), values.end(), 1.0F);
    device_.read(buffer, values.data(), buffer.bytes());
    EXPECT_EQ(values, std::vector<float>(1000, 0.0F));
    std::iota(values.begin(), values.end(), 0.0F);
    device_.write(buffer, values.data(), buffer.bytes());
    Memory other = device_.new_buffer(buffer.bytes());
    device_.kernel("copy", "copy")({.width = 250, .group_width = 1}, buffer, other, 250);
    std::vector<float> back(1000);
    device_.read(other, back.data(), other.bytes());
    EXPECT_EQ(back, values);
}

TEST_F(DeviceTest, RowsAreAStrideApart) {
    constexpr int width = 3;
    constexpr int height = 2;
    constexpr int stride = 5;
    const std::vector<float> rows = {1, 2, 3, 4, 5, 6};
    Memory buffer = device_.new_buffer(4 * stride * sizeof(float));
    device_.write_rows(buffer, rows.data(), width, height, stride, stride + 1);
    std::vector<float> all(4 * stride);
    device_.read(buffer, all.data(), buffer.bytes());
    const std::vector<float> expected = {0, 0, 0, 0, 0, 0, 1, 2, 3, 0,
                                         0, 4, 5, 6, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(all, expected);
    std::vector<float> back(rows.size());
    device_.read_rows(buffer, back.data(), width, height, stride, stride + 1);
    EXPECT_EQ(back, rows);
}

TEST_F(DeviceTest, LiveBytesAndTheirPeakAreCounted) {
    {
        const Memory a = device_.new_buffer(1000);  // rounded up to 1008
        const Memory b = device_.new_image(10, 10);
        EXPECT_EQ(device_.memory().live, 1408U);
        Memory c = device_.new_buffer(100);
        EXPECT_EQ(device_.memory().live, 1520U);
        c = Memory();
        EXPECT_EQ(device_.memory().live, 1408U);
    }
    EXPECT_EQ(device_.memory().live, 0U);
    EXPECT_EQ(device_.memory().peak, 1520U);
}

TEST_F(DeviceTest, AnAllocationThatFailsIsOutOfMemory) {
    for (const cl_int code : {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES,
                              CL_OUT_OF_HOST_MEMORY, CL_INVALID_BUFFER_SIZE}) {
        device_.inject({.allocation = 1, .code = code});
        const Memory before = device_.new_buffer(64);
        const std::string why = out_of_memory([&] { device_.new_buffer(123456); });
        EXPECT_NE(why.find(device_.name()), std::string::npos) << why;
        EXPECT_NE(why.find("123456 bytes"), std::string::npos) << why;
        EXPECT_NE(why.find(opencl::error_name(code)), std::string::npos) << why;
        EXPECT_EQ(device_.memory().live, 64U);
        device_.new_buffer(123456);  // the next one succeeds
    }
}

TEST_F(DeviceTest, AnAllocationThatTheDriverRefusesIsOutOfMemory) {
    const std::size_t most = device_.handle().getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    out_of_memory([&] { device_.new_buffer(most + (1 << 20)); });
    EXPECT_EQ(device_.memory().live, 0U);
}

TEST_F(DeviceTest, ABudgetBoundsTheLiveBytes) {
    device_.inject({.budget = 1024});  // sizes are rounded up to 16 bytes
    {
        const Memory half = device_.new_buffer(500);
        out_of_memory([&] { device_.new_buffer(513); });
        out_of_memory([&] { device_.new_image(20, 20); });
        device_.new_buffer(500);
    }
    device_.new_buffer(1000);
    out_of_memory([&] { device_.new_buffer(1025); });
}

TEST_F(DeviceTest, TheMemoryOfTheEnvironmentIsABudget) {
    const Environment little("PLENOSR_DEVICE_MEMORY", "1M");
    Device device(first(), {});
    device.new_buffer(1 << 20);
    out_of_memory([&] { device.new_buffer((1 << 20) + 1); });
    EXPECT_GT(device.bandwidth(), 0);  // measured with the memory that is left
}

TEST_F(DeviceTest, ALostDeviceIsReportedWithItsCommand) {
    device_.inject({.launch = 2, .code = CL_DEVICE_NOT_AVAILABLE});  // after two fills
    std::string why = refusal(ErrorKind::device, [&] { launch(device_); });
    EXPECT_NE(why.find(device_.name() + " was lost: running the kernel copy"), std::string::npos);
    EXPECT_NE(why.find("CL_DEVICE_NOT_AVAILABLE"), std::string::npos) << why;

    device_.inject({.wait = 0, .code = CL_OUT_OF_RESOURCES});
    why = refusal(ErrorKind::device, [&] { device_.finish(); });
    EXPECT_NE(why.find("was lost: finishing"), std::string::npos) << why;

    float value = 0;
    const Memory buffer = device_.new_buffer(16);
    device_.inject({.wait = 0, .code = CL_INVALID_COMMAND_QUEUE});
    why = refusal(ErrorKind::device, [&] { device_.read(buffer, &value, sizeof value); });
    EXPECT_NE(why.find("was lost: reading 4 bytes"), std::string::npos) << why;

    device_.inject({});
    launch(device_);
    device_.finish();
}

TEST_F(DeviceTest, AKernelThatDoesNotCompileIsReportedWithItsLog) {
    const std::string why = refusal(
        ErrorKind::device, [&] { device_.kernel("copy", "copy", "-Dquads=no_such_name(("); });
    EXPECT_NE(why.find("copy.cl"), std::string::npos) << why;
    EXPECT_NE(why.find(device_.name()), std::string::npos) << why;
    EXPECT_NE(why.find("error"), std::string::npos) << why;
    EXPECT_NE(why.find("no_such_name"), std::string::npos) << why;
    launch(device_);  // the device still works
}

TEST_F(DeviceTest, AMissingKernelOrFileIsNamed) {
    EXPECT_NE(refusal(ErrorKind::device, [&] { device_.kernel("copy", "paste"); }).find("paste"),
              std::string::npos);
    EXPECT_NE(refusal(ErrorKind::device, [&] { device_.kernel("paste", "copy"); }).find("paste.cl"),
              std::string::npos);
}

TEST_F(DeviceTest, WrongArgumentsAreADeviceError) {
    auto kernel = device_.kernel("copy", "copy");
    const std::string why = refusal(ErrorKind::device, [&] { kernel({}, 1.0F, 2.0F, 3.0F, 4.0F); });
    EXPECT_NE(why.find("CL_INVALID_ARG"), std::string::npos) << why;
}

TEST_F(DeviceTest, GroupsOfAnySizeAreCutDownToWhatTheKernelAllows) {
    const opencl::Grid wide{.width = 1000, .group_width = 128, .any_group_size = true};
    EXPECT_EQ(opencl::allowed_grid(wide, 4096, "k", "d").group_width, 128U);
    EXPECT_EQ(opencl::allowed_grid(wide, 128, "k", "d").group_width, 128U);
    EXPECT_EQ(opencl::allowed_grid(wide, 100, "k", "d").group_width, 64U);
    EXPECT_EQ(opencl::allowed_grid(wide, 1, "k", "d").group_width, 1U);
    const opencl::Grid flat{
        .width = 99, .height = 9, .group_width = 16, .group_height = 8, .any_group_size = true};
    EXPECT_EQ(opencl::allowed_grid(flat, 48, "k", "d").group_width, 16U);
    EXPECT_EQ(opencl::allowed_grid(flat, 48, "k", "d").group_height, 2U);
    device_.inject({.group_size = 3});
    launch(device_);  // with groups of 2
    device_.finish();
}

TEST_F(DeviceTest, AGroupThatIsCompiledInAndTooLargeIsRefusedWithBothSizes) {
    device_.inject({.group_size = 16});
    auto dot = device_.kernel("vector", "dot_product");
    const Memory values = device_.new_buffer(1024);
    const Memory sums = device_.new_buffer(4096);
    const std::string why = refusal(ErrorKind::device, [&] {
        dot(opencl::run_grid(device_.tuning()), values, values, 256, sums);
    });
    EXPECT_NE(why.find(device_.name()), std::string::npos) << why;
    EXPECT_NE(why.find("allows 16 work-items per group for the kernel dot_product, not 128"),
              std::string::npos)
        << why;
}

TEST_F(DeviceTest, TheDriversOwnLimitOfAKernelIsAsked) {
    const std::size_t most = device_.handle().getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    auto copy = device_.kernel("copy", "copy");
    const Memory from = device_.new_buffer(64);
    Memory to = device_.new_buffer(64);
    const std::string why = refusal(
        ErrorKind::device, [&] { copy({.width = 4, .group_width = 2 * most}, from, to, 4); });
    EXPECT_NE(why.find(fmt::format("not {}", 2 * most)), std::string::npos) << why;
    copy({.width = 4, .group_width = 2 * most, .any_group_size = true}, from, to, 4);
    device_.finish();
}

// Without a DeviceSlot per device (device_slot.h), PoCL aborts the process in one of six runs.
TEST_F(DeviceTest, SeveralDevicesRunOneKernelAtTheSameTime) {
    const auto listed = opencl::listed_devices();
    constexpr int devices = 3;
    constexpr int rounds = 40;
    std::vector<int> right(devices, 0);
    std::vector<std::thread> threads;
    for (int k = 0; k < devices; ++k)
        threads.emplace_back([&, k] {
            Device device(listed[std::size_t(k) % listed.size()].handle, {});
            for (int n = 1; n <= rounds; ++n) {
                const auto quads = std::size_t(8000 * n + k);
                const std::vector<float> values(4 * quads, float(n));
                const Memory from = device.new_constants(values.data(), 16 * quads);
                Memory to = device.new_buffer(16 * quads);
                device.kernel("copy", "copy")({.width = quads}, from, to, int(quads));
                std::vector<float> back(values.size());
                device.read(to, back.data(), 16 * quads);
                right[std::size_t(k)] += back == values ? 1 : 0;
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(right, std::vector<int>(devices, rounds));
}

TEST_F(DeviceTest, TheProfileHasLaunchesBytesAndTimes) {
    Device device(first(), {}, true);
    Memory from = device.new_buffer(1 << 20);
    Memory to = device.new_buffer(1 << 20);
    auto copy = device.kernel("copy", "copy");
    constexpr int launches = 3000;  // more than one batch of the profiler
    for (int i = 0; i < launches; ++i)
        copy({.width = 64, .group_width = 64, .bytes = 2048}, from, to, 64);
    const std::size_t peak = device.memory().peak;
    for (int again = 0; again < 2; ++again) {
        const DeviceProfile profile = device.profile();
        EXPECT_EQ(profile.device, device.name());
        ASSERT_EQ(profile.kernels.size(), 2U);  // copy, and fill_zero of the new buffers
        const bool first_is_copy = profile.kernels[0].name == "copy";
        const KernelProfile& entry = profile.kernels[first_is_copy ? 0 : 1];
        EXPECT_EQ(entry.name, "copy");
        EXPECT_EQ(entry.launches, std::size_t(launches));
        EXPECT_EQ(entry.bytes, 2048.0 * launches);
        EXPECT_GT(entry.seconds, 0);
        EXPECT_GE(profile.kernels[0].seconds, profile.kernels[1].seconds);
        EXPECT_GT(profile.bandwidth, 1e8);
        EXPECT_LT(profile.bandwidth, 1e13);
        EXPECT_EQ(device.memory().peak, peak);
    }
    EXPECT_TRUE(device_.profile().kernels.empty());
}

}  // namespace
}  // namespace plenosr::test
