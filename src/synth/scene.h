#pragma once

#include <memory>

#include "plenosr/synth.h"
#include "synth/texture.h"

namespace plenosr::synth {

// A place (x, y) in the view that lies u columns and v rows from the centre view.
struct Ray {
    double x = 0, y = 0;
    double u = 0, v = 0;
};

// The surface point that a ray meets, in coordinates of the centre view:
//   x' = x + u d,  y' = y + v d,  d the disparity of the surface at (x', y').
// Where several surfaces are met, the one with the largest d is the nearest and hides the others.
struct Hit {
    double x = 0, y = 0;
    double disparity = 0;
    int surface = 0;  // for the scene's own use
};

class Scene {
public:
    virtual ~Scene() = default;
    virtual Hit trace(const Ray& ray) const = 0;
    virtual Rgb colour(const Hit& hit) const = 0;
};

// A surface d(x', y') is met once by each ray if u d_x + v d_y < 1. Slopes are held to half of
// that, which shows only where small pictures meet wide grids.
inline constexpr double max_fold = 0.5;

// What the builders of scenes know.
struct Stage {
    explicit Stage(const SynthOptions& options);

    double width = 0, height = 0;  // pixels
    double unit = 0;               // the shorter of them: scene geometry scales with it
    double max_u = 0, max_v = 0;   // the farthest view, in steps
    double disparity_scale = 1;
    double flat_disparity = 0;

    // Place of the fractions (fx, fy) of the picture.
    double x(double fx) const { return fx * width - 0.5; }
    double y(double fy) const { return fy * height - 0.5; }
};

std::unique_ptr<Scene> planes_scene(const Stage& stage);
std::unique_ptr<Scene> discs_scene(const Stage& stage);
std::unique_ptr<Scene> curved_scene(const Stage& stage);
std::unique_ptr<Scene> staircase_scene(const Stage& stage);
std::unique_ptr<Scene> flat_scene(const Stage& stage);

}  // namespace plenosr::synth
