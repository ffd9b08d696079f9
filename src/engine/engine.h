#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_count.h"
#include "base/out_of_memory.h"
#include "disparity/matching.h"
#include "engine/problem_shape.h"
#include "plenosr/profile.h"
#include "problem/geometry.h"
#include "problem/pilot.h"
#include "problem/problem.h"
#include "solver/solve.h"

namespace plenosr {

// Peak memory of an engine's calls for one tile, in bytes: on the device and on the host together,
// without their arguments and results.
struct EngineMemory {
    std::size_t geometry = 0;
    std::size_t pilot = 0;  // enlarge_bicubic, median_of_views
    std::size_t solve = 0;
    std::size_t largest = 0;  // largest single allocation
};

struct Solution {
    Image image;    // the start, if the solver diverged
    Image weights;  // of the prior at that image, if SolveOptions::weights is set
    SolveSummary summary;
    std::size_t samples = 0;         // with a positive weight, per channel
    std::size_t operator_bytes = 0;  // memory of the operators
};

// The pipeline's interface to one device. Arguments and results are plain data in host memory; an
// engine keeps nothing between calls and serves one thread at a time. Calls throw OutOfMemory or
// std::bad_alloc if memory does not suffice.
class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;  // "cpu (2 threads, AVX2)"; equal names: equal bits

    // Where the views of a tile sample the reference, and what is visible there. Throws Cancelled
    // if `progress` returns false.
    virtual std::vector<ViewGeometry> geometry(const GeometryDesc& desc,
                                               const Progress& progress) = 0;
    // Low-resolution pixel i lies on the high-resolution coordinate scale i + phase.
    virtual Image enlarge_bicubic(const Image& low, const SamplingGrid& sampling) = 0;
    // The pilot image, from the views, their geometry(), and the tile's disparity and enlarged
    // reference.
    virtual MedianImage median_of_views(const std::vector<Image>& views,
                                        const std::vector<ViewGeometry>& geometry,
                                        const Image& disparity, const Image& enlarged_reference,
                                        const SamplingGrid& sampling) = 0;
    virtual Solution solve(const Problem& problem, const Image& start, Solver solver,
                           const SolveOptions& options, const Monitor& monitor) = 0;

    // Disparity of the reference by matching the views. Throws Cancelled if `progress` returns
    // false.
    virtual Match match(const MatchDesc& desc, const Progress& progress) = 0;

    // Runs host work of the pipeline with the engine's number of threads.
    virtual void run(const std::function<void()>& work) { work(); }

    // The progress callback that gets {"compiling kernels", programs compiled so far} before
    // kernels are compiled that no cache has. It is called by the thread that uses the engine, so
    // it is for jobs with one engine; with several, the job's own thread may ask compiling().
    virtual void report_compiling(const Progress& progress) { (void)progress; }
    virtual bool compiling() const { return false; }

    virtual EngineMemory memory_for(const ProblemShape& shape) const = 0;
    // Bytes that match() takes beside its arguments and result, at the peak.
    virtual std::size_t memory_for(const MatchShape& shape) const = 0;
    // Bytes that the device has; the largest number if only the memory of the process limits it.
    virtual std::size_t memory_available() const = 0;
    // Whether it works in memory of this process, which all such engines share.
    virtual bool in_process_memory() const { return true; }
    virtual std::size_t largest_allocation() const = 0;  // bytes that the device allows at once

    // Peak bytes of the device's own memory objects; 0 for the native engine.
    virtual std::size_t device_memory_peak() const { return 0; }
    // Messages for the user, such as fallbacks, in whole sentences.
    virtual std::vector<std::string> notes() const { return {}; }
    // Times of the kernels, if the engine records them.
    virtual std::optional<DeviceProfile> profile() { return std::nullopt; }

    // Bytes in use for this engine's tiles: its own, and those of the pipeline that feeds it.
    MemoryCount& memory() { return memory_; }
    // Peaks begin again at what is in use: the engine serves another call.
    virtual void restart_peaks() { memory_.restart_peak(); }
    const MemoryCount& memory() const { return memory_; }

private:
    MemoryCount memory_;
};

using Engines = std::vector<std::shared_ptr<Engine>>;

}  // namespace plenosr
