#include "backends/cpu/decimate.h"

namespace plenosr::cpu {

void Decimate::forward(const float* t, int stride, float* low, const Parallel& parallel) const {
    parallel.ranges(low_height(), 16, [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            for (int j = 0; j < low_width(); ++j)
                low[std::ptrdiff_t(i) * low_width() + j] =
                    t[std::ptrdiff_t(i) * scale * stride + std::ptrdiff_t(j) * scale];
    });
}

void Decimate::adjoint(const float* low, float* t, int stride, const Parallel& parallel) const {
    parallel.ranges(height, 16, [&](int begin, int end) {
        for (int y = begin; y < end; ++y) {
            float* row = t + std::ptrdiff_t(y) * stride;
            std::fill_n(row, width, 0.0F);
            if (y % scale != 0 || y / scale >= low_height()) continue;
            for (int j = 0; j < low_width(); ++j)
                row[std::ptrdiff_t(j) * scale] = low[std::ptrdiff_t(y / scale) * low_width() + j];
        }
    });
}

}  // namespace plenosr::cpu
