#include "synth/layered_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace plenosr::synth {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// d at (x', y') of the centre view
double disparity_at(const Layer& layer, double x, double y) {
    const double plane = layer.d0 + layer.gx * (x - layer.cx) + layer.gy * (y - layer.cy);
    return layer.bumps.empty() ? plane : plane + layer.bump_scale * height_of(layer.bumps, x, y).h;
}

// Solves d = d0 + gx (x' - cx) + gy (y' - cy) + bumps with x' = x + u d and y' = y + v d for d: in
// closed form without bumps, else by Newton's iteration, as in the scene `curved`.
double disparity_on(const Layer& layer, const Ray& ray) {
    if (layer.bumps.empty()) {
        if (layer.gx == 0 && layer.gy == 0) return layer.d0;
        return disparity_at(layer, ray.x, ray.y) / (1 - layer.gx * ray.u - layer.gy * ray.v);
    }
    double d = layer.d0;
    for (int step = 0; step < 20; ++step) {
        const double x = ray.x + ray.u * d;
        const double y = ray.y + ray.v * d;
        const Height at = height_of(layer.bumps, x, y);
        const double f = d - (layer.d0 + layer.gx * (x - layer.cx) + layer.gy * (y - layer.cy) +
                              layer.bump_scale * at.h);
        d -= f / (1 - ray.u * (layer.gx + layer.bump_scale * at.hx) -
                  ray.v * (layer.gy + layer.bump_scale * at.hy));
        if (std::abs(f) < 1e-6) break;
    }
    return d;
}

double greatest_disparity(const Layer& layer) {
    const double slope = std::abs(layer.gx) + std::abs(layer.gy);
    double bumps = 0;
    for (const Bump& bump : layer.bumps)
        bumps += std::max(0.0, layer.bump_scale * bump.a);
    if (slope == 0) return layer.d0 + bumps;
    if (layer.shape == Shape::everywhere) return infinity;
    return layer.d0 + slope * (layer.half_width + layer.half_height) + bumps;
}

}  // namespace

void Layer::rotate(double t) {
    cosine = (1 - t * t) / (1 + t * t);
    sine = 2 * t / (1 + t * t);
}

bool Layer::covers(double x, double y) const {
    const double dx = x - cx;
    const double dy = y - cy;
    switch (shape) {
        case Shape::everywhere:
            return true;
        case Shape::rectangle:
            return std::abs(cosine * dx + sine * dy) < half_width &&
                   std::abs(cosine * dy - sine * dx) < half_height;
        case Shape::disc:
            return dx * dx + dy * dy < half_width * half_width;
        case Shape::grille: {
            const double lx = local_x(x, y) + half_width;  // 0 at the edge
            const double ly = local_y(x, y) + half_height;
            if (lx < 0 || ly < 0 || lx > 2 * half_width || ly > 2 * half_height) return false;
            const auto on_bar = [&](double t) { return t - period * int(t / period) < bar; };
            return on_bar(lx) || (crossed && on_bar(ly));
        }
    }
    return false;
}

double Layer::inside(double lx, double ly) const {
    switch (shape) {
        case Shape::everywhere:
            return infinity;
        case Shape::rectangle:
        case Shape::grille:
            return std::min(half_width - std::abs(lx), half_height - std::abs(ly));
        case Shape::disc:
            return half_width - std::sqrt(lx * lx + ly * ly);
    }
    return 0;
}

LayeredScene::LayeredScene(const Stage& stage, std::vector<Layer> layers)
    : layers_(std::move(layers)) {
    for (Layer& layer : layers_) {
        double fold = std::abs(layer.gx) * stage.max_u + std::abs(layer.gy) * stage.max_v;
        for (const Bump& bump : layer.bumps)
            fold += std::abs(layer.bump_scale) * bump.greatest_slope() *
                    std::sqrt(stage.max_u * stage.max_u + stage.max_v * stage.max_v);
        const double limit = fold > max_fold ? max_fold / fold : 1;
        layer.gx *= limit;
        layer.gy *= limit;
        layer.bump_scale *= limit;
    }
    // From near to far, so that trace() can stop early.
    std::reverse(layers_.begin(), layers_.end());
    std::stable_sort(layers_.begin(), layers_.end(), [](const Layer& a, const Layer& b) {
        return greatest_disparity(a) > greatest_disparity(b);
    });
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer& layer = layers_[i];
        max_disparity_.push_back(greatest_disparity(layer));
        if (layer.shape == Shape::everywhere || layer.shade <= 0) continue;
        const double w = layer.half_width + layer.shade;
        const double h = layer.shape == Shape::disc ? 0 : layer.half_height + layer.shade;
        casters_.push_back({i, std::sqrt(w * w + h * h)});
    }
}

Hit LayeredScene::trace(const Ray& ray) const {
    Hit nearest;
    nearest.disparity = -infinity;
    for (std::size_t i = 0; i < layers_.size() && max_disparity_[i] > nearest.disparity; ++i) {
        const Layer& layer = layers_[i];
        const double d = disparity_on(layer, ray);
        if (d <= nearest.disparity) continue;
        const double x = ray.x + ray.u * d;
        const double y = ray.y + ray.v * d;
        if (!layer.covers(x, y)) continue;
        nearest = {x, y, d, int(i)};
    }
    return nearest;
}

Rgb LayeredScene::colour(const Hit& hit) const {
    const Layer& layer = layers_[std::size_t(hit.surface)];
    const double lx = layer.local_x(hit.x, hit.y);
    const double ly = layer.local_y(hit.x, hit.y);
    const double edge = layer.inside(lx, ly);
    Rgb colour = edge < layer.rim      ? layer.rim_colour
                 : edge < layer.margin ? layer.material.light
                                       : colour_at(layer.material, lx, ly);
    if (layer.relief > 0)
        colour = shading(height_of(layer.bumps, hit.x, hit.y), layer.relief) * colour;

    // A soft shadow that belongs to the surface: it has the same place in every view.
    for (const Caster& caster : casters_) {
        const Layer& above = layers_[caster.layer];
        const double dx = hit.x - above.cx;
        const double dy = hit.y - above.cy;
        if (dx * dx + dy * dy >= caster.reach * caster.reach) continue;
        if (&above == &layer || disparity_at(above, hit.x, hit.y) <= hit.disparity) continue;
        const double distance =
            -above.inside(above.local_x(hit.x, hit.y), above.local_y(hit.x, hit.y));
        if (distance >= above.shade) continue;
        const float depth = 1 - float(std::max(distance, 0.0) / above.shade);
        colour = (1 - 0.5F * depth * depth) * colour;
    }
    return colour;
}

}  // namespace plenosr::synth
