#pragma once

#include "backends/opencl/sampler.h"
#include "engine/engine.h"
#include "problem/periodic_normal.h"

namespace plenosr::opencl {

// N = P' diag(m) P of shifted frames (problem/periodic_normal.h, src/kernels/periodic.cl). Along
// the border it is applied sample by sample.
class Periodic {
public:
    // `cells` holds all samples of the problem, in the order of the weights m.
    Periodic(Device& device, const PeriodicNormal& normal, PaddedShape padded,
             Interpolation interpolation, const CellTable& cells);

    // An upper bound: the number of samples along the border depends on the shifts.
    static MemoryPlan memory(const Tuning& tuning, const PaddedShape& padded,
                             const ProblemShape& s);

    void set_weights(const std::vector<float>& m);
    void apply(const PaddedImage& s, PaddedImage& t);  // t <- N s

private:
    Device& device_;
    PaddedShape padded_;
    int period_;
    int length_;  // of a pattern
    Box interior_;
    Memory starts_;
    Memory taps_;
    Memory patterns_;
    std::vector<std::uint32_t> of_border_;  // indices of the samples along the border
    std::unique_ptr<Sampler> border_;
    Memory weights_;
    Kernel apply_;
};

}  // namespace plenosr::opencl
