#pragma once

#include <limits>

#include "backends/cpu/parallel.h"
#include "engine/engine.h"

namespace plenosr::cpu {

// The native CPU engine.
class CpuEngine final : public Engine {
public:
    explicit CpuEngine(int threads);  // 0: one per core

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

    void run(const std::function<void()>& work) override { parallel_.run(work); }
    EngineMemory memory_for(const ProblemShape& shape) const override;
    std::size_t memory_for(const MatchShape& shape) const override;
    std::size_t memory_available() const override {
        return std::numeric_limits<std::size_t>::max();
    }
    std::size_t largest_allocation() const override { return memory_available(); }

private:
    std::size_t denoiser_bytes(int width, int height, int channels) const;

    Parallel parallel_;
};

}  // namespace plenosr::cpu
