#pragma once

#include <tbb/task_arena.h>

#include <atomic>
#include <memory>

#include "backends/opencl/device.h"
#include "backends/opencl/platforms.h"
#include "engine/engine.h"

namespace plenosr::opencl {

struct EngineOptions {
    std::optional<Strategy> strategy;  // not set: that of the device's tuning
    bool profile = false;
    int threads = 0;  // of work on the host; 0: one per core
};

// The pipeline's interface to one OpenCL device.
class OpenclEngine final : public Engine {
public:
    OpenclEngine(const ListedDevice& device, const EngineOptions& options);

    std::string name() const override;
    std::vector<ViewGeometry> geometry(const GeometryDesc& desc, const Progress& progress) override;
    Image enlarge_bicubic(const Image& low, const SamplingGrid& sampling) override;
    MedianImage median_of_views(const std::vector<Image>& views,
                                const std::vector<ViewGeometry>& geometry, const Image& disparity,
                                const Image& enlarged_reference,
                                const SamplingGrid& sampling) override;
    Solution solve(const Problem& problem, const Image& start, Solver solver,
                   const SolveOptions& options, const Monitor& monitor) override;
    Match match(const MatchDesc& desc, const Progress& progress) override;

    void run(const std::function<void()>& work) override { arena_.execute(work); }
    void report_compiling(const Progress& progress) override { compile_progress_ = progress; }
    bool compiling() const override { return compiling_; }

    EngineMemory memory_for(const ProblemShape& shape) const override;
    std::size_t memory_for(const MatchShape& shape) const override;
    std::size_t memory_available() const override;
    std::size_t largest_allocation() const override;
    bool in_process_memory() const override { return description_.type == DeviceType::cpu; }
    void restart_peaks() override {
        Engine::restart_peaks();
        device_->restart_peak();
    }
    std::size_t device_memory_peak() const override { return device_->memory().peak; }
    std::vector<std::string> notes() const override { return notes_; }
    std::optional<DeviceProfile> profile() override;

    Device& device() { return *device_; }

private:
    void open_device();
    // body() with the engine's threads. If a kernel allows fewer work-items per group than the
    // tuning has, the tuning is cut down, a note says so, and body() is run again.
    template <class Body>
    auto on_device(const Body& body);
    void use_smaller_groups(const GroupTooLarge& refusal);
    void report_compiler(bool begins);
    // On a device that is the host's CPU, the native denoisers run on the same cores several times
    // faster than the kernels.
    bool denoises_on_host() const { return description_.type == DeviceType::cpu; }
    int host_threads() const { return arena_.max_concurrency(); }
    // Falls back to buffers, with a note, if the device cannot run the strategy on padded images of
    // this size.
    void make_usable(const Problem& problem);
    Solution solve_on_device(const Problem& problem, const Image& start, Solver solver,
                             const SolveOptions& options, const Monitor& monitor);

    DeviceDescription description_;
    cl::Device handle_;
    Tuning tuning_;
    bool profile_;
    tbb::task_arena arena_;
    Progress compile_progress_;
    std::atomic<bool> compiling_{false};
    std::unique_ptr<Device> device_;
    std::vector<std::string> notes_;
};

}  // namespace plenosr::opencl
