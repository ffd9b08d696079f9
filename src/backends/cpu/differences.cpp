#include "backends/cpu/differences.h"

#include <cstdlib>
#include <cstring>

#include "backends/cpu/simd_rows.h"

namespace plenosr::cpu {

Differences::Differences(int width, int height, std::vector<Direction> directions, bool directional)
    : width_(width),
      height_(height),
      directional_(directional),
      directions_(std::move(directions)),
      row_sums_(std::size_t(height)) {
    for (const Direction& d : directions_)
        reach_ = std::max(reach_, d.dy);
    const auto window = window_directions(std::max(1, reach_));
    const bool whole =
        directions_.size() == window.size() &&
        std::equal(window.begin(), window.end(), directions_.begin(), [](auto& a, auto& b) {
            return a.dx == b.dx && a.dy == b.dy && a.order == b.order;
        });
    box_ = whole ? reach_ : 0;
}

float* Differences::scratch() const {
    static thread_local Vector memory;
    const std::size_t size = 2 * std::size_t(width_ + 64);
    if (memory.size() < size) memory = Vector(size);
    return memory.data();
}

Differences::Columns Differences::defined(const Direction& d, int y) const {
    const int above = d.order == 2 ? d.dy : 0;
    if (y + d.dy >= height_ || y < above) return {0, 0};
    // In an image narrower than the window no column is defined: begin = end, inside the row.
    const int left = d.order == 2 ? std::abs(d.dx) : std::max(0, -d.dx);
    const int right = d.order == 2 ? std::abs(d.dx) : std::max(0, d.dx);
    const int begin = std::min(width_, left);
    return {begin, std::max(begin, width_ - right)};
}

void Differences::difference_row(const Direction& d, const float* x, int y, float* s) const {
    const Columns c = defined(d, y);
    std::fill(s, s + c.begin, 0.0F);
    std::fill(s + c.end, s + width_, 0.0F);
    const float* here = x + std::ptrdiff_t(y) * width_ + c.begin;
    const std::ptrdiff_t shift = std::ptrdiff_t(d.dy) * width_ + d.dx;
    if (d.order == 2)
        second_difference_row(here - shift, here, here + shift, s + c.begin, c.end - c.begin);
    else
        first_difference_row(here, here + shift, s + c.begin, c.end - c.begin);
}

void Differences::add_adjoint_row(const Direction& d, float c, const float* f, int y, int row,
                                  float* x_row) const {
    // f(p) reaches p + d with +1; p with -1 (order 1) or -2 (order 2); p - d with +1 (order 2).
    // f is 0 where one of these lies outside the image, so the shifted ranges are only clipped.
    const auto add_shifted = [&](int dx, float weight) {
        const int begin = std::max(0, dx);
        const int end = width_ - std::max(0, -dx);
        if (begin < end) axpby_row(weight, f + begin - dx, 1.0F, x_row + begin, end - begin);
    };
    if (row == y + d.dy) add_shifted(d.dx, c);
    if (row == y) add_shifted(0, d.order == 2 ? -2 * c : -c);
    if (d.order == 2 && row == y - d.dy) add_shifted(-d.dx, c);
}

template <class Fn>
void Differences::add_adjoint(float c, float* g, const Parallel& parallel,
                              const Fn& make_row) const {
    parallel.ranges(height_, 16, [&](int begin, int end) {
        float* f = scratch();
        for (int y = std::max(0, begin - reach_); y < std::min(height_, end + reach_); ++y) {
            for (std::size_t i = 0; i < directions_.size(); ++i) {
                const Direction& d = directions_[i];
                const int above = d.order == 2 ? y - d.dy : y;
                if (y + d.dy < begin || above >= end) continue;
                make_row(i, y, f);
                int last = -1;
                for (const int row : {above, y, y + d.dy}) {
                    if (row != last && row >= begin && row < end)
                        add_adjoint_row(d, c, f, y, row, g + std::ptrdiff_t(row) * width_);
                    last = row;
                }
            }
        }
    });
}

void Differences::forward(const float* x, float* field, const Parallel& parallel) const {
    const std::ptrdiff_t plane = std::ptrdiff_t(width_) * height_;
    parallel.ranges(height_, 16, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (std::size_t i = 0; i < directions_.size(); ++i)
                difference_row(directions_[i], x, y,
                               field + std::ptrdiff_t(i) * plane + std::ptrdiff_t(y) * width_);
    });
}

void Differences::adjoint(const float* field, float* x, const Parallel& parallel) const {
    const std::ptrdiff_t plane = std::ptrdiff_t(width_) * height_;
    std::memset(x, 0, std::size_t(plane) * sizeof(float));
    add_adjoint(1.0F, x, parallel, [&](std::size_t i, int y, float* f) {
        // The operator ignores entries of the field where the difference is not defined.
        const Columns columns = defined(directions_[i], y);
        std::fill_n(f, width_, 0.0F);
        const float* row = field + std::ptrdiff_t(i) * plane + std::ptrdiff_t(y) * width_;
        std::copy(row + columns.begin, row + columns.end, f + columns.begin);
    });
}

void Differences::add_normal_row(float c, const float* p, int y, float* q_row) const {
    if (c == 0.0F) return;
    float* line = scratch();
    if (box_ == 0) {
        for (const Direction& d : directions_) {
            int last = -1;
            for (const int source : {y - d.dy, y, y + d.dy}) {
                if (source >= 0 && source < height_ && source != last &&
                    (d.order == 2 || source <= y)) {
                    difference_row(d, p, source, line);
                    add_adjoint_row(d, c, line, source, y, q_row);
                }
                last = source;
            }
        }
        return;
    }
    const int r = box_;
    const float* rows[2 * 16 + 1];
    float ones[2 * 16 + 1];
    int count = 0;
    for (int source = std::max(0, y - r); source <= std::min(height_ - 1, y + r); ++source) {
        ones[count] = 1.0F;
        rows[count++] = p + std::ptrdiff_t(source) * width_;
    }
    std::fill_n(line, r, 0.0F);
    std::fill_n(line + r + width_, r, 0.0F);
    weighted_rows(rows, ones, count, line + r, width_);
    float* box = line + width_ + 64;
    std::fill_n(ones, 2 * r + 1, 1.0F);
    correlate_row(line, ones, 2 * r + 1, box, width_);
    const float* p_row = p + std::ptrdiff_t(y) * width_;
    const auto columns = [&](int x) {
        return std::min(width_ - 1, x + r) - std::max(0, x - r) + 1;
    };
    int x = 0;
    for (; x < std::min(r, width_); ++x)
        add_scaled_laplacian_row(c, float(count * columns(x)), p_row + x, box + x, q_row + x, 1);
    if (width_ - r > x) {
        const int n = width_ - r - x;
        add_scaled_laplacian_row(c, float(count * (2 * r + 1)), p_row + x, box + x, q_row + x, n);
        x += n;
    }
    for (; x < width_; ++x)
        add_scaled_laplacian_row(c, float(count * columns(x)), p_row + x, box + x, q_row + x, 1);
}

void Differences::normal_diagonal(float* diagonal) const {
    std::fill_n(diagonal, std::size_t(width_) * std::size_t(height_), 0.0F);
    const auto add = [&](int y, int x, float value) {
        diagonal[std::ptrdiff_t(y) * width_ + x] += value;
    };
    for (const Direction& d : directions_)
        for (int y = 0; y < height_; ++y) {
            const Columns columns = defined(d, y);
            for (int x = columns.begin; x < columns.end; ++x) {
                add(y, x, d.order == 2 ? 4.0F : 1.0F);
                add(y + d.dy, x + d.dx, 1.0F);
                if (d.order == 2) add(y - d.dy, x - d.dx, 1.0F);
            }
        }
}

StepSums Differences::step(const ProxStep& step, const float* x, const float* e_old, const float* e,
                           float* u, const Parallel& parallel) {
    const std::ptrdiff_t plane = std::ptrdiff_t(width_) * height_;
    parallel.ranges(height_, 16, [&](int begin, int end) {
        float* s = scratch();
        for (int y = begin; y < end; ++y) {
            const std::ptrdiff_t at = std::ptrdiff_t(y) * width_;
            StepSums sums;
            for (std::size_t i = 0; i < directions_.size(); ++i) {
                const Direction& d = directions_[i];
                difference_row(d, x, y, s);
                ProxStep local = step;
                local.old_threshold *= d.weight;
                local.threshold *= d.weight;
                StepSums one =
                    prior_step_row(local, s, weights_row(e_old, i, y), weights_row(e, i, y),
                                   u + std::ptrdiff_t(i) * plane + at, width_);
                one.l1 *= double(d.weight);
                sums += one;
            }
            row_sums_[std::size_t(y)] = sums;
        }
    });
    StepSums total;
    for (int y = 0; y < height_; ++y)
        total += row_sums_[std::size_t(y)];
    return total;
}

void Differences::add_force(float c, float threshold, const float* x, const float* e,
                            const float* u, float* g, const Parallel& parallel) const {
    const std::ptrdiff_t plane = std::ptrdiff_t(width_) * height_;
    add_adjoint(c, g, parallel, [&](std::size_t i, int y, float* f) {
        const std::ptrdiff_t at = std::ptrdiff_t(y) * width_;
        const Direction& d = directions_[i];
        difference_row(d, x, y, f);
        prior_force_row(threshold * d.weight, f, weights_row(e, i, y),
                        u + std::ptrdiff_t(i) * plane + at, f, width_);
    });
}

double Differences::cost(const float* x, const float* e, Parallel& parallel) const {
    return parallel.sum(height_, 16, [&](int y) {
        float* s = scratch();
        double sum = 0;
        for (std::size_t i = 0; i < directions_.size(); ++i) {
            difference_row(directions_[i], x, y, s);
            sum += double(directions_[i].weight) *
                   prior_gradient_row(1.0F, s, weights_row(e, i, y), s, width_);
        }
        return sum;
    });
}

void Differences::add_gradient(float c, const float* x, const float* e, float* g,
                               const Parallel& parallel) const {
    add_adjoint(c, g, parallel, [&](std::size_t i, int y, float* f) {
        difference_row(directions_[i], x, y, f);
        prior_gradient_row(directions_[i].weight, f, weights_row(e, i, y), f, width_);
    });
}

}  // namespace plenosr::cpu
