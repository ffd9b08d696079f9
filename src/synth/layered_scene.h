#pragma once

#include <vector>

#include "synth/bump.h"
#include "synth/scene.h"

namespace plenosr::synth {

// A grille is a rectangle of bars with gaps between them, along one axis or both.
enum class Shape { everywhere, rectangle, disc, grille };

// A surface with d = d0 + gx (x' - cx) + gy (y' - cy) + bump_scale h(x', y'), bounded by a shape
// that is rotated about (cx, cy) in the centre view. h is the sum of the bumps.
struct Layer {
    Shape shape = Shape::everywhere;
    double cx = 0, cy = 0;                   // centre, pixels
    double half_width = 0, half_height = 0;  // of a rectangle; half_width is a disc's radius
    double cosine = 1, sine = 0;             // of the rotation
    double d0 = 0, gx = 0, gy = 0;           // disparity, and its slopes per pixel
    std::vector<Bump> bumps;                 // places and radii in pixels, heights in disparity
    double bump_scale = 1;
    double relief = 0;           // height of a bump of 1 in the shading, pixels
    double period = 0, bar = 0;  // of a grille: distance and width of the bars, pixels
    bool crossed = false;        // of a grille: bars along both axes
    Material material;
    double rim = 0;     // pixels from the edge that have the colour rim_colour
    double margin = 0;  // pixels from the edge that have the material's light colour
    Rgb rim_colour;
    double shade = 0;  // width of its shadow on the layers beneath, pixels

    // Rotates by the angle with tan(angle / 2) = t, clockwise on the screen. This form needs no
    // trigonometric functions, whose results differ between machines.
    void rotate(double t);
    double local_x(double x, double y) const { return cosine * (x - cx) + sine * (y - cy); }
    double local_y(double x, double y) const { return cosine * (y - cy) - sine * (x - cx); }
    bool covers(double x, double y) const;
    // The distance to the edge, positive inside; in the maximum norm for rectangles.
    double inside(double lx, double ly) const;
};

class LayeredScene : public Scene {
public:
    // Of layers with equal disparity, the later ones lie on top. Slopes and bumps are limited by
    // max_fold.
    LayeredScene(const Stage& stage, std::vector<Layer> layers);

    Hit trace(const Ray& ray) const override;
    Rgb colour(const Hit& hit) const override;

private:
    struct Caster {
        std::size_t layer;
        double reach;  // the shadow lies within this distance of the layer's centre
    };

    std::vector<Layer> layers_;
    std::vector<double> max_disparity_;  // per layer, in descending order
    std::vector<Caster> casters_;
};

}  // namespace plenosr::synth
