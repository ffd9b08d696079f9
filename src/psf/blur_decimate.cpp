#include "psf/blur_decimate.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>

#include "plenosr/error.h"

namespace plenosr {
namespace {

// out <- (1 - part) a + part b
void mix(const Image& a, const Image& b, double part, Image& out) {
    for (std::size_t i = 0; i < a.values.size(); ++i)
        out.values[i] = float((1 - part) * double(a.values[i]) + part * double(b.values[i]));
}

// The interpolated PSFs along one row of pixels.
class KernelsOfRow {
public:
    KernelsOfRow(const PsfGrid& psf, int y) : psf_(psf) {
        if (psf_.uniform()) return;
        const auto [first, part] = psf_.down(y);
        const int next = std::min(first + 1, psf_.rows - 1);
        columns_.assign(std::size_t(psf_.cols), Image(psf_.width(), psf_.height()));
        for (int c = 0; c < psf_.cols; ++c)
            mix(psf_.kernel(first, c), psf_.kernel(next, c), part, columns_[std::size_t(c)]);
        here_ = Image(psf_.width(), psf_.height());
    }
    const Image& at(int x) {  // valid until the next call
        if (psf_.uniform()) return psf_.kernel(0, 0);
        const auto [first, part] = psf_.across(x);
        const int next = std::min(first + 1, psf_.cols - 1);
        mix(columns_[std::size_t(first)], columns_[std::size_t(next)], part, here_);
        return here_;
    }

private:
    const PsfGrid& psf_;
    std::vector<Image> columns_;  // per column of nodes, interpolated along y
    Image here_;
};

// The pixel of 0 ... size - 1 that lies at `i`.
int inside(int i, int size, Border border) {
    if (border == Border::replicate) return std::clamp(i, 0, size - 1);
    const int period = 2 * size;
    const int m = (i % period + period) % period;
    return m < size ? m : period - 1 - m;
}

}  // namespace

Image blur_decimate(const Image& image, const PsfGrid& psf, int scale, Border border) {
    if (scale < 1)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("scale = {} must be at least 1.", scale));
    if (image.width < scale || image.height < scale)
        throw Error(
            ErrorKind::input,
            fmt::format("An image of {}x{} pixels is too small for scale = {}; it must have "
                        "at least {}x{}.",
                        image.width, image.height, scale, scale, scale));
    const int radius_x = psf.width() / 2;
    const int radius_y = psf.height() / 2;
    Image result(image.width / scale, image.height / scale, image.channels);

    // `inner`: no tap of the row lies beyond the border, as for most pixels.
    tbb::parallel_for(0, result.height, [&](int i) {
        KernelsOfRow kernels(psf, scale * i);
        for (int j = 0; j < result.width; ++j) {
            const Image& k = kernels.at(scale * j);
            const bool inner = scale * j >= radius_x && scale * j + radius_x < image.width;
            for (int c = 0; c < result.channels; ++c) {
                double sum = 0;
                for (int ty = -radius_y; ty <= radius_y; ++ty) {
                    const int y = inside(scale * i - ty, image.height, border);
                    const float* weight = &k.values[k.index(ty + radius_y, 0)];
                    if (inner) {
                        const float* from = &image.values[image.index(y, scale * j + radius_x, c)];
                        for (int t = 0; t < k.width; ++t)
                            sum += double(weight[t]) * from[-t * image.channels];
                    } else {
                        for (int t = 0; t < k.width; ++t) {
                            const int x = inside(scale * j + radius_x - t, image.width, border);
                            sum += double(weight[t]) * image.at(y, x, c);
                        }
                    }
                }
                result.at(i, j, c) = float(sum);
            }
        }
    });
    return result;
}

}  // namespace plenosr
