#include <algorithm>
#include <array>
#include <cmath>

#include "synth/bump.h"
#include "synth/scene.h"

namespace plenosr::synth {
namespace {

// d(x', y') = base + scale h(x', y'): a cloth with hills and hollows.
class CurvedScene : public Scene {
public:
    explicit CurvedScene(const Stage& stage)
        : bumps_{{{stage.x(0.36), stage.y(0.42), 0.50 * stage.unit, 2.3},
                  {stage.x(0.78), stage.y(0.22), 0.34 * stage.unit, -0.9},
                  {stage.x(0.80), stage.y(0.76), 0.40 * stage.unit, 1.9},
                  {stage.x(0.16), stage.y(0.90), 0.36 * stage.unit, -0.8},
                  {stage.x(0.44), stage.y(0.50), 0.20 * stage.unit, -0.9}}},
          base_(-0.6 * stage.disparity_scale),
          relief_(0.075 * stage.unit),
          fall_(0.03 * stage.unit) {
        const double fold = std::abs(stage.disparity_scale) * greatest_slope(stage) *
                            std::sqrt(stage.max_u * stage.max_u + stage.max_v * stage.max_v);
        scale_ = stage.disparity_scale * (fold > max_fold ? max_fold / fold : 1);
        cloth_.pattern = Pattern::tartan;
        cloth_.seed = 5;
        cloth_.light = {212, 203, 184};
        cloth_.dark = {52, 76, 124};
    }

    // Newton's iteration for f(d) = d - d(x + u d, y + v d) = 0. With |u d_x + v d_y| <= 1/2 the
    // number of correct digits doubles in each step, so that 20 steps are never needed.
    Hit trace(const Ray& ray) const override {
        double d = base_ + scale_ * height(ray.x, ray.y).h;
        for (int step = 0; step < 20; ++step) {
            const Height at = height(ray.x + ray.u * d, ray.y + ray.v * d);
            const double f = d - (base_ + scale_ * at.h);
            d -= f / (1 - scale_ * (ray.u * at.hx + ray.v * at.hy));
            if (std::abs(f) < 1e-6) break;  // the error after this step is of the order of f²
        }
        return {ray.x + ray.u * d, ray.y + ray.v * d, d, 0};
    }

    Rgb colour(const Hit& hit) const override {
        const Height at = height(hit.x, hit.y);
        return shading(at, relief_) *
               colour_at(cloth_, hit.x + fall_ * at.h, hit.y + 0.6 * fall_ * at.h);
    }

private:
    Height height(double x, double y) const { return height_of(bumps_, x, y); }

    // The largest slope on a grid that is much finer than the bumps. max_fold has a margin for
    // points between.
    double greatest_slope(const Stage& stage) const {
        double greatest = 0;
        for (int j = -32; j <= 96; ++j)
            for (int i = -32; i <= 96; ++i) {
                const Height at = height(stage.x(i / 64.0), stage.y(j / 64.0));
                greatest = std::max(greatest, at.hx * at.hx + at.hy * at.hy);
            }
        return std::sqrt(greatest);
    }

    std::array<Bump, 5> bumps_;
    double base_;
    double relief_;  // height of the bumps in the shading, pixels
    double fall_;    // displacement of the threads by the bumps, pixels
    double scale_ = 1;
    Material cloth_;
};

}  // namespace

std::unique_ptr<Scene> curved_scene(const Stage& stage) {
    return std::make_unique<CurvedScene>(stage);
}

}  // namespace plenosr::synth
