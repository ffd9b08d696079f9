#include <algorithm>
#include <array>
#include <cmath>

#include "synth/dice.h"
#include "synth/layered_scene.h"
#include "synth/photo_textures.h"

namespace plenosr::synth {
namespace {

// Builds one layout. All ranges are design choices that make scenes differ; none is tuned. Lengths
// are fractions of the picture's shorter side, depths go from 0 (farthest) to 1 (nearest).
class Builder {
public:
    explicit Builder(const Stage& stage)
        : stage_(stage), dice_(stage.seed), paint_(~stage.seed), photos_(stage.textures) {
        // Most scenes are focused inside (disparity 0 occurs), some behind or before everything.
        span_ = dice_.between(0.6, 3.0);
        const double focus = dice_.uniform();
        const double beside = dice_.between(0.1, 0.8);
        low_ = focus < 0.6   ? -span_ * dice_.between(0.2, 0.8)
               : focus < 0.8 ? beside - 0.1
                             : -span_ - beside;
        low_ = std::clamp(low_, -largest_disparity, largest_disparity - span_);
    }

    std::vector<Layer> build() {
        switch (dice_.below(4)) {
            case 0:
                add_wall();
                break;
            case 1:
                add_hills();
                break;
            case 2:
                add_steps();
                break;
            default:
                add_room();
        }
        const int objects = dice_.from(3, 8);
        for (int i = 0; i < objects; ++i)
            add_object(dice_.between(0.2, 0.9));
        if (dice_.chance(0.3)) add_cluster();
        if (dice_.chance(0.6)) add_rods();
        if (dice_.chance(0.3)) add_grille();
        // Without disparity the order of the layers decides what is on top.
        std::stable_sort(layers_.begin(), layers_.end(), [](const Layer& a, const Layer& b) {
            return a.shape == Shape::everywhere && b.shape != Shape::everywhere;
        });
        return std::move(layers_);
    }

private:
    static constexpr double largest_disparity = 3;

    // The disparity of a depth, before disparity_scale.
    double at_depth(double depth) const { return low_ + span_ * depth; }

    Rgb tint(double low, double high) {
        const double base = paint_.between(low, high);
        const auto channel = [&] { return float(base * paint_.between(0.75, 1.1)); };
        const float r = channel();
        const float g = channel();
        return {r, g, channel()};
    }

    // A material for a surface of at most width x height pixels around its centre. Regular and very
    // fine patterns are for small surfaces: as a background they would decide the whole picture.
    Material material(double width, double height, bool background = false) {
        constexpr int largest = 4096;  // pixels: larger surfaces repeat their texture
        const int columns = std::clamp(int(std::ceil(width)), 4, largest);
        const int rows = std::clamp(int(std::ceil(height)), 4, largest);
        Material m;
        if (!photos_.empty() && (background || paint_.chance(0.75))) {
            m.pattern = Pattern::photo;
            m.photo = photos_.cut(paint_, columns, rows);
            m.s0 = -m.photo->width / 2.0;
            m.t0 = -m.photo->height / 2.0;
            return m;
        }
        constexpr std::array<Pattern, 11> patterns{Pattern::rock,   Pattern::wood,   Pattern::map,
                                                   Pattern::bricks, Pattern::rock,   Pattern::rock,
                                                   Pattern::tartan, Pattern::dots,   Pattern::paper,
                                                   Pattern::bars,   Pattern::stripes};
        constexpr int for_backgrounds = 5;  // the first ones
        m.pattern = patterns[std::size_t(
            paint_.below(background ? for_backgrounds : int(patterns.size())))];
        m.seed = std::uint32_t(paint_.below(1 << 20));
        m.light = tint(150, 240);
        m.dark = tint(20, 90);
        m.s0 = paint_.between(-50, 50);
        m.t0 = paint_.between(-50, 50);
        return m;
    }

    // A surface without edges. The views see beyond the picture by their parallax.
    Layer unbounded(double depth) {
        Layer layer;
        layer.cx = stage_.x(0.5);
        layer.cy = stage_.y(0.5);
        layer.d0 = at_depth(depth) * stage_.disparity_scale;
        const double beyond = 2 * largest_disparity * stage_.disparity_scale;
        layer.material = material(stage_.width + beyond * stage_.max_u,
                                  stage_.height + beyond * stage_.max_v, true);
        return layer;
    }

    // The depth rises by (dx, dy) across the picture.
    void tilt(Layer& layer, double dx, double dy) const {
        layer.gx = dx * span_ * stage_.disparity_scale / stage_.width;
        layer.gy = dy * span_ * stage_.disparity_scale / stage_.height;
    }

    // `height` is a depth.
    void add_bump(Layer& layer, double x, double y, double radius, double height) const {
        layer.bumps.emplace_back(x, y, std::max(radius, 1.0), height * span_);
        layer.bump_scale = stage_.disparity_scale;
        layer.relief = 0.05 * stage_.unit;
    }

    void add_wall() {
        Layer wall = unbounded(dice_.between(0, 0.2));
        tilt(wall, dice_.between(-0.35, 0.35), dice_.between(-0.35, 0.35));
        layers_.push_back(wall);
    }

    void add_hills() {
        Layer ground = unbounded(0.2);
        const int hills = dice_.from(3, 6);
        for (int i = 0; i < hills; ++i) {
            const double x = stage_.x(dice_.uniform());
            const double y = stage_.y(dice_.uniform());
            const double radius = dice_.between(0.3, 0.7) * stage_.unit;
            add_bump(ground, x, y, radius, dice_.between(-0.2, 0.4));
        }
        layers_.push_back(ground);
    }

    // Half planes of constant depth, one before the other, with parallel edges.
    void add_steps() {
        const int steps = dice_.from(3, 7);
        const double half_angle_tangent = dice_.between(-1, 1);
        const double reach = 2 * (stage_.width + stage_.height);
        layers_.push_back(unbounded(0));
        for (int i = 1; i < steps; ++i) {
            Layer step = unbounded(0.7 * i / (steps - 1));
            step.shape = Shape::rectangle;
            step.half_width = step.half_height = reach;
            step.rotate(half_angle_tangent);
            // The edge is at this distance from the middle of the picture.
            const double edge = (double(i) / steps - 0.5) * stage_.unit + reach;
            step.cx -= step.sine * edge;
            step.cy += step.cosine * edge;
            step.material.t0 -= reach;  // the texture begins at the edge
            if (dice_.chance(0.5)) step.shade = 0.04 * stage_.unit;
            layers_.push_back(step);
        }
    }

    // A wall and a floor that meet.
    void add_room() {
        layers_.push_back(unbounded(dice_.between(0, 0.1)));
        Layer floor = unbounded(dice_.between(-0.1, 0.15));
        tilt(floor, dice_.between(-0.1, 0.1), dice_.between(0.8, 1.4));
        layers_.push_back(floor);
    }

    // A card or a disc: plain, tilted or bulging.
    void add_object(double depth) {
        Layer object;
        object.shape = dice_.chance(0.4) ? Shape::disc : Shape::rectangle;
        object.cx = stage_.x(dice_.between(0.05, 0.95));
        object.cy = stage_.y(dice_.between(0.05, 0.95));
        object.half_width = dice_.between(0.06, 0.24) * stage_.unit;
        object.half_height = object.shape == Shape::disc ? object.half_width
                                                         : dice_.between(0.06, 0.24) * stage_.unit;
        object.rotate(dice_.between(-0.4, 0.4));
        object.d0 = at_depth(depth) * stage_.disparity_scale;
        if (dice_.chance(0.6)) tilt(object, dice_.between(-0.5, 0.5), dice_.between(-0.5, 0.5));
        if (dice_.chance(0.4))
            add_bump(object, object.cx, object.cy,
                     1.2 * std::max(object.half_width, object.half_height),
                     dice_.between(-0.15, 0.2));
        object.material = material(2 * object.half_width, 2 * object.half_height);
        if (dice_.chance(0.3)) {
            object.rim = dice_.between(1, 4);
            object.rim_colour = dice_.chance(0.5) ? tint(20, 60) : tint(200, 240);
        }
        if (dice_.chance(0.5)) object.shade = dice_.between(0.01, 0.04) * stage_.unit;
        layers_.push_back(object);
    }

    // Small discs around one place, like leaves or pebbles.
    void add_cluster() {
        const double fx = dice_.between(0.2, 0.8);
        const double fy = dice_.between(0.2, 0.8);
        const double depth = dice_.between(0.2, 0.8);
        const Material common = material(0.1 * stage_.unit, 0.1 * stage_.unit);
        const int count = dice_.from(8, 20);
        for (int i = 0; i < count; ++i) {
            Layer leaf;
            leaf.shape = dice_.chance(0.5) ? Shape::disc : Shape::rectangle;
            leaf.cx = stage_.x(fx + dice_.between(-0.2, 0.2));
            leaf.cy = stage_.y(fy + dice_.between(-0.2, 0.2));
            leaf.half_width = dice_.between(0.012, 0.045) * stage_.unit;
            leaf.half_height = dice_.between(0.006, 0.02) * stage_.unit;
            leaf.rotate(dice_.between(-1, 1));
            leaf.d0 = at_depth(depth + dice_.between(-0.15, 0.15)) * stage_.disparity_scale;
            leaf.material = common;
            leaf.material.s0 += dice_.between(-9, 9);
            leaf.material.t0 += dice_.between(-9, 9);
            layers_.push_back(leaf);
        }
    }

    // Thin rods across the picture; the thickness is in pixels, so that they stay thin at any size.
    void add_rods() {
        const int rods = dice_.from(1, 6);
        for (int i = 0; i < rods; ++i) {
            Layer rod;
            rod.shape = Shape::rectangle;
            rod.cx = stage_.x(dice_.uniform());
            rod.cy = stage_.y(dice_.uniform());
            rod.half_width = dice_.between(0.15, 0.9) * stage_.unit;
            rod.half_height = dice_.between(0.5, 2.5);
            rod.rotate(dice_.between(-1, 1));
            rod.d0 = at_depth(dice_.between(0.4, 1)) * stage_.disparity_scale;
            rod.material.pattern = Pattern::stripes;
            rod.material.light = dice_.chance(0.5) ? tint(150, 240) : tint(30, 110);
            rod.material.dark = 0.7F * rod.material.light;
            layers_.push_back(rod);
        }
    }

    void add_grille() {
        Layer grille;
        grille.shape = Shape::grille;
        grille.cx = stage_.x(dice_.between(0.2, 0.8));
        grille.cy = stage_.y(dice_.between(0.2, 0.8));
        grille.half_width = dice_.between(0.12, 0.35) * stage_.unit;
        grille.half_height = dice_.between(0.12, 0.35) * stage_.unit;
        grille.rotate(dice_.between(-0.6, 0.6));
        grille.period = dice_.between(9, 24);
        grille.bar = dice_.between(1.5, 4);
        grille.crossed = dice_.chance(0.5);
        grille.d0 = at_depth(dice_.between(0.6, 1)) * stage_.disparity_scale;
        grille.material.pattern = Pattern::rock;
        grille.material.light = tint(120, 220);
        grille.material.dark = tint(20, 80);
        layers_.push_back(grille);
    }

    const Stage& stage_;
    Dice dice_;   // of the layout
    Dice paint_;  // of the materials: the layout does not depend on the textures
    PhotoTextures photos_;
    double low_ = 0, span_ = 1;  // smallest disparity, and how far disparities spread
    std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<Scene> random_scene(const Stage& stage) {
    return std::make_unique<LayeredScene>(stage, Builder(stage).build());
}

}  // namespace plenosr::synth
