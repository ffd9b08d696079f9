#pragma once

#include <vector>

#include "backends/opencl/scalars.h"
#include "problem/prior.h"
#include "solver/backend.h"

namespace plenosr::opencl {

// Defines that describe the directions to the kernels.
std::string direction_defines(const std::vector<Direction>& directions);

// Directional differences S: image -> field, and the solvers' steps on them
// (src/kernels/differences.cl). A field is (channel, direction, y, x).
class Differences {
public:
    // `directional`: the weights e have one plane per direction, otherwise one for all.
    Differences(Device& device, PlaneShape shape, int channels,
                const std::vector<Direction>& directions, bool directional = false);

    static MemoryPlan memory(const Tuning& tuning, PlaneShape shape, int channels);

    int directions() const { return count_; }
    std::size_t field_size() const { return std::size_t(count_) * shape_.size(); }

    void forward(const Memory& x, Memory& u);  // u <- S x
    TermSums step(const ProxParameters& prox, const Memory& x, const Memory& e_old, const Memory& e,
                  Memory& u);
    void add_force(float c, float threshold, const Memory& x, const Memory& e, const Memory& u,
                   Memory& g);
    double cost(const Memory& x, const Memory& e);
    void add_gradient(float c, const Memory& x, const Memory& e, Memory& g);
    // q <- a q + b S'S p; scalar <- <p, q>
    void normal(float a, float b, const Memory& p, Memory& q, const Memory& scalar);
    // z <- a max(z, 0) + b diag(S'S), one plane
    void normal_diagonal(float a, float b, Memory& z);

    PlaneReader& reader() { return reader_; }

private:
    template <class... Args>
    void launch(Kernel& kernel, std::size_t arrays, const Memory& x, int channel,
                const Args&... args);
    double partial_sum(int term);  // of the last kernel's sums, once they are read

    Device& device_;
    PlaneShape shape_;
    int channels_;
    int count_;
    int groups_;  // of a launch over one plane
    LocalMemory tile_;
    LocalMemory scratch_;
    PlaneReader reader_;
    Memory partial_;
    std::vector<float> host_partial_;
    Kernel forward_, step_, force_, gradient_, cost_, normal_, diagonal_, gather_;
};

}  // namespace plenosr::opencl
