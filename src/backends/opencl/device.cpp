#include "backends/opencl/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "backends/opencl/memory_plan.h"
#include "backends/opencl/platforms.h"
#include "base/out_of_memory.h"
#include "plenosr/error.h"

namespace plenosr::opencl {
namespace {

// Counts down to an injected fault: true for the call that is to fail.
bool is_injected(int& count) {
    return count >= 0 && count-- == 0;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string name_of(const cl::Device& device) {
    return attempt(
        "the device", [&] { return device.getInfo<CL_DEVICE_NAME>(); },
        [] { return "asking for its name"; });
}

template <class Make>
auto create(const std::string& device, Make make) {
    return attempt(device, make, [] { return "opening it"; });
}

}  // namespace

Memory::Memory(cl::Memory handle, std::size_t bytes, std::shared_ptr<MemoryCounter> counter)
    : handle_(std::move(handle)), bytes_(bytes), counter_(std::move(counter)) {
    counter_->add(bytes_);
}

Memory::~Memory() {
    if (!counter_) return;
    counter_->remove(bytes_);
    if (counter_->keeps_released) counter_->released.push_back(std::move(handle_));
}

namespace {

// Work-items per group that the kernel allows. A size that the kernel itself requires is allowed,
// since it was compiled for it: rusticl reports 32 for kernels that require, and run with, 64.
std::size_t group_limit(const cl::Kernel& kernel, const cl::Device& device) {
    const std::size_t limit = kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
    const auto required = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
    return std::max(limit, required[0] * required[1] * required[2]);
}

}  // namespace

Kernel::Kernel(Device& device, cl::Kernel kernel, std::string name)
    : device_(&device),
      kernel_(std::move(kernel)),
      name_(std::move(name)),
      group_limit_(std::min(group_limit(kernel_, device.device_), device.faults_.group_size)) {}

const std::string& Kernel::device_name() const {
    return device_->name();
}

void Kernel::enqueue(const Grid& wanted) {
    const Grid g = allowed_grid(wanted, group_limit_, name_, device_->name());
    if (is_injected(device_->faults_.launch)) throw cl::Error(device_->faults_.code, "injected");
    const auto up = [](std::size_t n, std::size_t group) {
        return (n + group - 1) / group * group;
    };
    const std::size_t global[3] = {up(g.width, g.group_width), up(g.height, g.group_height),
                                   g.depth};
    const std::size_t local[3] = {g.group_width, g.group_height, 1};
    check(clEnqueueNDRangeKernel(device_->queue_(), kernel_(), 3, nullptr, global, local, 0,
                                 nullptr, device_->profiler_.next(name_, g.bytes)),
          "clEnqueueNDRangeKernel");
}

Device::Device(cl::Device device, Tuning tuning, bool profiling)
    : device_(std::move(device)),
      name_(name_of(device_)),
      tuning_(tuning),
      context_(create(name_, [&] { return cl::Context(device_); })),
      queue_(create(name_,
                    [&] {
                        return cl::CommandQueue(context_, device_,
                                                profiling ? CL_QUEUE_PROFILING_ENABLE : 0);
                    })),
      cache_(create(name_, [&] { return ProgramCache(device_); })),
      profiler_(profiling) {
    faults_.budget = std::size_t(
        std::min<std::uint64_t>(pretended_memory(), std::numeric_limits<std::size_t>::max()));
}

Device::~Device() {
    clFinish(queue_());
}

Memory Device::counted(std::size_t bytes, const char* what, auto&& make) {
    return attempt(
        name_,
        [&]() -> Memory {
            if (is_injected(faults_.allocation)) throw cl::Error(faults_.code, "injected");
            if (bytes > faults_.budget || counter_->live > faults_.budget - bytes)
                throw cl::Error(CL_MEM_OBJECT_ALLOCATION_FAILURE, "budget");
            return {make(), bytes, counter_};
        },
        [&] {
            return fmt::format("allocating {} of {} bytes beside {} in use", what, bytes,
                               counter_->live);
        });
}

Memory Device::new_buffer(std::size_t bytes) {
    const std::size_t size = buffer_bytes(bytes);
    Memory memory =
        counted(size, "a buffer", [&] { return cl::Buffer(context_, CL_MEM_READ_WRITE, size); });
    fill_zero(memory);
    return memory;
}

Memory Device::new_image(int width, int height) {
    const std::size_t bytes = std::size_t(width) * std::size_t(height) * sizeof(float);
    Memory memory = counted(bytes, "an image", [&] {
        return cl::Image2D(context_, CL_MEM_READ_WRITE, cl::ImageFormat(CL_R, CL_FLOAT),
                           std::size_t(width), std::size_t(height));
    });
    copy_kernel("clear_image")(value_grid_2d(tuning_, width, height, bytes), memory, width, height);
    return memory;
}

Memory Device::new_constants(const void* values, std::size_t bytes) {
    Memory memory = new_buffer(bytes);
    write(memory, values, bytes);
    return memory;
}

cl::Program Device::build(const std::string& file, const std::string& options) {
    const std::string body = kernel_source(file + ".cl");
    if (body.empty())
        throw Error(ErrorKind::device, fmt::format("there is no kernel file {}.cl", file));
    const std::string source =
        fmt::format("#line 1 \"pixel.h\"\n{}\n#line 1 \"access.h\"\n{}\n#line 1 \"{}.cl\"\n{}",
                    kernel_source("pixel.h"), kernel_source("access.h"), file, body);
    const std::string key = cache_.key(source, options);
    if (auto cached = cache_.load(context_, key)) {
        ++builds_.cached;
        return *cached;
    }
    if (on_compile_) on_compile_(true);
    cl::Program program(context_, source);
    try {
        program.build({device_}, options.c_str());
    } catch (const cl::Error& error) {
        if (error.err() != CL_BUILD_PROGRAM_FAILURE) throw;
        throw Error(
            ErrorKind::device,
            fmt::format("the kernels of {}.cl do not compile on {} with {}:\n{}", file, name_,
                        options, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device_)));
    }
    ++builds_.compiled;
    if (on_compile_) on_compile_(false);
    cache_.store(program, key);
    return program;
}

const cl::Program& Device::program(const std::string& file, const std::string& defines) {
    std::string options = fmt::format("-cl-std=CL1.2 -w -DVECTOR={} -DGROUP={} -DGROUPS={} {}",
                                      tuning_.vector, tuning_.group, tuning_.groups, defines);
    if (tuning_.strategy == Strategy::image) options += " -DSTRATEGY_IMAGE";
    if (tuning_.strategy == Strategy::local) options += " -DSTRATEGY_LOCAL";
    if (slot_.number() > 0) options += fmt::format(" -DDEVICE_SLOT={}", slot_.number());
    const std::string id = file + " " + options;
    if (const auto known = programs_.find(id); known != programs_.end()) return known->second;
    const auto start = std::chrono::steady_clock::now();
    cl::Program built = build(file, options);
    builds_.seconds += seconds_since(start);
    return programs_.emplace(id, std::move(built)).first->second;
}

Kernel Device::kernel(const std::string& file, const std::string& name,
                      const std::string& defines) {
    return attempt(
        name_,
        [&] { return Kernel(*this, cl::Kernel(program(file, defines), name.c_str()), name); },
        [&] { return fmt::format("making the kernel {} of {}.cl", name, file); });
}

void Device::fail_wait_if_injected() {
    if (is_injected(faults_.wait)) throw cl::Error(faults_.code, "injected");
}

void Device::finish() {
    attempt(
        name_,
        [&] {
            fail_wait_if_injected();
            queue_.finish();
        },
        [] { return "finishing its work"; }, Stage::waiting);
}

// The measurement is not part of the job: counts and profile are restored afterwards.
double Device::bandwidth() {
    if (bandwidth_ > 0) return bandwidth_;
    const std::size_t peak = counter_->peak;
    const BuildCount builds = builds_;
    Profiler profiler(false);
    std::swap(profiler, profiler_);
    try {
        bandwidth_ = measure_bandwidth();
    } catch (const OutOfMemory&) {
        bandwidth_ = 0;  // no memory left for the measurement: the profile shows none
    }
    std::swap(profiler, profiler_);
    builds_ = builds;
    counter_->peak = peak;
    return bandwidth_;
}

// The best of several copies between two buffers.
double Device::measure_bandwidth() {
    constexpr std::size_t wanted = 64 << 20;  // bytes: larger than caches, by reasoning
    constexpr int repetitions = 5;
    const std::size_t room = std::min<std::size_t>(
        faults_.budget - std::min(faults_.budget, counter_->live),
        attempt(
            name_, [&] { return device_.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>(); },
            [] { return "asking for its limits"; }));
    const std::size_t quads = std::max<std::size_t>(std::min(wanted, room / 4) / 16, 1);
    Memory from = new_buffer(quads * 16);
    Memory to = new_buffer(quads * 16);
    Kernel copy_all = kernel("copy", "copy");
    double best = 0;
    for (int i = 0; i <= repetitions; ++i) {  // the first is a warm-up
        finish();
        const auto start = std::chrono::steady_clock::now();
        copy_all(value_grid(tuning_, quads, 32 * quads), from, to, int(quads));
        finish();
        if (i > 0) best = std::max(best, 32.0 * double(quads) / seconds_since(start));
    }
    return best;
}

DeviceProfile Device::profile() {
    DeviceProfile profile;
    profile.device = name_;
    profile.build_seconds = builds_.seconds;
    if (!profiler_.on()) return profile;
    profile.kernels = attempt(
        name_, [&] { return profiler_.kernels(); }, [] { return "reading its clock"; },
        Stage::waiting);
    profile.bandwidth = bandwidth();
    return profile;
}

}  // namespace plenosr::opencl
