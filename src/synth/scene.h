#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "plenosr/synth.h"
#include "synth/texture.h"

namespace plenosr::synth {

// The point (x, y) of the view that is u columns and v rows from the centre view.
struct Ray {
    double x = 0, y = 0;
    double u = 0, v = 0;
};

// The surface point that a ray hits, in coordinates of the centre view:
//   x' = x + u d,  y' = y + v d,  with the disparity d of the surface at (x', y').
// Of several surfaces, the one with the largest d is the nearest and hides the others.
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

// Each ray hits a surface d(x', y') once if u d_x + v d_y < 1. Slopes are limited to half of that,
// which only affects small pictures with wide grids. Chosen by reasoning: the margin keeps Newton's
// iteration fast.
inline constexpr double max_fold = 0.5;

// Sizes and options for the functions that build scenes.
struct Stage {
    explicit Stage(const SynthOptions& options);

    double width = 0, height = 0;  // pixels
    double unit = 0;               // the shorter side: the geometry scales with it
    double max_u = 0, max_v = 0;   // distance of the farthest view, steps
    double disparity_scale = 1;
    double flat_disparity = 0;
    std::uint64_t seed = 0;
    std::vector<std::filesystem::path> textures;

    // Pixel coordinates of the fractions (fx, fy) of the picture.
    double x(double fx) const { return fx * width - 0.5; }
    double y(double fy) const { return fy * height - 0.5; }
};

std::unique_ptr<Scene> planes_scene(const Stage& stage);
std::unique_ptr<Scene> discs_scene(const Stage& stage);
std::unique_ptr<Scene> curved_scene(const Stage& stage);
std::unique_ptr<Scene> staircase_scene(const Stage& stage);
std::unique_ptr<Scene> flat_scene(const Stage& stage);
std::unique_ptr<Scene> random_scene(const Stage& stage);

}  // namespace plenosr::synth
