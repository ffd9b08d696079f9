#include "tiles/tile_geometry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plenosr/disparity.h"

namespace plenosr {
namespace {

// High-resolution pixels. Holes of a view's disparity are filled from up to about this distance
// (disparity/splat.cpp), so a tile needs the map that far beyond its border.
constexpr int fill_radius = 8;

int floor_div(int a, int b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

Box grown(const Box& box, int dx, int dy, int width, int height) {
    const int x0 = std::max(0, box.x0 - dx);
    const int y0 = std::max(0, box.y0 - dy);
    return {x0, y0, std::min(width, box.x1() + dx) - x0, std::min(height, box.y1() + dy) - y0};
}

struct Interval {
    int begin = 0;
    int end = 0;  // one past the last
};

// The low-resolution pixels of a view, `offset` steps away, that may see [begin, end) of the
// reference: the view sees the place p at p - offset d.
Interval seen_by(double offset, DisparityRange::Range d, int begin, int end, int scale, int margin,
                 int low_size) {
    const double a = offset * d.low;
    const double b = offset * d.high;
    const int first = floor_div(int(std::floor(begin - std::max(a, b))), scale) - margin;
    const int last = floor_div(int(std::ceil(end - 1 - std::min(a, b))), scale) + 1 + margin;
    return {std::clamp(first, 0, low_size), std::clamp(last + 1, 0, low_size)};
}

}  // namespace

void paste_core(const Image& part, const Tile& tile, Image& whole) {
    const Box& core = tile.core;
    for (int y = core.y0; y < core.y1(); ++y)
        for (int x = core.x0; x < core.x1(); ++x)
            whole.at(y, x) = part.at(y - tile.box.y0, x - tile.box.x0);
}

TileGeometry::TileGeometry(int low_width, int low_height, int scale,
                           const std::vector<ViewPosition>& views, ViewPosition reference,
                           const Image& map, const PsfGrid& psf, OperatorForm form)
    : low_width_(low_width),
      low_height_(low_height),
      scale_(scale),
      form_(form),
      map_(&map),
      map_is_low_(map.width == low_width && map.height == low_height),
      range_(map),
      psf_(psf.spread_over(low_width * scale, low_height * scale)) {
    for (const ViewPosition& view : views)
        views_.push_back({view.col - reference.col, view.row - reference.row});
}

TileGeometry::TileGeometry(int low_width, int low_height, int scale,
                           const std::vector<FrameMotion>& motions,
                           const std::vector<double>& weights,
                           std::vector<const Image*> sample_weights, const PsfGrid& psf)
    : low_width_(low_width),
      low_height_(low_height),
      scale_(scale),
      form_(OperatorForm::sampling),
      motions_(&motions),
      sample_weights_(std::move(sample_weights)),
      range_(Image(1, 1)),
      psf_(psf.spread_over(low_width * scale, low_height * scale)) {
    sample_weights_.resize(motions.size(), nullptr);
    for (const double weight : weights) {
        views_.emplace_back();
        views_.back().trust = weight;
    }
}

PsfGrid TileGeometry::psf(const Box& box) const {
    return psf_.spread_over(width(), height(), box.x0, box.y0);
}

bool TileGeometry::only_shifts() const {
    return motions_ != nullptr &&
           std::all_of(motions_->begin(), motions_->end(),
                       [](const auto& m) { return m.is_translation(); }) &&
           std::all_of(sample_weights_.begin(), sample_weights_.end(),
                       [](const Image* w) { return w == nullptr; });
}

Tile TileGeometry::whole() const {
    const Box all{0, 0, width(), height()};
    return {all, all};
}

std::vector<Tile> TileGeometry::tiles(int across, int down, int overlap, int alignment) const {
    std::vector<Tile> tiles;
    const auto cut = [&](int i, int parts, int low_size) {
        return int(std::int64_t(low_size) * i / parts) * scale_;
    };
    overlap = (overlap + scale_ - 1) / scale_ * scale_;
    const int step = std::lcm(scale_, alignment);
    const auto aligned = [&](const Box& box) {
        const int x0 = box.x0 / step * step;
        const int y0 = box.y0 / step * step;
        return Box{x0, y0, box.x1() - x0, box.y1() - y0};
    };
    for (int j = 0; j < down; ++j)
        for (int i = 0; i < across; ++i) {
            const int x0 = cut(i, across, low_width_);
            const int y0 = cut(j, down, low_height_);
            const Box core{x0, y0, cut(i + 1, across, low_width_) - x0,
                           cut(j + 1, down, low_height_) - y0};
            tiles.push_back({aligned(grown(core, overlap, overlap, width(), height())), core});
        }
    return tiles;
}

DisparityRange::Range TileGeometry::range(const Box& box) const {
    if (!map_is_low_) return range_.within(box);
    const int scale = scale_;
    // A phase moves the pixels of the map by less than one of them.
    const int more = psf_.phase != 0 ? 1 : 0;
    const Box low{std::max(0, box.x0 / scale - more), std::max(0, box.y0 / scale - more),
                  box.width / scale + 2 + 2 * more, box.height / scale + 2 + 2 * more};
    const DisparityRange::Range r = range_.within(low);
    return {r.low * scale, r.high * scale};
}

Box TileGeometry::surroundings(const Box& box) const {
    // A view's pixel that sees the tile may also be seen from places further away, nearer to the
    // camera or further, by the whole range of disparities.
    const DisparityRange::Range all = range({0, 0, width(), height()});
    double steps_x = 0;
    double steps_y = 0;
    for (const ViewCrop& view : views_) {
        steps_x = std::max(steps_x, std::abs(view.u));
        steps_y = std::max(steps_y, std::abs(view.v));
    }
    const auto reach = [&](double steps, int size) {
        const double margin = std::max(psf_.width(), psf_.height()) + fill_radius + 2.0 * scale_;
        return int(std::min(std::ceil(steps * (all.high - all.low) + margin), double(size)));
    };
    return grown(box, reach(steps_x, width()), reach(steps_y, height()), width(), height());
}

Box TileGeometry::seen_of_frame(std::size_t frame, const Box& box) const {
    const FrameMotion& motion = (*motions_)[frame];
    double moves = 0;
    for (const float f : motion.flow.values)
        moves = std::max(moves, double(std::abs(f)));
    const SamplingGrid grid = sampling();
    const FrameMotion back{inverse(motion.matrix), {}};
    double x0 = low_width_;
    double y0 = low_height_;
    double x1 = 0;
    double y1 = 0;
    for (const double x : {grid.to_low(box.x0) - moves, grid.to_low(box.x1()) + moves})
        for (const double y : {grid.to_low(box.y0) - moves, grid.to_low(box.y1()) + moves}) {
            const Place p = back.to_reference({x, y});
            x0 = std::min(x0, p.x);
            y0 = std::min(y0, p.y);
            x1 = std::max(x1, p.x);
            y1 = std::max(y1, p.y);
        }
    constexpr double margin = 3;  // that interpolation looks at
    const auto pixel = [](double p, int size) { return int(std::clamp(p, 0.0, double(size))); };
    const int left = pixel(std::floor(x0) - margin, low_width_);
    const int top = pixel(std::floor(y0) - margin, low_height_);
    return {left, top, pixel(std::ceil(x1) + margin, low_width_) - left,
            pixel(std::ceil(y1) + margin, low_height_) - top};
}

GeometryDesc TileGeometry::outline(const Tile& tile) const {
    const int scale = scale_;
    GeometryDesc desc;
    desc.width = tile.box.width;
    desc.height = tile.box.height;
    desc.scale = scale;
    desc.views = views_;
    desc.psf = psf(tile.box);
    desc.form = form_;
    desc.low_width = low_width_;
    desc.low_height = low_height_;
    if (is_whole(tile.box)) return desc;

    std::vector<Box> seen;
    if (motions_ != nullptr) {
        for (std::size_t k = 0; k < views_.size(); ++k)
            seen.push_back(seen_of_frame(k, tile.box));
    } else {
        const Box around = surroundings(tile.box);
        desc.disparity_x0 = around.x0 - tile.box.x0;
        desc.disparity_y0 = around.y0 - tile.box.y0;
        const DisparityRange::Range near =
            range(grown(tile.box, fill_radius, fill_radius, width(), height()));
        const int margin = (psf_radius() + fill_radius) / scale + 2;
        for (const ViewCrop& view : views_) {
            const Interval x =
                seen_by(view.u, near, tile.box.x0, tile.box.x1(), scale, margin, low_width_);
            const Interval y =
                seen_by(view.v, near, tile.box.y0, tile.box.y1(), scale, margin, low_height_);
            seen.push_back({x.begin, y.begin, x.end - x.begin, y.end - y.begin});
        }
    }
    desc.low_width = 0;
    desc.low_height = 0;
    for (std::size_t k = 0; k < seen.size(); ++k) {
        desc.views[k].x0 = seen[k].x0;
        desc.views[k].y0 = seen[k].y0;
        desc.low_width = std::max(desc.low_width, seen[k].width);
        desc.low_height = std::max(desc.low_height, seen[k].height);
    }
    for (ViewCrop& view : desc.views) {  // one size for all; no crop leaves its view
        view.x0 = std::min(view.x0, low_width_ - desc.low_width) * scale - tile.box.x0;
        view.y0 = std::min(view.y0, low_height_ - desc.low_height) * scale - tile.box.y0;
    }
    return desc;
}

Image TileGeometry::disparity(const Box& box) const {
    if (motions_ != nullptr) return Image(box.width, box.height);
    if (!map_is_low_) return crop(*map_, box);
    // The low-resolution pixels that are interpolated with: one more on the right and below, and
    // with a phase on all sides.
    const int scale = scale_;
    const int more = psf_.phase != 0 ? 1 : 0;
    const auto interval = [&](int begin, int end, int low_size) {
        return Interval{std::max(0, begin / scale - more),
                        std::min(low_size, (end - 1) / scale + 2 + more)};
    };
    const Interval x = interval(box.x0, box.x1(), low_width_);
    const Interval y = interval(box.y0, box.y1(), low_height_);
    const Box low{x.begin, y.begin, x.end - x.begin, y.end - y.begin};
    const int left = box.x0 - low.x0 * scale;
    const int top = box.y0 - low.y0 * scale;
    const Image enlarged =
        enlarge_disparity(crop(*map_, low), sampling(), left + box.width, top + box.height);
    return left == 0 && top == 0 ? enlarged : crop(enlarged, {left, top, box.width, box.height});
}

Box TileGeometry::map_around(const Tile& tile) const {
    if (of_frames()) return {};
    return is_whole(tile.box) ? tile.box : surroundings(tile.box);
}

GeometryDesc TileGeometry::describe(const Tile& tile) const {
    GeometryDesc desc = outline(tile);
    desc.disparity = disparity(map_around(tile));
    return desc;
}

}  // namespace plenosr
