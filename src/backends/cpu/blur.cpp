#include "backends/cpu/blur.h"

#include "backends/cpu/simd_rows.h"
#include "psf/psf_factors.h"

namespace plenosr::cpu {
namespace {

constexpr std::size_t max_taps = 2 * largest_psf_radius + 8;

}  // namespace

Blur::Blur(const PsfGrid& psf, int image_width, int image_height) {
    radius_ = psf_radius(psf);
    shape_ = padded_shape(image_width, image_height, radius_);
    if (!psf.uniform()) {
        grid_.emplace(psf, shape_);
        return;
    }
    const Image& k = psf.kernel(0, 0);
    if (const auto factors = psf_factors(psf.nodes.front())) {
        add_product(factors->column, factors->row);
    } else {
        const auto centred = [&](int size, const auto& value) {
            std::vector<float> taps(std::size_t(2 * radius_ + 1), 0.0F);
            for (int i = 0; i < size; ++i)
                taps[std::size_t(radius_ - size / 2 + i)] = value(i);
            return taps;
        };
        for (int y = 0; y < k.height; ++y)
            add_product(centred(k.height, [&](int i) { return i == y ? 1.0F : 0.0F; }),
                        centred(k.width, [&](int x) { return k.at(y, x); }));
    }
    finish();
}

Blur Blur::squared() const {
    Blur result = *this;
    if (grid_) result.grid_ = grid_->squared();
    for (Product& p : result.products_)
        for (auto* taps : {&p.column, &p.row, &p.row_reversed})
            for (float& tap : *taps)
                tap *= tap;
    result.finish();
    return result;
}

void Blur::add_product(const std::vector<float>& column, const std::vector<float>& row) {
    // Convolution is correlation with the reversed taps.
    products_.push_back({column, {row.rbegin(), row.rend()}, row});
}

void Blur::finish() {
    const int height = shape_.image_height;
    column_taps_.assign(products_.size(), {});
    for (std::size_t i = 0; i < products_.size(); ++i) {
        column_taps_[i].resize(std::size_t(height));
        for (int f = 0; f < shape_.height(); ++f) {
            for (int j = -radius_; j <= radius_; ++j) {
                const float w = products_[i].column[std::size_t(j + radius_)];
                if (w == 0.0F) continue;
                const int y = std::clamp(f - shape_.margin - j, 0, height - 1);
                auto& taps = column_taps_[i][std::size_t(y)];
                if (!taps.empty() && taps.back().padded_row == f)
                    taps.back().weight += w;
                else
                    taps.push_back({f, w});
            }
        }
    }
}

Blur::Scratch::Scratch(const Blur& blur) {
    static thread_local Vector memory;
    const int line_size = blur.shape_.width() + 4 * blur.radius_ + 64;
    if (memory.size() < std::size_t(2 * line_size)) memory = Vector(std::size_t(2 * line_size));
    line = memory.data();
    extended = memory.data() + line_size;
}

void Blur::forward(const float* x, PaddedImage& t, const Parallel& parallel) const {
    parallel.ranges(shape_.height(), 8, [&](int begin, int end) {
        const Scratch scratch(*this);
        for (int f = begin; f < end; ++f)
            forward_row(x, f, t.row(f), scratch);
    });
}

void Blur::forward_row(const float* x, int padded_row, float* out, const Scratch& scratch) const {
    if (grid_) return grid_->forward_row(x, padded_row, out);
    const int width = shape_.image_width;
    const int pad = shape_.margin + radius_;
    for (std::size_t i = 0; i < products_.size(); ++i) {
        const Product& product = products_[i];
        const float* rows[max_taps];
        float weights[max_taps];
        int taps = 0;
        for (int j = -radius_; j <= radius_; ++j) {
            const float w = product.column[std::size_t(j + radius_)];
            if (w == 0.0F) continue;
            const int y = std::clamp(padded_row - shape_.margin - j, 0, shape_.image_height - 1);
            rows[taps] = x + std::size_t(y) * std::size_t(width);
            weights[taps++] = w;
        }
        float* line = scratch.line;
        weighted_rows(rows, weights, taps, line + pad, width);
        std::fill_n(line, pad, line[pad]);
        std::fill_n(line + pad + width, pad, line[pad + width - 1]);
        const int row_taps = int(product.row.size());
        if (i == 0)
            correlate_row(line, product.row.data(), row_taps, out, shape_.width());
        else
            add_correlated_row(line, product.row.data(), row_taps, out, shape_.width());
    }
}

void Blur::adjoint_row(const PaddedImage& t, int image_row, float* out,
                       const Scratch& scratch) const {
    if (grid_) return grid_->adjoint_row(t, image_row, out);
    const int width = shape_.image_width;
    const int pad = shape_.margin + radius_;  // the extended row reaches so far beyond the image
    const int extended_width = width + 2 * pad;
    float* extended = scratch.extended;
    bool first = true;
    for (std::size_t i = 0; i < products_.size(); ++i) {
        const auto& taps = column_taps_[i][std::size_t(image_row)];
        if (taps.empty()) continue;
        const float* rows[max_taps];
        float weights[max_taps];
        int count = 0;
        for (const Tap& tap : taps) {
            rows[count] = t.row(tap.padded_row);
            weights[count++] = tap.weight;
        }
        float* line = scratch.line;
        std::fill_n(line, 2 * radius_, 0.0F);
        weighted_rows(rows, weights, count, line + 2 * radius_, shape_.width());
        std::fill_n(line + 2 * radius_ + shape_.width(), 2 * radius_, 0.0F);
        const auto& row = products_[i].row_reversed;
        if (first)
            correlate_row(line, row.data(), int(row.size()), extended, extended_width);
        else
            add_correlated_row(line, row.data(), int(row.size()), extended, extended_width);
        first = false;
    }
    fold_row(extended, pad, width, out);
}

}  // namespace plenosr::cpu
