#pragma once

#include "backends/cpu/simd_matching.h"
#include "disparity/matching.h"

namespace plenosr::cpu {

// The cost of one label d at every pixel of the reference (MatchDesc):
//   cost(x, y) = loss over k of s_k,   s_k = y_k(x - u_k d, y - v_k d), Keys' cubic
// A label moves a whole view by one vector. The sixteen interpolation weights are therefore the
// same for all of its pixels, and a row of samples is a weighted sum of rows. A view is ignored
// where its sample lies more than half a pixel outside it. Where fewer than two views remain, the
// cost is the largest, so that an unobserved place never looks like a good match.
class Sweep {
public:
    explicit Sweep(const MatchDesc& desc);
    static std::size_t bytes(const MatchShape& shape);

    // Several threads may call cost_plane() at once, each with its own scratch memory.
    struct Scratch {
        std::vector<float> samples;
        std::vector<float> vertical;
        std::vector<float> border;
        std::vector<float> sorted;
        std::vector<const float*> rows;
        std::vector<int> begin, end;
        std::vector<MatchPlace> places;  // of all views, for the label
        std::vector<std::uint8_t> members, border_members;
    };
    void cost_plane(double d, float* plane, Scratch& scratch) const;

private:
    void cost_row(int y, float* out, Scratch& scratch) const;
    float loss_at(int y, int x, Scratch& scratch) const;  // where some views have no sample
    void loss_row(const float* const* rows, int count, const std::uint8_t* members,
                  const float* allowed, float* sorted, float* out, int n) const;
    const float* allowed_at(int y, int x) const {
        return desc_.half_views.empty() ? nullptr
                                        : &desc_.half_views.values[desc_.half_views.index(y, x)];
    }

    const MatchDesc& desc_;
    int width_, height_, stride_;
    std::vector<float> views_;           // with margins along the rows
    std::vector<Exchanges> exchanges_;   // indexed by the number of values
    std::vector<std::uint8_t> members_;  // per view: bits of the halves it belongs to
};

}  // namespace plenosr::cpu
