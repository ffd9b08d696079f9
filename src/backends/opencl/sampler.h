#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "backends/opencl/device_images.h"
#include "plenosr/reconstruct.h"
#include "problem/position.h"

namespace plenosr::opencl {

// Samples sorted by the padded pixel of their first tap (a cell), in the given order within a cell.
struct CellTable {
    std::vector<cl_uint> starts;  // per cell: index of its first sample; and the number of samples
    std::vector<cl_float2> fractions;
    std::vector<std::uint32_t> order;  // order[i]: index of sample i among the given ones
};

// Elements of CellTable::starts.
inline std::size_t starts_of_cells(const PaddedShape& padded) {
    return padded.cells() + 1;
}

// A counting sort that stores no positions: for_each(fn), which calls fn(index, Position) for each
// sample, is called twice and must keep its order.
template <class ForEach>
CellTable sort_into_cells(const PaddedShape& padded, int taps, const ForEach& for_each) {
    const int before = taps / 2 - 1;  // taps left of the whole pixel
    // Clamping the first tap keeps the fraction: outside, all taps see the same value.
    const auto cell = [&](const Position& p) {
        const int x = std::clamp(p.x + padded.margin - before, 0, padded.width() - taps);
        const int y = std::clamp(p.y + padded.margin - before, 0, padded.height() - taps);
        return std::size_t(y) * std::size_t(padded.width()) + std::size_t(x);
    };
    CellTable table;
    table.starts.assign(starts_of_cells(padded), 0);
    std::size_t count = 0;
    for_each([&](std::uint32_t, const Position& p) {
        ++table.starts[cell(p)];
        ++count;
    });
    // Exclusive sums: where each cell's samples begin.
    cl_uint sum = 0;
    for (cl_uint& start : table.starts)
        sum += std::exchange(start, sum);
    table.fractions.resize(count);
    table.order.resize(count);
    for_each([&](std::uint32_t place, const Position& p) {
        const cl_uint at = table.starts[cell(p)]++;
        table.fractions[at] = {{p.fx, p.fy}};
        table.order[at] = place;
    });
    // Filling the cells moved each start to the next cell's.
    table.starts.pop_back();
    table.starts.insert(table.starts.begin(), 0);
    return table;
}

// Point samples P: padded image -> samples, with its adjoint (src/kernels/sampler.cl).
class Sampler {
public:
    Sampler(Device& device, PaddedShape padded, Interpolation interpolation,
            const CellTable& cells);

    // With the memory that normal() needs, if `normal`.
    static MemoryPlan memory(const Tuning& tuning, const PaddedShape& padded, std::size_t count,
                             bool normal);
    static int taps_of(Interpolation interpolation) {
        return interpolation == Interpolation::bicubic ? 4 : 2;
    }
    int count() const { return count_; }
    int taps() const { return taps_; }
    const PaddedShape& padded_shape() const { return padded_; }
    const Memory& starts() const { return starts_; }
    const Memory& fractions() const { return fractions_; }

    void forward(const PaddedImage& t, Memory& samples, std::size_t offset);  // P t
    void adjoint(const Memory& samples, std::size_t offset, PaddedImage& t);  // P' samples
    void normal(const PaddedImage& s, const Memory& m, PaddedImage& t);       // P' diag(m) P s
    void need_normal();  // allocates the memory that normal() needs

private:
    Grid scatter_grid() const;
    LocalMemory cell_memory() const;

    Device& device_;
    PaddedShape padded_;
    int taps_;
    int count_;
    Memory starts_;
    Memory fractions_;
    Memory weighted_;  // M P s, unless the strategy is local
    Kernel forward_;
    Kernel adjoint_;
    Kernel weigh_;
    Kernel normal_;
};

}  // namespace plenosr::opencl
