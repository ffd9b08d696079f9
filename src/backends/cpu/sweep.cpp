#include "backends/cpu/sweep.h"

#include <algorithm>

namespace plenosr::cpu {
namespace {

constexpr int margin = 3;  // columns that the taps of a sample may reach beyond the view

}  // namespace

Sweep::Sweep(const MatchDesc& desc)
    : desc_(desc),
      width_(desc.guide.width),
      height_(desc.guide.height),
      stride_(width_ + 2 * margin),
      views_(desc.views.size() * std::size_t(height_) * std::size_t(stride_)),
      exchanges_(desc.views.size() + 1) {
    float* to = views_.data();
    for (const Image& view : desc.views)
        for (int y = 0; y < height_; ++y, to += stride_)
            for (int x = -margin; x < width_ + margin; ++x)
                to[x + margin] = view.at(y, std::clamp(x, 0, width_ - 1));
    for (const MatchDesc::Offset& o : desc.offsets)
        members_.push_back(halves_of(o));
    for (std::size_t n = 2; n < exchanges_.size(); ++n)
        exchanges_[n] = median_exchanges(int(n));
}

std::size_t Sweep::bytes(const MatchShape& s) {
    return s.views * std::size_t(s.height) * std::size_t(s.width + 2 * margin) * sizeof(float);
}

void Sweep::cost_plane(double d, float* plane, Scratch& s) const {
    const std::size_t count = desc_.views.size();
    s.samples.resize(count * std::size_t(width_));
    s.vertical.resize(std::size_t(width_) + 3);
    s.border.resize(count);
    s.border_members.resize(count);
    s.sorted.resize(loss_scratch(int(count)));
    s.rows.reserve(count);
    s.places.clear();
    for (const MatchDesc::Offset& offset : desc_.offsets)
        s.places.push_back(match_place(offset, d, width_, height_));
    for (int y = 0; y < height_; ++y)
        cost_row(y, plane + std::size_t(y) * std::size_t(width_), s);
}

void Sweep::cost_row(int y, float* out, Scratch& s) const {
    s.rows.clear();
    s.members.clear();
    s.begin.clear();
    s.end.clear();
    int first = 0;  // columns [first, last) are seen by all views of this row
    int last = width_;
    for (std::size_t k = 0; k < desc_.views.size(); ++k) {
        const MatchPlace& p = s.places[k];
        if (y < p.top || y >= p.bottom || p.left >= p.right) continue;
        const float* rows[4];
        for (int j = 0; j < 4; ++j) {
            const int row = std::clamp(y + p.y - 1 + j, 0, height_ - 1);
            rows[j] = &views_[(k * std::size_t(height_) + std::size_t(row)) * std::size_t(stride_) +
                              std::size_t(p.left + p.x - 1 + margin)];
        }
        float* samples = &s.samples[s.rows.size() * std::size_t(width_)];
        shifted_row(rows, p.wy, p.wx, s.vertical.data(), samples + p.left, p.right - p.left);
        s.rows.push_back(samples);
        s.members.push_back(members_[k]);
        s.begin.push_back(p.left);
        s.end.push_back(p.right);
        first = std::max(first, p.left);
        last = std::min(last, p.right);
    }
    const int count = int(s.rows.size());
    if (count < 2 || first >= last) first = last = width_;
    for (int x = 0; x < first; ++x)
        out[x] = loss_at(y, x, s);
    for (int x = last; x < width_; ++x)
        out[x] = loss_at(y, x, s);
    if (first >= last) return;
    for (const float*& row : s.rows)
        row += first;
    loss_row(s.rows.data(), count, s.members.data(), allowed_at(y, first), s.sorted.data(),
             out + first, last - first);
}

void Sweep::loss_row(const float* const* rows, int count, const std::uint8_t* members,
                     const float* allowed, float* sorted, float* out, int n) const {
    if (desc_.loss == MatchLoss::squared)
        return squared_loss_row(rows, count, desc_.truncation, out, n);
    Halves halves;
    if (allowed != nullptr) {
        halves.members = members;
        halves.allowed = allowed;
        halves.extra = desc_.half_extra;
        for (int h = 0; h < match_halves; ++h) {
            const auto size =
                std::count_if(members, members + count, [&](int in) { return (in >> h & 1) != 0; });
            // A half with a single view always agrees: it is excluded by a large factor.
            halves.share[h] = size > 1 ? 1.0F / float(size) : 1e6F;
        }
    }
    absolute_loss_row(rows, count, exchanges_[std::size_t(count)], halves, desc_.truncation, sorted,
                      out, n);
}

float Sweep::loss_at(int y, int x, Scratch& s) const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < s.rows.size(); ++k)
        if (x >= s.begin[k] && x < s.end[k]) {
            s.border_members[count] = s.members[k];
            s.border[count++] = s.rows[k][x];
        }
    if (count < 2) return desc_.truncation;
    // Applies the row functions to a row of one pixel, so that the formula exists once.
    std::vector<const float*> values(count);
    for (std::size_t k = 0; k < count; ++k)
        values[k] = &s.border[k];
    float result = 0;
    loss_row(values.data(), int(count), s.border_members.data(), allowed_at(y, x), s.sorted.data(),
             &result, 1);
    return result;
}

}  // namespace plenosr::cpu
