#pragma once

#include <vector>

#include "synth/scene.h"

namespace plenosr::synth {

enum class Shape { everywhere, rectangle, disc };

// A flat piece of surface with d = d0 + gx (x' - cx) + gy (y' - cy), cut out in a shape that lies
// turned about (cx, cy) in the centre view.
struct Layer {
    Shape shape = Shape::everywhere;
    double cx = 0, cy = 0;                   // centre, pixels
    double half_width = 0, half_height = 0;  // of a rectangle; half_width is a disc's radius
    double cosine = 1, sine = 0;             // of the turn
    double d0 = 0, gx = 0, gy = 0;           // disparity, and its slopes per pixel
    Material material;
    double rim = 0;     // so far from the edge, in pixels, all is of the colour rim_colour,
    double margin = 0;  // and so far it is the material's light colour
    Rgb rim_colour;
    double shade = 0;  // how far its shadow reaches over what lies beneath, pixels

    // The turn with tan(angle / 2) = t, clockwise on the screen: no trigonometric function needed.
    void turn(double t);
    double local_x(double x, double y) const { return cosine * (x - cx) + sine * (y - cy); }
    double local_y(double x, double y) const { return cosine * (y - cy) - sine * (x - cx); }
    bool covers(double x, double y) const;
    // Distance to the edge: positive inside, negative outside (of a rectangle, in the maximum
    // norm).
    double inside(double lx, double ly) const;
};

class LayeredScene : public Scene {
public:
    // Of layers in one plane the later ones lie on top. The slopes are limited to what the stage
    // allows.
    LayeredScene(const Stage& stage, std::vector<Layer> layers);

    Hit trace(const Ray& ray) const override;
    Rgb colour(const Hit& hit) const override;

private:
    struct Caster {
        std::size_t layer;
        double reach;  // no shadow farther than this from the layer's centre
    };

    std::vector<Layer> layers_;
    std::vector<double> max_disparity_;  // falling
    std::vector<Caster> casters_;
};

}  // namespace plenosr::synth
