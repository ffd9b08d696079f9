#include "cases.h"

#include <cmath>

#include "problem/geometry.h"

namespace plenosr::bench {
namespace {

double texture(double x, double y) {
    return 128 + 50 * std::sin(0.11 * x + 0.05 * y) * std::cos(0.07 * y) +
           30 * std::sin(0.9 * x) * std::sin(0.7 * y) + 20 * (std::sin(0.031 * x * y / 64) > 0);
}

double noise(std::size_t i) {  // about ±2 grey levels, the same on every machine
    const auto mixed = (std::uint64_t(i) + 1) * 0x9E3779B97F4A7C15ULL;
    return 4 * (double(mixed >> 40) / double(1 << 24) - 0.5);
}

Image disparity_map(int size) {
    Image d(size, size);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            const double u = 2.0 * x / size - 1;
            const double v = 2.0 * y / size - 1;
            double value = -1.2 + 0.9 * v + 0.15 * std::sin(5 * u);                // ground
            if (std::hypot(u + 0.3, v + 0.2) < 0.4) value = 0.4 + 0.3 * u;         // disc
            if (std::abs(u - 0.4) < 0.25 && std::abs(v - 0.2) < 0.5) value = 1.1;  // plate
            if (std::abs(u - 0.5 * v) < 0.04) value = 1.5;                         // thin rod
            d.at(y, x) = float(value);
        }
    return d;
}

}  // namespace

Problem make_problem(const Case& c) {
    Problem p;
    p.width = c.size;
    p.height = c.size;
    p.scale = c.scale;
    p.psf = make_psf(BlurSpec{}, c.scale);
    p.directions = prior_directions(Prior::weighted, c.radius);
    p.weights.adaptive = true;

    LightField field;
    const int half = c.grid / 2;
    for (int row = -half; row <= half; ++row)
        for (int col = -half; col <= half; ++col)
            field.views.push_back({{double(row), double(col)}, {}});
    const auto geometry = view_geometry(
        whole_image(field, {0, 0}, disparity_map(c.size), p.psf, c.scale, OperatorForm::sampling),
        {});
    std::size_t place = 0;
    for (const ViewGeometry& g : geometry) {
        Observation o{g.crop.u, g.crop.v, Image(g.disparity.width, g.disparity.height), g.disparity,
                      visibility_weight(g, Visibility::soft, 2.0)};
        for (int i = 0; i < o.values.height; ++i)
            for (int j = 0; j < o.values.width; ++j) {
                const double d = double(o.disparity.at(i, j));
                o.values.at(i, j) =
                    float(texture(c.scale * j + o.u * d, c.scale * i + o.v * d) + noise(place++));
            }
        p.observations.push_back(std::move(o));
    }
    return p;
}

std::vector<float> start_image(const Case& c) {
    std::vector<float> x;
    for (int i = 0; i < c.size; ++i)
        for (int j = 0; j < c.size; ++j)
            x.push_back(float(texture(0.98 * j, i) + noise(x.size())));
    return x;
}

SamplePositions sample_positions(const Problem& problem) {
    SamplePositions s;
    for (const Observation& o : problem.observations)
        for (int i = 0; i < problem.low_height(); ++i)
            for (int j = 0; j < problem.low_width(); ++j) {
                const float m = o.weight.empty() ? 1.0F : o.weight.at(i, j);
                if (m <= 0.0F) continue;
                const double d = double(o.disparity.at(i, j));
                s.positions.push_back(Position::at(o.x0 + problem.scale * j + o.u * d,
                                                   o.y0 + problem.scale * i + o.v * d));
                s.weights.push_back(m);
            }
    return s;
}

}  // namespace plenosr::bench
