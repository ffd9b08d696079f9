#include "backends/cpu/grid_blur.h"

#include <algorithm>

#include "backends/cpu/simd_rows.h"

namespace plenosr::cpu {
namespace {

// Thread-local memory, reused for the next row.
float* scratch(std::size_t size) {
    static thread_local Vector memory;
    if (memory.size() < size) memory = Vector(size);
    return memory.data();
}

}  // namespace

void fold_row(const float* extended, int pad, int width, float* out) {
    std::copy_n(extended + pad, width, out);
    double left = 0;
    double right = 0;
    for (int e = 0; e < pad; ++e)
        left += double(extended[e]);
    for (int e = pad + width; e < width + 2 * pad; ++e)
        right += double(extended[e]);
    out[0] += float(left);
    out[width - 1] += float(right);
}

GridBlur::GridBlur(const PsfGrid& psf, PaddedShape shape)
    : psf_(psf), shape_(shape), radius_x_(psf.width() / 2), radius_y_(psf.height() / 2) {
    place(psf.x0, psf.y0);
}

GridBlur GridBlur::squared() const {
    GridBlur result = *this;
    for (Psf& psf : result.psf_.nodes)
        for (float& tap : psf.kernel.values)
            tap *= tap;
    return result;
}

void GridBlur::place(double x0, double y0) {
    psf_.x0 = x0;
    psf_.y0 = y0;
    down_.clear();
    for (int f = 0; f < shape_.height(); ++f)
        down_.push_back(psf_.down(f - shape_.margin));
    columns_.assign(std::size_t(psf_.cols), {});
    for (int f = 0; f < shape_.width(); ++f) {
        const auto [first, part] = psf_.across(f - shape_.margin);
        const auto add = [&](int c, double weight) {
            Column& column = columns_[std::size_t(c)];
            if (column.across.empty()) column.begin = f;
            column.across.push_back(float(weight));
            column.end = f + 1;
        };
        add(first, 1 - part);
        if (first + 1 < psf_.cols) add(first + 1, part);
    }
}

void GridBlur::add_taps(int padded_row, int col, int kernel_row, bool reversed, float* taps) const {
    const auto [first, part] = down_[std::size_t(padded_row)];
    const Image& a = psf_.kernel(first, col);
    const Image& b = psf_.kernel(std::min(first + 1, psf_.rows - 1), col);
    const float below = float(part);
    for (int i = 0; i < a.width; ++i) {
        const int at = reversed ? a.width - 1 - i : i;
        taps[i] += (1.0F - below) * a.at(kernel_row, at) + below * b.at(kernel_row, at);
    }
}

void GridBlur::forward_row(const float* x, int padded_row, float* out) const {
    const int width = shape_.image_width;
    const int pad = shape_.margin + radius_x_;
    const int taps_count = 2 * radius_x_ + 1;
    const std::size_t line_size = std::size_t(width + 2 * pad);
    const std::size_t padded_width = std::size_t(shape_.width());
    float* line = scratch(line_size + 2 * padded_width + std::size_t(taps_count));
    float* sums = line + line_size;  // k_c * x, one column after the other
    float* taps = sums + 2 * padded_width;
    std::fill_n(sums, 2 * padded_width, 0.0F);
    for (int j = -radius_y_; j <= radius_y_; ++j) {
        const int y = std::clamp(padded_row - shape_.margin - j, 0, shape_.image_height - 1);
        const float* row = x + std::size_t(y) * std::size_t(width);
        std::fill_n(line, pad, row[0]);
        std::copy_n(row, width, line + pad);
        std::fill_n(line + pad + width, pad, row[width - 1]);
        float* sum = sums;
        for (int c = 0; c < psf_.cols; ++c) {
            const Column& column = columns_[std::size_t(c)];
            const int n = column.end - column.begin;
            if (n == 0) continue;
            std::fill_n(taps, taps_count, 0.0F);
            add_taps(padded_row, c, j + radius_y_, true, taps);
            add_correlated_row(line + column.begin, taps, taps_count, sum, n);
            sum += n;
        }
    }
    std::fill_n(out, padded_width, 0.0F);
    const float* sum = sums;
    for (const Column& column : columns_)
        for (std::size_t i = 0; i < column.across.size(); ++i)
            out[std::size_t(column.begin) + i] += column.across[i] * *sum++;
}

void GridBlur::adjoint_row(const PaddedImage& t, int image_row, float* out) const {
    const int width = shape_.image_width;
    const int height = shape_.image_height;
    const int margin = shape_.margin;
    const int pad = margin + radius_x_;
    const int taps_count = 2 * radius_x_ + 1;
    const std::size_t extended_size = std::size_t(width + 2 * pad);
    const std::size_t line_size = std::size_t(shape_.width() + 4 * radius_x_);
    float* extended = scratch(extended_size + line_size + std::size_t(taps_count));
    float* line = extended + extended_size;
    float* taps = line + line_size;
    std::fill_n(extended, extended_size, 0.0F);
    // Padded row f contributes to image row clamp(f - margin - j) by kernel row j: the border rows
    // receive everything beyond them.
    const int begin = image_row == 0 ? 0 : image_row + margin - radius_y_;
    const int end = image_row == height - 1 ? shape_.height() : image_row + margin + radius_y_ + 1;
    for (int f = begin; f < end; ++f) {
        const int straight = f - margin - image_row;  // the j that needs no clamping
        const int low = image_row == height - 1 ? -radius_y_ : std::max(straight, -radius_y_);
        const int high = image_row == 0 ? radius_y_ : std::min(straight, radius_y_);
        if (low > high) continue;
        for (int c = 0; c < psf_.cols; ++c) {
            const Column& column = columns_[std::size_t(c)];
            const int n = column.end - column.begin;
            if (n == 0) continue;
            std::fill_n(taps, taps_count, 0.0F);
            for (int j = low; j <= high; ++j)
                add_taps(f, c, j + radius_y_, false, taps);
            std::fill_n(line, 2 * radius_x_, 0.0F);
            float* weighted = line + 2 * radius_x_;
            const float* from = t.row(f) + column.begin;
            for (int i = 0; i < n; ++i)
                weighted[i] = column.across[std::size_t(i)] * from[i];
            std::fill_n(weighted + n, 2 * radius_x_, 0.0F);
            add_correlated_row(line, taps, taps_count, extended + column.begin, n + 2 * radius_x_);
        }
    }
    fold_row(extended, pad, width, out);
}

}  // namespace plenosr::cpu
