#include "tiles/blend.h"

#include <algorithm>

#include "base/cancelled.h"
#include "plenosr/progress.h"

namespace plenosr {

Blend::Blend(int width, int height, const TilePlan& plan)
    : width_(width), height_(height), plan_(plan) {}

std::vector<float> Blend::ramp(int begin, int end, int core_begin, int core_end, int size) const {
    const double half = std::max(1.0, 0.5 * plan_.overlap);
    const auto rise = [&](double inside) {  // distance inside a border of the core
        const double q = std::clamp((inside + half) / (2 * half), 0.0, 1.0);
        return q * q * (3 - 2 * q);
    };
    std::vector<float> weights;
    for (int p = begin; p < end; ++p) {
        const double left = core_begin == 0 ? 1.0 : rise(p + 0.5 - core_begin);
        const double right = core_end == size ? 1.0 : 1 - rise(p + 0.5 - core_end);
        weights.push_back(float(left * right));
    }
    return weights;
}

void Blend::add_weighted(const Tile& tile, const Image& image, Image& out, int reduction, int x0,
                         int y0) const {
    const Box& b = tile.box;
    const auto across = ramp(b.x0, b.x1(), tile.core.x0, tile.core.x1(), width_);
    const auto down = ramp(b.y0, b.y1(), tile.core.y0, tile.core.y1(), height_);
    for (int y = 0; y < b.height; ++y)
        for (int x = 0; x < b.width; ++x) {
            const float w = down[std::size_t(y)] * across[std::size_t(x)];
            if (w == 0.0F) continue;
            for (int c = 0; c < image.channels; ++c)
                out.at((b.y0 + y) / reduction - y0, (b.x0 + x) / reduction - x0, c) +=
                    w * image.at(y, x, c);
        }
}

void Blend::add(std::size_t index, const Image& image, Image& out, const Image& start,
                Image& initial) {
    std::unique_lock lock(mutex_);
    next_changed_.wait(lock, [&] { return next_ == index || abandoned_; });
    if (abandoned_) throw Cancelled();
    add_weighted(plan_.tiles[index], image, out);
    add_weighted(plan_.tiles[index], start, initial);
    ++next_;
    next_changed_.notify_all();
}

void Blend::abandon() {
    const std::scoped_lock lock(mutex_);
    abandoned_ = true;
    next_changed_.notify_all();
}

}  // namespace plenosr
