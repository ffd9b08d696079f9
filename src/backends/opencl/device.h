#pragma once

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/opencl/cl_api.h"
#include "backends/opencl/device_slot.h"
#include "backends/opencl/errors.h"
#include "backends/opencl/grid.h"
#include "backends/opencl/profiler.h"
#include "backends/opencl/program_cache.h"
#include "backends/opencl/tuning.h"
#include "base/memory_count.h"

namespace plenosr::opencl {

// Bytes of a device's live memory objects, and their peak.
struct MemoryCounter {
    std::size_t live = 0;
    std::size_t peak = 0;
    MemoryCount engine;  // the engine's count, which includes the device's memory
    // Released objects are kept until the device is closed: a simulator that tracks uninitialised
    // values confuses an object with a smaller, earlier one at the same address.
    bool keeps_released = false;
    std::vector<cl::Memory> released;
    void add(std::size_t bytes) {
        live += bytes;
        peak = std::max(peak, live);
        engine.take(bytes);
    }
    void remove(std::size_t bytes) {
        live -= bytes;
        engine.give(bytes);
    }
};

// A memory object that is counted while it lives: a buffer or an Image2D. The owner documents the
// contents. Movable; empty if default-constructed.
class Memory {
public:
    Memory() = default;
    Memory(cl::Memory handle, std::size_t bytes, std::shared_ptr<MemoryCounter> counter);
    Memory(Memory&& other) noexcept { swap(other); }
    Memory& operator=(Memory&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Memory();

    std::size_t bytes() const { return bytes_; }
    cl_mem handle() const { return handle_(); }

private:
    void swap(Memory& other) noexcept {
        std::swap(handle_(), other.handle_());  // the bare handles: nothing to release
        std::swap(bytes_, other.bytes_);
        std::swap(counter_, other.counter_);
    }
    cl::Memory handle_;
    std::size_t bytes_ = 0;
    std::shared_ptr<MemoryCounter> counter_;
};

// Local memory as a kernel's argument.
struct LocalMemory {
    std::size_t bytes = 0;
};

// Faults that tests inject. A count of 0 means the next call, -1 means never.
struct Faults {
    int allocation = -1;
    int launch = -1;
    int wait = -1;                                   // finishing or reading
    cl_int code = CL_MEM_OBJECT_ALLOCATION_FAILURE;  // that the failing call returns
    // Limit of live bytes: allocations beyond it fail with CL_MEM_OBJECT_ALLOCATION_FAILURE.
    std::size_t budget = std::numeric_limits<std::size_t>::max();
    // Limit of work-items per group, of kernels that are made from now on.
    std::size_t group_size = std::numeric_limits<std::size_t>::max();
};

// Programs that were compiled and that were loaded from the cache on disk, and the time of both.
struct BuildCount {
    int compiled = 0;
    int cached = 0;
    double seconds = 0;
};

class Device;

// A kernel that is called like a function: kernel(grid, arguments...). Integers cross as int,
// floats as float; nothing is converted silently.
// The bindings' own moves throw only for handles that are no longer valid.
// NOLINTNEXTLINE(bugprone-exception-escape)
class Kernel {
public:
    Kernel() = default;
    Kernel(Device& device, cl::Kernel kernel, std::string name);

    template <class... Args>
    void operator()(const Grid& grid, const Args&... args) {
        attempt(
            device_name(),
            [&] {
                cl_uint index = 0;
                (set(index++, args), ...);
                enqueue(grid);
            },
            [&] { return "running the kernel " + name_; });
    }

private:
    void set(cl_uint i, const Memory& memory) { set(i, memory.handle()); }
    void set(cl_uint i, cl_mem handle) { kernel_.setArg(i, sizeof(cl_mem), &handle); }
    void set(cl_uint i, int value) { kernel_.setArg(i, cl_int(value)); }
    void set(cl_uint i, float value) { kernel_.setArg(i, cl_float(value)); }
    void set(cl_uint i, std::size_t value) { kernel_.setArg(i, cl_ulong(value)); }
    void set(cl_uint i, LocalMemory local) { kernel_.setArg(i, local.bytes, nullptr); }
    void enqueue(const Grid& grid);
    const std::string& device_name() const;

    Device* device_ = nullptr;
    cl::Kernel kernel_;
    std::string name_;
    std::size_t group_limit_ = 0;  // work-items per group that the device allows for this kernel
};

// One OpenCL device: its context, its one in-order queue, its programs and its memory. Used by one
// thread at a time. Kernels keep its address. Errors of OpenCL are thrown as OutOfMemory or as
// Error(device), see errors.h.
class Device {
public:
    Device(cl::Device device, Tuning tuning, bool profiling = false);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    ~Device();  // waits for launched commands

    const Tuning& tuning() const { return tuning_; }
    const cl::Device& handle() const { return device_; }
    const std::string& name() const { return name_; }
    const MemoryCounter& memory() const { return *counter_; }
    void restart_peak() { counter_->peak = counter_->live; }
    void count_into(const MemoryCount& engine) { counter_->engine = engine; }  // before any memory
    const BuildCount& builds() const { return builds_; }
    void inject(const Faults& faults) { faults_ = faults; }
    const Faults& faults() const { return faults_; }
    // Called with true before a program is compiled, for which the cache has no binary, and with
    // false afterwards.
    void on_compile(std::function<void(bool begins)> callback) {
        on_compile_ = std::move(callback);
    }
    void keep_released_memory() { counter_->keeps_released = true; }

    // Bytes per second, read and written, of the copy kernel: measured on the first call.
    double bandwidth();
    DeviceProfile profile();  // without profiling only the device's name and the build time

    Memory new_buffer(std::size_t bytes);                         // zeros
    Memory new_image(int width, int height);                      // zeros; one float per pixel
    Memory new_constants(const void* values, std::size_t bytes);  // read-only, filled
    void fill_zero(Memory& buffer);

    // The compiled kernel `name` of src/kernels/FILE.cl, with `defines` beside those of the tuning.
    Kernel kernel(const std::string& file, const std::string& name,
                  const std::string& defines = "");

    void write(Memory& to, const void* values, std::size_t bytes, std::size_t offset = 0);
    void read(const Memory& from, void* values, std::size_t bytes, std::size_t offset = 0);
    // rows of `width` floats, tight on the host, `stride` floats apart on the device
    void write_rows(Memory& to, const float* values, int width, int height, int stride,
                    std::size_t offset = 0);
    void read_rows(const Memory& from, float* values, int width, int height, int stride,
                   std::size_t offset = 0);
    void copy(const Memory& from, Memory& to, std::size_t bytes);
    void copy_within(Memory& memory, std::size_t from, std::size_t to, std::size_t bytes);
    void copy_to_image(const Memory& buffer, std::size_t offset, Memory& image, int width,
                       int height);
    void finish();

private:
    void copy_quads(const Memory& from, std::size_t from_byte, Memory& to, std::size_t to_byte,
                    std::size_t bytes);
    Kernel& copy_kernel(const std::string& name);  // of copy.cl, made once
    friend class Kernel;
    const cl::Program& program(const std::string& file, const std::string& defines);
    cl::Program build(const std::string& file, const std::string& options);
    Memory counted(std::size_t bytes, const char* what, auto&& make);
    void transfer(const char* what, std::size_t bytes, Stage stage, auto&& call);
    void fail_wait_if_injected();
    double measure_bandwidth();

    DeviceSlot slot_;
    cl::Device device_;
    std::string name_;
    Tuning tuning_;
    cl::Context context_;
    cl::CommandQueue queue_;
    ProgramCache cache_;
    std::map<std::string, cl::Program> programs_;
    std::map<std::string, Kernel> copy_kernels_;
    BuildCount builds_;
    std::function<void(bool)> on_compile_;
    Profiler profiler_;
    Faults faults_;
    double bandwidth_ = 0;
    std::shared_ptr<MemoryCounter> counter_ = std::make_shared<MemoryCounter>();
};

// Source text of src/kernels/FILE, embedded at build time; empty if there is no such file.
const char* kernel_source(const std::string& file);

}  // namespace plenosr::opencl
