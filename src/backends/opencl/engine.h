#pragma once

#include <memory>

#include "backends/opencl/device.h"
#include "backends/opencl/platforms.h"
#include "engine/engine.h"

namespace plenosr::opencl {

struct EngineOptions {
    std::optional<Strategy> strategy;  // not set: what the device's tuning says
    bool profile = false;
};

// One OpenCL device behind the pipeline's interface.
class OpenclEngine final : public Engine {
public:
    OpenclEngine(const ListedDevice& device, const EngineOptions& options);

    std::string name() const override;
    std::vector<ViewGeometry> geometry(const GeometryDesc& desc, const Progress& progress) override;
    Image enlarge_bicubic(const Image& low, int scale) override;
    MedianImage median_of_views(const std::vector<Image>& views,
                                const std::vector<ViewGeometry>& geometry, const Image& disparity,
                                const Image& enlarged_reference, int scale) override;
    Solution solve(const Problem& problem, const Image& start, Solver solver,
                   const SolveOptions& options, const Monitor& monitor) override;
    Match match(const MatchDesc& desc, const Progress& progress) override;

    EngineMemory memory_for(const ProblemShape& shape) const override;
    std::size_t memory_for(const MatchShape& shape) const override;
    std::size_t memory_available() const override;
    std::size_t largest_allocation() const override;
    std::size_t device_memory_peak() const override { return device_->memory().peak; }
    std::vector<std::string> notes() const override { return notes_; }
    std::optional<DeviceProfile> profile() override;

    Device& device() { return *device_; }

private:
    void start_device();
    // A device that is the host's CPU has nothing to gain from the kernels: the native denoisers
    // run on the same cores, several times faster.
    bool denoises_on_host() const { return description_.type == DeviceType::cpu; }
    // Padded images of this size may be more than the strategy can do on this device: then buffers
    // are used, and a note says so.
    void make_usable(const Problem& problem);

    DeviceDescription description_;
    cl::Device handle_;
    Tuning tuning_;
    bool profile_;
    std::unique_ptr<Device> device_;
    std::vector<std::string> notes_;
};

}  // namespace plenosr::opencl
