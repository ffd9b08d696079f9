#include "backends/opencl/differences.h"

#include <cstdlib>

namespace plenosr::opencl {
namespace {

constexpr int terms = 3;  // sums that one kernel leaves: l1, primal, dual

struct Reach {
    int step = 0;  // the largest |dx| or |dy|
    int halo = 0;  // how far the kernels read
};

Reach reach_of(const std::vector<Direction>& directions) {
    Reach reach;
    bool second = false;
    for (const Direction& d : directions) {
        reach.step = std::max({reach.step, std::abs(d.dx), d.dy});
        second = second || d.order == 2;
    }
    reach.halo = second ? 2 * reach.step : reach.step;
    return reach;
}

// Groups of a launch over one plane.
int plane_groups(const Tuning& t, PlaneShape shape) {
    return int(group_count(pixel_grid(t, shape.width, shape.height)));
}

std::size_t partial_sums(const Tuning& t, PlaneShape shape, int channels) {
    return std::size_t(terms * plane_groups(t, shape) * channels);
}

}  // namespace

MemoryPlan Differences::memory(const Tuning& t, PlaneShape shape, int channels) {
    return PlaneReader::memory(t, shape).add(partial_sums(t, shape, channels) * sizeof(float));
}

std::string direction_defines(const std::vector<Direction>& directions) {
    const Reach reach = reach_of(directions);
    std::string steps;
    std::string weights;
    for (const Direction& d : directions) {
        steps += fmt::format("{}{},{},{}", steps.empty() ? "" : ",", d.dx, d.dy, d.order);
        weights += fmt::format("{}{:.9e}f", weights.empty() ? "" : ",", d.weight);
    }
    return fmt::format(
        "-DDIRECTIONS={} -DDIRECTION_STEPS={} -DDIRECTION_WEIGHTS={} -DREACH={} -DHALO={}",
        directions.size(), steps, weights, reach.step, reach.halo);
}

Differences::Differences(Device& device, PlaneShape shape, int channels,
                         const std::vector<Direction>& directions, bool directional)
    : device_(device),
      shape_(shape),
      channels_(channels),
      count_(int(directions.size())),
      reader_(device, shape) {
    const Tuning& t = device.tuning();
    const Reach reach = reach_of(directions);
    const std::string defines = fmt::format("{} -DDIRECTIONAL={} {}", direction_defines(directions),
                                            directional ? 1 : 0, tile_defines(t));
    groups_ = plane_groups(t, shape);
    tile_.bytes = std::size_t((t.tile_width * t.vector + 2 * reach.halo + t.vector) *
                              (t.tile_height + 2 * reach.halo)) *
                  sizeof(float);
    scratch_.bytes = std::size_t(t.local_width * t.local_height) * sizeof(float);
    host_partial_.resize(partial_sums(t, shape, channels));
    partial_ = device.new_buffer(host_partial_.size() * sizeof(float));
    const auto kernel = [&](const char* name) {
        return device.kernel("differences", name, defines);
    };
    forward_ = kernel("differences_forward");
    step_ = kernel("prior_step");
    force_ = kernel("prior_force");
    gradient_ = kernel("prior_gradient");
    cost_ = kernel("prior_cost");
    normal_ = kernel("prior_normal");
    diagonal_ = kernel("prior_diagonal");
    gather_ = device.kernel("vector", "gather_partials");
}

template <class... Args>
void Differences::launch(Kernel& kernel, std::size_t arrays, const Memory& x, int channel,
                         const Args&... args) {
    Grid grid = pixel_grid(device_.tuning(), shape_.width, shape_.height);
    grid.bytes = arrays * shape_.size() * sizeof(float);
    if (device_.tuning().strategy == Strategy::local) {
        kernel(grid, shape_.width, shape_.height, shape_.stride(), args..., x,
               std::size_t(channel) * shape_.size(), tile_);
    } else {
        const auto source = reader_(x, channel);
        kernel(grid, shape_.width, shape_.height, shape_.stride(), args..., source.image,
               source.row_offset);
    }
}

double Differences::partial_sum(int term) {
    double sum = 0;
    for (int i = 0; i < groups_; ++i)
        sum += double(host_partial_[std::size_t(term * groups_ + i)]);
    return sum;
}

void Differences::forward(const Memory& x, Memory& u) {
    for (int c = 0; c < channels_; ++c)
        launch(forward_, std::size_t(1 + count_), x, c, u, std::size_t(c) * field_size());
}

TermSums Differences::step(const ProxParameters& prox, const Memory& x, const Memory& e_old,
                           const Memory& e, Memory& u) {
    TermSums sums;
    for (int c = 0; c < channels_; ++c) {
        launch(step_, std::size_t(3 + 2 * count_), x, c, float(prox.relax),
               float(prox.old_threshold), float(prox.threshold), e_old, e, u,
               std::size_t(c) * field_size(), partial_, groups_, scratch_);
        device_.read(partial_, host_partial_.data(), host_partial_.size() * sizeof(float));
        sums.l1 += partial_sum(0);
        sums.primal += partial_sum(1);
        sums.dual += partial_sum(2);
    }
    return sums;
}

void Differences::add_force(float c, float threshold, const Memory& x, const Memory& e,
                            const Memory& u, Memory& g) {
    for (int i = 0; i < channels_; ++i)
        launch(force_, std::size_t(4 + count_), x, i, c, threshold, e, u,
               std::size_t(i) * field_size(), g, std::size_t(i) * shape_.size());
}

double Differences::cost(const Memory& x, const Memory& e) {
    double sum = 0;
    for (int c = 0; c < channels_; ++c) {
        launch(cost_, 2, x, c, e, partial_, groups_, scratch_);
        device_.read(partial_, host_partial_.data(), std::size_t(groups_) * sizeof(float));
        sum += partial_sum(0);
    }
    return sum;
}

void Differences::add_gradient(float c, const Memory& x, const Memory& e, Memory& g) {
    for (int i = 0; i < channels_; ++i)
        launch(gradient_, 4, x, i, c, e, g, std::size_t(i) * shape_.size());
}

void Differences::normal(float a, float b, const Memory& p, Memory& q, const Memory& scalar) {
    for (int c = 0; c < channels_; ++c)
        launch(normal_, 3, p, c, a, b, q, std::size_t(c) * shape_.size(), partial_, groups_,
               c * groups_, scratch_);
    gather_(run_grid(device_.tuning()), partial_, 0, groups_ * channels_, scalar);
}

void Differences::normal_diagonal(float a, float b, Memory& z) {
    diagonal_(cell_grid(device_.tuning(), shape_.width, shape_.height), shape_.width, shape_.height,
              shape_.stride(), a, b, z);
}

}  // namespace plenosr::opencl
