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
#include "plenosr/profile.h"
#include "problem/geometry.h"
#include "problem/pilot.h"
#include "problem/problem.h"
#include "solver/solve.h"

namespace plenosr {

// The sizes of a tile's problem, from which its memory follows before anything is allocated.
struct ProblemShape {
    int width = 0;  // of the tile, high resolution
    int height = 0;
    int channels = 1;
    int scale = 2;
    std::size_t views = 0;
    int low_width = 0;  // of every view's crop
    int low_height = 0;
    int disparity_width = 0;  // of the reference's map around the tile, high resolution
    int disparity_height = 0;
    int blur_radius = 0;
    std::size_t psf_values = 0;  // of all PSFs of a grid together; 0: one PSF
    Interpolation interpolation = Interpolation::bicubic;
    OperatorForm form = OperatorForm::sampling;
    NormalForm normal = NormalForm::automatic;
    std::size_t directions = 0;
    bool adaptive = false;          // weights e
    std::size_t weight_planes = 1;  // of e: one for all directions, or one for each
    Solver solver = Solver::admm;
    bool splits_data = true;      // the data term has a split variable of its own: no likelihood
    bool varying_noise = false;   // the operator has weights of its own: poisson_gauss
    bool keeps_previous = false;  // a tolerance is given
    bool denoises = false;        // a denoiser may follow
    // Floats per sample that say where it lies: 1 disparity, 2 displacement, 0 only shifted.
    std::size_t position_floats = 1;

    std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
    std::size_t low_pixels() const { return std::size_t(low_width) * std::size_t(low_height); }
    std::size_t samples() const { return views * low_pixels(); }  // at most
};

// What an engine takes in each of its calls for one tile, beside their arguments and results, on
// the device and in host memory together. Bytes, at the peak.
struct EngineMemory {
    std::size_t geometry = 0;
    std::size_t pilot = 0;  // enlarge_bicubic, median_of_views
    std::size_t solve = 0;
    std::size_t largest = 0;  // single allocation
};

struct Solution {
    Image image;    // where the solver diverged: the start
    Image weights;  // of the prior at that image, if they were asked for
    SolveSummary summary;
    std::size_t samples = 0;         // that took part, per channel
    std::size_t operator_bytes = 0;  // memory of the operators
};

// What the pipeline asks of one device. Everything crosses as plain data in host memory: it goes up
// with the call and comes down with the result, and nothing stays behind. An engine serves one
// thread at a time. Calls throw OutOfMemory or std::bad_alloc where memory does not suffice.
class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;  // "cpu (2 threads, AVX2)"; equal names: equal bits

    // Where the views of a tile look, and what they see there; Cancelled if `progress` says so.
    virtual std::vector<ViewGeometry> geometry(const GeometryDesc& desc,
                                               const Progress& progress) = 0;
    // Registered to the decimation: low-resolution pixel i lies on coordinate scale i.
    virtual Image enlarge_bicubic(const Image& low, int scale) = 0;
    // The pilot; views, geometry as in geometry(), disparity and enlarged reference of the tile.
    virtual MedianImage median_of_views(const std::vector<Image>& views,
                                        const std::vector<ViewGeometry>& geometry,
                                        const Image& disparity, const Image& enlarged_reference,
                                        int scale) = 0;
    virtual Solution solve(const Problem& problem, const Image& start, Solver solver,
                           const SolveOptions& options, const Monitor& monitor) = 0;

    // Disparity of the reference by matching the views; Cancelled if `progress` says so.
    virtual Match match(const MatchDesc& desc, const Progress& progress) = 0;

    // Work on the host that is none of the engine's own, with as many threads as it has.
    virtual void run(const std::function<void()>& work) { work(); }

    // The progress callback that is told of {"compiling kernels", programs compiled so far} before
    // kernels are compiled that no cache has. It is called by the thread that uses the engine, so
    // it is for jobs with one engine; with several, the job's own thread may ask compiling().
    virtual void report_compiling(const Progress& progress) { (void)progress; }
    virtual bool compiling() const { return false; }

    virtual EngineMemory memory_for(const ProblemShape& shape) const = 0;
    // Bytes that match() takes beside its arguments and result, at the peak.
    virtual std::size_t memory_for(const MatchShape& shape) const = 0;
    virtual std::size_t memory_available() const = 0;    // that the device has
    virtual std::size_t largest_allocation() const = 0;  // that the device allows

    // Of that, bytes of the device's own memory objects, at the peak; 0 for the native engine.
    virtual std::size_t device_memory_peak() const { return 0; }
    // What a user should know: fallbacks, in whole sentences.
    virtual std::vector<std::string> notes() const { return {}; }
    // Times of the kernels, where the engine keeps them.
    virtual std::optional<DeviceProfile> profile() { return std::nullopt; }

    // Bytes in use for this engine's tiles: its own, and those of the pipeline that feeds it.
    MemoryCount& memory() { return memory_; }
    const MemoryCount& memory() const { return memory_; }

private:
    MemoryCount memory_;
};

using Engines = std::vector<std::unique_ptr<Engine>>;

}  // namespace plenosr
