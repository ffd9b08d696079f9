#include <algorithm>
#include <array>

#include "synth/layered_scene.h"

namespace plenosr::synth {
namespace {

constexpr Rgb cream{234, 227, 208};
constexpr Rgb ink{34, 36, 46};
constexpr Rgb navy{34, 52, 92};
constexpr Rgb brick_red{150, 84, 62};
constexpr Rgb mortar{206, 198, 184};
constexpr Rgb pine_light{214, 176, 122};
constexpr Rgb pine_dark{112, 72, 40};
constexpr Rgb sand{228, 208, 150};
constexpr Rgb sea{44, 98, 126};
constexpr Rgb moss{52, 92, 62};
constexpr Rgb wine{122, 38, 52};
constexpr Rgb frame_dark{26, 26, 30};
constexpr Rgb frame_light{238, 236, 230};

Layer background(const Stage& stage, Material material, double d0) {
    Layer layer;
    layer.cx = stage.x(0.5);
    layer.cy = stage.y(0.5);
    layer.d0 = d0 * stage.disparity_scale;
    layer.material = material;
    return layer;
}

// The disparity rises by (dx, dy) across the picture.
void slant(const Stage& stage, Layer& layer, double dx, double dy) {
    layer.gx = dx * stage.disparity_scale / stage.width;
    layer.gy = dy * stage.disparity_scale / stage.height;
}

// A rectangle. (fx, fy) are fractions of the picture, half sizes are fractions of the shorter side.
Layer card(const Stage& stage, double fx, double fy, double half_width, double half_height,
           double half_angle_tangent, double d0, Material material) {
    Layer layer;
    layer.shape = Shape::rectangle;
    layer.cx = stage.x(fx);
    layer.cy = stage.y(fy);
    layer.half_width = half_width * stage.unit;
    layer.half_height = half_height * stage.unit;
    layer.rotate(half_angle_tangent);
    layer.d0 = d0 * stage.disparity_scale;
    layer.material = material;
    layer.rim = 1.5;
    layer.rim_colour = frame_dark;
    layer.shade = 0.03 * stage.unit;
    return layer;
}

Layer disc(const Stage& stage, double fx, double fy, double radius, double half_angle_tangent,
           double d0, Material material) {
    Layer layer = card(stage, fx, fy, radius, radius, half_angle_tangent, d0, material);
    layer.shape = Shape::disc;
    return layer;
}

// Text begins at the upper left corner inside a margin.
void begin_text(Layer& page) {
    page.margin = 7;
    page.material.s0 = -page.half_width + page.margin;
    page.material.t0 = -page.half_height + page.margin;
}

// A thin strip.
Layer rod(const Stage& stage, double fx, double fy, double half_length, double half_angle_tangent,
          double thickness, double d0, Rgb colour) {
    Layer layer = card(stage, fx, fy, half_length, 0, half_angle_tangent, d0,
                       {Pattern::stripes, 0, colour, 0.7F * colour, 0});
    layer.half_height = thickness / 2;
    layer.rim = 0;
    layer.shade = 0;
    return layer;
}

}  // namespace

std::unique_ptr<Scene> planes_scene(const Stage& stage) {
    const double unit = stage.unit;
    std::vector<Layer> layers;

    Layer table = background(stage, {Pattern::wood, 3, pine_light, pine_dark, 0}, -1.0);
    slant(stage, table, 0.0, 0.9);
    layers.push_back(table);

    Layer page = card(stage, 0.29, 0.36, 0.23, 0.29, 0.06, 0.0, {Pattern::paper, 0, cream, ink, 0});
    slant(stage, page, 1.2, 0.4);
    begin_text(page);
    layers.push_back(page);

    Layer plate = card(stage, 0.74, 0.27, 0.20, 0.20, -0.07, -0.4,
                       {Pattern::zone_plate, 0, cream, navy, 0.20 * unit});
    slant(stage, plate, -0.7, 0.8);
    layers.push_back(plate);

    Layer chart =
        card(stage, 0.73, 0.74, 0.21, 0.17, 0.09, 0.7, {Pattern::bars, 0, frame_light, ink, 0});
    slant(stage, chart, 0.8, 1.0);
    chart.margin = 5;
    layers.push_back(chart);

    Layer cloth =
        card(stage, 0.24, 0.82, 0.20, 0.12, -0.10, 0.9, {Pattern::tartan, 7, cream, wine, 0});
    slant(stage, cloth, -1.0, 0.6);
    cloth.rim = 0;
    layers.push_back(cloth);

    Layer star = disc(stage, 0.50, 0.55, 0.115, 0.03, 1.3,
                      {Pattern::star, 0, frame_light, moss, 0.115 * unit});
    slant(stage, star, 0.5, 0.5);
    layers.push_back(star);

    return std::make_unique<LayeredScene>(stage, std::move(layers));
}

std::unique_ptr<Scene> discs_scene(const Stage& stage) {
    std::vector<Layer> layers;
    Layer wall = background(stage, {Pattern::bricks, 17, mortar, brick_red, 0}, -1.35);
    slant(stage, wall, 0.3, 0.0);
    layers.push_back(wall);

    struct Place {
        double fx, fy, radius, d;
    };
    constexpr std::array<Place, 12> places{{{0.17, 0.18, 0.130, -0.7},
                                            {0.47, 0.15, 0.090, 0.2},
                                            {0.79, 0.20, 0.140, -0.4},
                                            {0.30, 0.36, 0.100, 0.6},
                                            {0.61, 0.39, 0.120, -0.1},
                                            {0.88, 0.46, 0.095, 0.9},
                                            {0.12, 0.55, 0.095, 0.1},
                                            {0.40, 0.60, 0.125, 1.1},
                                            {0.69, 0.65, 0.090, 0.4},
                                            {0.20, 0.83, 0.120, 0.8},
                                            {0.55, 0.86, 0.100, -0.5},
                                            {0.84, 0.82, 0.130, 1.4}}};
    const std::array<Material, 6> materials{{{Pattern::zone_plate, 1, cream, sea, 0},
                                             {Pattern::tartan, 3, cream, moss, 0},
                                             {Pattern::paper, 2, sand, ink, 0},
                                             {Pattern::star, 4, frame_light, wine, 0},
                                             {Pattern::map, 5, sand, sea, 0},
                                             {Pattern::dots, 6, cream, navy, 0}}};
    for (std::size_t i = 0; i < places.size(); ++i) {
        const Place& at = places[i];
        Material material = materials[(i * 5 + i / 6) % materials.size()];
        material.seed += unsigned(10 * i);
        material.size = at.radius * stage.unit;
        layers.push_back(
            disc(stage, at.fx, at.fy, at.radius, 0.08 * (int(i % 5) - 2), at.d, material));
    }

    // The thickness is in pixels, so that rods stay thin at any size.
    layers.push_back(rod(stage, 0.30, 0.50, 0.8, 0.62, 4.0, 1.25, {236, 214, 130}));
    layers.push_back(rod(stage, 0.62, 0.50, 0.8, -0.78, 3.0, 0.7, {90, 190, 200}));
    layers.push_back(rod(stage, 0.50, 0.27, 0.9, 0.06, 2.0, 1.0, {232, 232, 232}));
    layers.push_back(rod(stage, 0.50, 0.72, 0.9, -0.10, 2.5, -0.2, {238, 150, 90}));
    layers.push_back(rod(stage, 0.93, 0.50, 0.8, 0.90, 1.5, 0.3, {225, 225, 160}));
    layers.push_back(rod(stage, 0.07, 0.50, 0.8, -0.95, 1.5, -0.6, {210, 230, 240}));
    return std::make_unique<LayeredScene>(stage, std::move(layers));
}

std::unique_ptr<Scene> staircase_scene(const Stage& stage) {
    constexpr int steps = 7;
    const std::array<Material, steps> materials{{{Pattern::bricks, 5, mortar, brick_red, 0},
                                                 {Pattern::paper, 3, cream, navy, 0},
                                                 {Pattern::wood, 9, pine_light, pine_dark, 0},
                                                 {Pattern::tartan, 2, cream, moss, 0},
                                                 {Pattern::map, 8, sand, sea, 0},
                                                 {Pattern::bars, 1, frame_light, wine, 0},
                                                 {Pattern::dots, 4, sand, navy, 0}}};
    std::vector<Layer> layers{background(stage, materials[0], -1.5)};
    // Step i covers everything below its edge. Edges rise to the right by 10 to 15 degrees.
    const double reach = 2 * (stage.width + stage.height);
    for (int i = 1; i < steps; ++i) {
        const double edge = double(i) / steps;
        Layer step = card(stage, 0.5, edge, 0, 0, -0.09 - 0.02 * (i % 3), -1.5 + 0.5 * i,
                          materials[std::size_t(i)]);
        step.half_width = step.half_height = reach;
        // The edge passes through (0.5, edge): the centre lies `reach` below it.
        step.cx -= step.sine * reach;
        step.cy += step.cosine * reach;
        step.material.t0 = -reach + 5;  // patterns begin at the edge
        step.rim = 3;
        step.rim_colour = frame_light;
        step.shade = 0.04 * stage.unit;
        layers.push_back(step);
    }
    return std::make_unique<LayeredScene>(stage, std::move(layers));
}

std::unique_ptr<Scene> flat_scene(const Stage& stage) {
    const double unit = stage.unit;
    std::vector<Layer> layers{
        background(stage, {Pattern::map, 21, sand, moss, 0}, 0),
        card(stage, 0.20, 0.78, 0.14, 0.14, 0, 0, {Pattern::tartan, 7, cream, wine, 0}),
        card(stage, 0.77, 0.77, 0.19, 0.19, 0, 0, {Pattern::bars, 0, frame_light, ink, 0}),
        card(stage, 0.23, 0.24, 0.19, 0.19, 0, 0, {Pattern::paper, 0, cream, ink, 0}),
        disc(stage, 0.82, 0.24, 0.14, 0, 0, {Pattern::star, 0, frame_light, navy, 0.14 * unit}),
        disc(stage, 0.50, 0.50, 0.20, 0, 0,
             {Pattern::zone_plate, 0, frame_light, ink, 0.20 * unit}),
    };
    for (Layer& layer : layers) {
        layer.d0 = stage.flat_disparity;
        layer.shade = 0;
        if (layer.material.pattern == Pattern::paper) begin_text(layer);
    }
    return std::make_unique<LayeredScene>(stage, std::move(layers));
}

}  // namespace plenosr::synth
