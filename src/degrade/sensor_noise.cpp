#include "degrade/sensor_noise.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "degrade/poisson.h"

namespace plenosr {
namespace {

// Standard normal numbers for each pixel and channel: independent ones, or those smoothed by a
// Gaussian g and divided by sqrt(sum g^2), which restores the variance 1. Numbers outside the
// picture are drawn as well, so that the border is like the rest.
class Normals {
public:
    Normals(const CounterRandom& random, const Image& shape, double sigma) : random_(random) {
        if (sigma == 0) return;
        const int radius = int(std::ceil(3 * sigma));
        std::vector<double> g;
        double squares = 0;
        for (int t = -radius; t <= radius; ++t) {
            g.push_back(std::exp(-double(t) * t / (2 * sigma * sigma)));
            squares += g.back() * g.back();
        }
        for (double& weight : g)
            weight /= std::sqrt(squares);

        const int channels = shape.channels;
        const int tall = shape.height + 2 * radius;
        Image across(shape.width, tall, channels);
        tbb::parallel_for(0, tall, [&](int row) {
            std::vector<double> line(std::size_t(shape.width + 2 * radius));
            for (int c = 0; c < channels; ++c) {
                for (std::size_t i = 0; i < line.size(); ++i)
                    line[i] = random_.gaussian(row - radius, int(i) - radius, c);
                for (int col = 0; col < shape.width; ++col) {
                    double sum = 0;
                    for (std::size_t t = 0; t < g.size(); ++t)
                        sum += g[t] * line[std::size_t(col) + t];
                    across.at(row, col, c) = float(sum);
                }
            }
        });
        smooth_ = Image(shape.width, shape.height, channels);
        tbb::parallel_for(0, shape.height, [&](int row) {
            for (int col = 0; col < shape.width; ++col)
                for (int c = 0; c < channels; ++c) {
                    double sum = 0;
                    for (int t = 0; t <= 2 * radius; ++t)
                        sum += g[std::size_t(t)] * double(across.at(row + t, col, c));
                    smooth_.at(row, col, c) = float(sum);
                }
        });
    }

    double at(int row, int col, int c) const {
        return smooth_.empty() ? random_.gaussian(row, col, c) : double(smooth_.at(row, col, c));
    }

private:
    const CounterRandom& random_;
    Image smooth_;
};

}  // namespace

void add_noise(Image& y, const CounterRandom& random, const DegradeOptions& o, bool round) {
    const double sigma = std::max(o.gaussian, o.read_noise);  // validate(): at most one is set
    const Normals normals(random, y, sigma > 0 ? o.camera.noise_correlation : 0);
    tbb::parallel_for(0, y.height, [&](int row) {
        for (int col = 0; col < y.width; ++col)
            for (int c = 0; c < y.channels; ++c) {
                double value = double(y.at(row, col, c));
                if (o.poisson > 0) {
                    const double photons = o.poisson / 255 * std::max(0.0, value);
                    value = 255 / o.poisson * poisson_variable(photons, [&](unsigned n) {
                                return random.uniform_of_poisson(row, col, c, n);
                            });
                }
                if (sigma > 0) value += sigma * normals.at(row, col, c);
                if (round) value = std::round(value);
                y.at(row, col, c) = float(std::clamp(value, 0.0, 255.0));
            }
    });
}

void add_impulses(Image& y, const CounterRandom& random, double percent) {
    using Draw = CounterRandom::Draw;
    tbb::parallel_for(0, y.height, [&](int row) {
        for (int col = 0; col < y.width; ++col) {
            if (100 * random.uniform(row, col, 0, Draw::impulse) > percent) continue;
            const bool white = random.uniform(row, col, 0, Draw::impulse_value) > 0.5;
            for (int c = 0; c < y.channels; ++c)
                y.at(row, col, c) = white ? 255.0F : 0.0F;
        }
    });
}

}  // namespace plenosr
