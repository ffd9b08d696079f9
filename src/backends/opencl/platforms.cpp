#include "backends/opencl/platforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>

#include "base/byte_count.h"
#include "options/device_names.h"
#include "plenosr/error.h"

namespace plenosr::opencl {
namespace {

DeviceType type_of(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceType::gpu;
    if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return DeviceType::accelerator;
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? DeviceType::cpu : DeviceType::other;
}

// Images of one float per pixel that can be read and written, as the image strategy needs.
bool float_images_supported(const cl::Device& device) {
    const cl::Context context(device);
    std::vector<cl::ImageFormat> formats;
    context.getSupportedImageFormats(CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, &formats);
    return std::any_of(formats.begin(), formats.end(), [](const cl::ImageFormat& format) {
        return format.image_channel_order == CL_R && format.image_channel_data_type == CL_FLOAT;
    });
}

bool has_word(const std::string& words, const std::string& word) {
    return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

DeviceDescription describe(const cl::Platform& platform, const cl::Device& device) {
    DeviceDescription d;
    d.type = type_of(device.getInfo<CL_DEVICE_TYPE>());
    d.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
    d.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
    d.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
    d.platform_version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
    d.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
    d.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
    d.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
    d.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
    const std::uint64_t most = pretended_memory();
    d.global_memory = std::min<std::uint64_t>(device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>(), most);
    d.largest_allocation =
        std::min<std::uint64_t>(device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(), most);
    d.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
    d.work_group_limit = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
    d.images = device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() != 0;
    if (d.images) {
        d.image_width = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
        d.image_height = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
        d.float_images = float_images_supported(device);
    }
    const std::string extensions = device.getInfo<CL_DEVICE_EXTENSIONS>();
    d.fp64 = has_word(extensions, "cl_khr_fp64");
    d.half = has_word(extensions, "cl_khr_fp16");
    d.vector_width = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>();
    d.available = device.getInfo<CL_DEVICE_AVAILABLE>() != 0 &&
                  device.getInfo<CL_DEVICE_COMPILER_AVAILABLE>() != 0;
    return d;
}

void append_devices(const cl::Platform& platform, std::vector<ListedDevice>& list) {
    std::vector<cl::Device> devices;
    try {
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    } catch (const cl::Error&) {
        return;  // usually CL_DEVICE_NOT_FOUND: a driver without its hardware
    }
    for (const cl::Device& device : devices) {
        try {
            list.push_back({describe(platform, device), device});
        } catch (const cl::Error&) {
            continue;  // a device that cannot be described cannot be used
        }
    }
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::string inventory(const std::vector<ListedDevice>& devices) {
    std::string text = "cpu";
    for (const auto& [d, handle] : devices)
        text += fmt::format(", {} ({}, {}{})", d.id, d.name, d.platform,
                            d.available ? "" : ", not available");
    return text;
}

[[noreturn]] void refuse_device(const std::vector<ListedDevice>& devices,
                                const std::string& request, const std::string& why) {
    const std::string advice = devices.empty() ? "there is no OpenCL device, only cpu"
                                               : "there are: " + inventory(devices);
    throw Error(ErrorKind::device, fmt::format("device = {} {}; {}", request, why, advice));
}

// GPU before accelerator before CPU, then by compute units x clock; the first of equals.
const ListedDevice* fastest(const std::vector<ListedDevice>& devices) {
    const auto slower = [](const ListedDevice* a, const ListedDevice* b) {
        const auto speed = [](const DeviceDescription& d) {
            return std::pair(-int(d.type), std::uint64_t(d.compute_units) * d.clock_mhz);
        };
        return a == nullptr || speed(a->description) < speed(b->description);
    };
    const ListedDevice* best = nullptr;
    for (const ListedDevice& device : devices)
        if (device.description.available && slower(best, &device)) best = &device;
    return best;
}

std::optional<std::size_t> parse_index(const std::string& text) {
    std::size_t index = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, index);
    if (error == std::errc() && stop == end) return index;
    return std::nullopt;
}

const std::string prefix = opencl_prefix;

}  // namespace

std::vector<ListedDevice> listed_devices() {
    std::vector<cl::Platform> platforms;
    try {
        cl::Platform::get(&platforms);
    } catch (const cl::Error&) {
        return {};  // no loader, or no platform
    }
    std::vector<std::pair<std::string, cl::Platform>> named;
    for (const cl::Platform& platform : platforms) {
        try {
            named.emplace_back(platform.getInfo<CL_PLATFORM_NAME>(), platform);
        } catch (const cl::Error&) {
            continue;
        }
    }
    std::stable_sort(named.begin(), named.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<ListedDevice> list;
    for (const auto& [name, platform] : named)
        append_devices(platform, list);
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i].description.id = fmt::format("{}{}", prefix, i);
    return list;
}

const ListedDevice* select_device(const std::vector<ListedDevice>& devices,
                                  const std::string& request) {
    check_device_name(request);
    if (request == "cpu") return nullptr;
    if (request == "auto" || request == "opencl") {
        const ListedDevice* best = fastest(devices);
        if (request == "auto")
            return best != nullptr && best->description.type == DeviceType::gpu ? best : nullptr;
        if (best == nullptr) refuse_device(devices, request, "found no available device");
        return best;
    }
    const std::string wanted = request.substr(prefix.size());
    if (const auto index = parse_index(wanted)) {
        if (*index >= devices.size()) refuse_device(devices, request, "does not exist");
        if (!devices[*index].description.available)
            refuse_device(devices, request, "is not available");
        return &devices[*index];
    }
    const ListedDevice* found = nullptr;
    for (const ListedDevice& device : devices) {
        const DeviceDescription& d = device.description;
        if (!d.available ||
            lower(d.name + "\n" + d.platform).find(lower(wanted)) == std::string::npos)
            continue;
        if (found != nullptr) refuse_device(devices, request, "matches more than one device");
        found = &device;
    }
    if (found == nullptr) refuse_device(devices, request, "matches no device's name");
    return found;
}

std::uint64_t pretended_memory() {
    const char* text = std::getenv("PLENOSR_DEVICE_MEMORY");
    if (text == nullptr || *text == '\0') return std::numeric_limits<std::uint64_t>::max();
    return parse_bytes("PLENOSR_DEVICE_MEMORY", text);
}

}  // namespace plenosr::opencl
