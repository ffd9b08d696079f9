#include "backends/opencl/denoise.h"

#include "denoise/bm3d_parameters.h"
#include "kernels/parameters.h"

namespace plenosr::opencl {
namespace {

// BM3D (bm3d.cl): steps between the reference blocks of one launch, the least at which their search
// windows do not overlap.
constexpr int spacing = (2 * bm3d::reach + block + bm3d::step - 1) / bm3d::step;
constexpr std::size_t items = block_area;  // work-items per group: one per pixel of a block
constexpr int window = block + 2 * bm3d::reach;
constexpr std::size_t candidates = std::size_t(2 * bm3d::reach + 1) * (2 * bm3d::reach + 1);
constexpr std::size_t distances = (candidates + items - 1) / items * items;
// Local memory in floats: two stacks, the window, the distances, and 2 items + most_blocks values
// of the search.
constexpr std::size_t shared =
    2 * most_blocks * block_area + window * window + distances + 2 * items + most_blocks;
static_assert(spacing == 7 && distances == 7 * items);

// Non-local means (nlm.cl). Chosen by reasoning, not tuned.
constexpr int border = nlm_reach + nlm_block_radius;
constexpr int rows_of_item = 4;        // per work-item: shares the sums along the rows of blocks
constexpr std::size_t nlm_group = 16;  // work-items along x on GPUs
constexpr int widest_vector = 16;
static_assert(nlm_block_radius == 2);  // nlm.cl adds up the 5 rows of a block one by one

std::string bm3d_defines(const Tuning& t) {
    return fmt::format(
        "-DBLOCK={} -DSTEP={} -DREACH_OF_SEARCH={} -DMOST_BLOCKS={} -DSPACING={} -DITEMS={} {}",
        block, bm3d::step, bm3d::reach, most_blocks, spacing, items, tile_defines(t));
}
std::string nlm_defines(const Tuning& t) {
    return fmt::format("-DREACH_OF_SEARCH={} -DBLOCK_RADIUS={} -DROWS_OF_ITEM={} {}", nlm_reach,
                       nlm_block_radius, rows_of_item, tile_defines(t));
}

int bordered_stride(int width) {
    return round_up(width + 2 * border + widest_vector, 16);
}
int bordered_height(int height) {
    return round_up(height, rows_of_item) + 2 * border;
}

std::size_t nlm_bytes(PlaneShape shape) {
    return std::size_t(bordered_stride(shape.width)) * std::size_t(bordered_height(shape.height)) *
           sizeof(float);
}
constexpr std::size_t bm3d_pictures = 4;  // noisy, compared, sum, weight
std::size_t bm3d_bytes(PlaneShape shape) {
    return std::size_t(bm3d::padded(shape.width)) * std::size_t(bm3d::padded(shape.height)) *
           sizeof(float);
}

}  // namespace

MemoryPlan DeviceDenoiser::memory(PlaneShape shape) {
    const MemoryPlan means = MemoryPlan().add(nlm_bytes(shape));
    const MemoryPlan blocks =
        MemoryPlan().add(bm3d_bytes(shape), bm3d_pictures).add(sizeof cosine_rows());
    return means.bytes > blocks.bytes ? means : blocks;
}

DeviceDenoiser::DeviceDenoiser(Device& device, Denoiser kind, PlaneShape shape)
    : device_(device), kind_(kind), shape_(shape) {
    if (kind == Denoiser::nlm) {
        const std::string defines = nlm_defines(device.tuning());
        width_ = bordered_stride(shape.width);
        height_ = bordered_height(shape.height);
        noisy_ = device.new_buffer(nlm_bytes(shape));
        border_ = device.kernel("nlm", "nlm_border", defines);
        nlm_ = device.kernel("nlm", "nlm", defines);
        return;
    }
    const std::string defines = bm3d_defines(device.tuning());
    width_ = bm3d::padded(shape.width);
    height_ = bm3d::padded(shape.height);
    for (Memory* picture : {&noisy_, &compared_, &sum_, &weight_})
        *picture = device.new_buffer(bm3d_bytes(shape));
    const auto& rows = cosine_rows();
    cosines_ = device.new_constants(rows.data(), sizeof rows);
    pad_ = device.kernel("bm3d", "bm3d_pad", defines);
    smooth_ = device.kernel("bm3d", "bm3d_smooth", defines);
    average_ = device.kernel("bm3d", "bm3d_average", defines);
    threshold_ = device.kernel("bm3d", "bm3d_stacks", defines);
    wiener_ = device.kernel("bm3d", "bm3d_stacks", defines + " -DWIENER");
}

void DeviceDenoiser::operator()(const Memory& x, int planes, double sigma, Memory& v) {
    if (sigma <= 0) return device_.copy(x, v, std::size_t(planes) * shape_.size() * sizeof(float));
    for (int plane = 0; plane < planes; ++plane) {
        const std::size_t offset = std::size_t(plane) * shape_.size();
        if (kind_ == Denoiser::nlm)
            nlm(x, offset, float(sigma), v);
        else
            bm3d(x, offset, float(sigma), v);
    }
}

void DeviceDenoiser::stacks(Kernel& filter, float limit, float strength) {
    device_.fill_zero(sum_);
    device_.fill_zero(weight_);
    const int across = width_ / bm3d::step - 1;  // reference blocks per row
    const int down = height_ / bm3d::step - 1;
    for (int j = 0; j < std::min(spacing, down); ++j)
        for (int i = 0; i < std::min(spacing, across); ++i) {
            const int groups_x = (across - i + spacing - 1) / spacing;
            const int groups_y = (down - j + spacing - 1) / spacing;
            Grid grid{items * std::size_t(groups_x), std::size_t(groups_y), 1, items, 1};
            grid.bytes = noisy_.bytes() * 4 / (spacing * spacing);
            filter(grid, noisy_, compared_, sum_, weight_, cosines_, width_, height_, i, j,
                   limit * float(block_area), strength, LocalMemory{shared * sizeof(float)});
        }
}

void DeviceDenoiser::bm3d(const Memory& x, std::size_t offset, float s, Memory& v) {
    const auto [width, height] = shape_;
    const auto cells = [&](int w, int h) {
        Grid grid = cell_grid(device_.tuning(), w, h);
        grid.bytes = 2 * noisy_.bytes();
        return grid;
    };
    pad_(cells(width_, height_), x, offset, width, height, shape_.stride(), noisy_, width_,
         height_);
    smooth_(cells(width_, height_), noisy_, sum_, width_, height_, 1, 0);
    smooth_(cells(width_, height_), sum_, compared_, width_, height_, 0, 1);
    stacks(threshold_, bm3d::first_limit(s), bm3d::threshold_factor * s);
    average_(cells(width_, height_), sum_, weight_, width_, compared_, std::size_t(0), width_,
             height_, width_);
    stacks(wiener_, bm3d::second_limit(s), s * s);
    average_(cells(width, height), sum_, weight_, width_, v, offset, width, height,
             shape_.stride());
}

void DeviceDenoiser::nlm(const Memory& x, std::size_t offset, float s, Memory& v) {
    const auto [width, height] = shape_;
    const Tuning& t = device_.tuning();
    border_(cell_grid(t, width_, height_), x, offset, width, height, shape_.stride(), noisy_,
            width_, height_);
    const Grid grid{.width = std::size_t((width + t.vector - 1) / t.vector),
                    .height = std::size_t((height + rows_of_item - 1) / rows_of_item),
                    .group_width = t.group > 1 ? nlm_group : 1,
                    .bytes = 2 * noisy_.bytes(),
                    .any_group_size = true};
    nlm_(grid, noisy_, width_, 1.0F / (s * s), v, offset, width, height, shape_.stride());
}

}  // namespace plenosr::opencl
