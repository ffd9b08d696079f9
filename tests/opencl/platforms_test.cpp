#include "backends/opencl/platforms.h"

#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "opencl/support.h"

namespace plenosr::test {
namespace {

using opencl::listed_devices;
using opencl::ListedDevice;
using opencl::select_device;

ListedDevice made_up(const std::string& name, DeviceType type, unsigned units, unsigned clock) {
    ListedDevice device;
    device.description.name = name;
    device.description.platform = name + " platform";
    device.description.type = type;
    device.description.compute_units = units;
    device.description.clock_mhz = clock;
    return device;
}

std::vector<ListedDevice> workstation() {
    std::vector<ListedDevice> list = {made_up("Big CPU", DeviceType::cpu, 64, 4000),
                                      made_up("Small GPU", DeviceType::gpu, 8, 1000),
                                      made_up("Large GPU", DeviceType::gpu, 80, 1500),
                                      made_up("Board", DeviceType::accelerator, 100, 3000)};
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i].description.id = "opencl:" + std::to_string(i);
    return list;
}

std::string chosen(const std::vector<ListedDevice>& list, const std::string& request) {
    const ListedDevice* device = select_device(list, request);
    return device != nullptr ? device->description.name : "cpu";
}

TEST(SelectDevice, OpenclIsTheFastestWithGpusFirst) {
    std::vector<ListedDevice> list = workstation();
    EXPECT_EQ(chosen(list, "opencl"), "Large GPU");
    list[2].description.available = false;
    EXPECT_EQ(chosen(list, "opencl"), "Small GPU");
    list[1].description.available = false;
    EXPECT_EQ(chosen(list, "opencl"), "Board");
    list[3].description.available = false;
    EXPECT_EQ(chosen(list, "opencl"), "Big CPU");
}

TEST(SelectDevice, AutoIsTheFastestGpuOrTheNativeEngine) {
    std::vector<ListedDevice> list = workstation();
    EXPECT_EQ(chosen(list, "auto"), "Large GPU");
    EXPECT_EQ(chosen({list[0], list[3]}, "auto"), "cpu");
    EXPECT_EQ(chosen({}, "auto"), "cpu");
    EXPECT_EQ(chosen(list, "cpu"), "cpu");
}

TEST(SelectDevice, AnIndexOrAPartOfTheNameSelectsADevice) {
    const std::vector<ListedDevice> list = workstation();
    EXPECT_EQ(chosen(list, "opencl:0"), "Big CPU");
    EXPECT_EQ(chosen(list, "opencl:3"), "Board");
    EXPECT_EQ(chosen(list, "opencl:lARGE"), "Large GPU");
    EXPECT_EQ(chosen(list, "opencl:board plat"), "Board");
}

TEST(SelectDevice, ARequestThatMatchesNoneOrSeveralIsRefusedWithAList) {
    std::vector<ListedDevice> list = workstation();
    for (const char* request : {"opencl:4", "opencl:gpu", "opencl:nothing"}) {
        const std::string why = refusal(ErrorKind::device, [&] { select_device(list, request); });
        EXPECT_NE(why.find(request), std::string::npos) << why;
        EXPECT_NE(why.find("opencl:2 (Large GPU"), std::string::npos) << why;
    }
    list[0].description.available = false;
    refusal(ErrorKind::device, [&] { select_device(list, "opencl:0"); });
    const std::string none = refusal(ErrorKind::device, [] { select_device({}, "opencl"); });
    EXPECT_NE(none.find("no OpenCL device"), std::string::npos) << none;
}

TEST(SelectDevice, AMalformedRequestIsAnInvalidOption) {
    for (const char* request : {"", "gpu", "opencl:", "OPENCL", "opencl0", "cpu:0"}) {
        const std::string why =
            refusal(ErrorKind::invalid_option, [&] { select_device(workstation(), request); });
        EXPECT_NE(why.find("opencl:INDEX"), std::string::npos) << why;
    }
}

TEST(ListedDevices, TheTwoDevicesOfPoclAreListedInOrderWithTheirLimits) {
    const std::vector<ListedDevice> list = listed_devices();
    ASSERT_EQ(list.size(), 2U) << "pocl-opencl-icd must be installed, and POCL_DEVICES set";
    for (std::size_t i = 0; i < list.size(); ++i) {
        const DeviceDescription& d = list[i].description;
        EXPECT_EQ(d.id, "opencl:" + std::to_string(i));
        EXPECT_EQ(d.type, DeviceType::cpu);
        EXPECT_NE(d.name.find("pthread"), std::string::npos) << d.name;
        EXPECT_EQ(d.platform, "Portable Computing Language");
        EXPECT_GE(d.compute_units, 1U);
        EXPECT_GE(d.work_group_limit, 64U);
        EXPECT_GE(d.local_memory, 32U << 10);
        EXPECT_GE(d.largest_allocation, 128U << 20);
        EXPECT_GE(d.global_memory, d.largest_allocation);
        EXPECT_TRUE(d.images && d.float_images);
        EXPECT_GE(d.image_width, 4096U);
        EXPECT_TRUE(d.available);
        EXPECT_NE(list[i].handle(), nullptr);
    }
    EXPECT_EQ(list[1].handle(), listed_devices()[1].handle());
}

TEST(ListedDevices, TheEnvironmentLimitsTheMemory) {
    const Environment less("PLENOSR_DEVICE_MEMORY", "48M");
    for (const ListedDevice& device : listed_devices()) {
        EXPECT_EQ(device.description.global_memory, 48U << 20);
        EXPECT_EQ(device.description.largest_allocation, 48U << 20);
    }
    for (const char* wrong :
         {"much", "-3", "0", "12X", "K", "99999999999999999999", "20000000000G"}) {
        const Environment bad("PLENOSR_DEVICE_MEMORY", wrong);
        const std::string why =
            refusal(ErrorKind::invalid_option, [] { opencl::pretended_memory(); });
        EXPECT_NE(why.find(wrong), std::string::npos) << why;
    }
}

struct Ended {
    int code = -1;
    std::string out;
};

Ended run(const std::string& before, const std::string& arguments) {
    FILE* pipe = popen((before + " " PLENOSR_PROGRAM " " + arguments).c_str(), "r");
    Ended ended;
    char bytes[4096];
    for (std::size_t n = 0; (n = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
        ended.out.append(bytes, n);
    const int status = pclose(pipe);
    ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ended;
}

TEST(DevicesCommand, TheJsonListsTheNativeEngineAndEveryDevice) {
    const Ended ended = run("", "devices --json -");
    ASSERT_EQ(ended.code, 0);
    const auto json = nlohmann::json::parse(ended.out);
    EXPECT_EQ(json.at("opencl"), true);
    const auto& list = json.at("devices");
    ASSERT_EQ(list.size(), 3U);
    EXPECT_EQ(list[0].at("id"), "cpu");
    EXPECT_EQ(list[0].at("type"), "native");
    EXPECT_EQ(list[2].at("id"), "opencl:1");
    EXPECT_EQ(list[2].at("type"), "cpu");
    EXPECT_EQ(list[2].at("largest_allocation"), listed_devices()[1].description.largest_allocation);
    EXPECT_NE(list[1].at("strategy"), "");
    EXPECT_NE(run("", "devices").out.find("opencl:1"), std::string::npos);
}

TEST(DevicesCommand, WithoutALoaderOrDriversTheNativeEngineIsListed) {
    for (const char* without :
         {"PLENOSR_OPENCL_LIBRARY=/nonexistent/libOpenCL.so", "OCL_ICD_VENDORS=/nonexistent"}) {
        const Ended ended = run(without, "devices --json -");
        ASSERT_EQ(ended.code, 0) << without;
        const auto json = nlohmann::json::parse(ended.out);
        EXPECT_EQ(json.at("devices").size(), 1U);
        EXPECT_EQ(json.at("devices")[0].at("id"), "cpu");
    }
    EXPECT_NE(
        run("PLENOSR_OPENCL_LIBRARY=/nonexistent", "devices").out.find("OpenCL is not installed"),
        std::string::npos);
    EXPECT_NE(run("OCL_ICD_VENDORS=/nonexistent", "devices").out.find("has no device"),
              std::string::npos);
}

}  // namespace
}  // namespace plenosr::test
