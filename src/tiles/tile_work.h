#pragma once

#include <mutex>

#include "base/memory_count.h"
#include "noise/automatic_lambda.h"
#include "noise/residual_noise.h"
#include "problem/mean_weight.h"
#include "problem/pilot.h"
#include "tiles/tiling.h"

namespace plenosr {

// What a tile's problem is made from: the views' crops as the solver sees them, the geometry, the
// pilot image.
struct PreparedTile {
    std::vector<Image> views;
    std::vector<ViewGeometry> geometry;
    Image disparity;  // high resolution
    Image enlarged;   // the reference view, bicubic
    MedianImage pilot;
    Charge charge;  // of the engine's count
};

// The views of the light field that take part, and the reference among them.
struct Views {
    const LightField& light_field;
    std::size_t reference;
    Colour colour;
};

// io -> views -> geometry -> pilot, for one tile
PreparedTile prepare_tile(Engine& engine, const Tiling& tiling, const Views& views,
                          const Tile& tile, const Progress& progress);

// What must be the same for all tiles, gathered over them.
struct ImageStatistics {
    NoiseEstimate noise;
    double texture = 0;  // of the pilot, less what the noise adds to it, about
    double detail = 0;   // … less what noise and impulses add to it
    float mean_weight = 1;
    std::size_t samples = 0;   // that take part, per channel
    double weight = 0;         // sum of their m
    double lambda_factor = 1;  // of what the rule says, where a trial has shown it to be too much
};

// Each view's own noise, from the whole view; empty for frames, which have their trust, and where
// visibility is not soft: all views count alike then.
std::vector<double> noise_of_views(const Tiling& tiling, const LightField& light_field);

class Survey {
public:
    Survey(const Tiling& tiling, std::size_t views, std::vector<double> noise_of_views,
           std::size_t tiles, const ValueLimits& limits);
    void add(std::size_t index, const Tile& tile, const PreparedTile& prepared);  // by any thread
    ImageStatistics result() const;
    std::size_t bytes() const;

private:
    struct Part {
        Texture texture;
        MeanWeight weight;
        std::size_t samples = 0;
        std::vector<double> by_visible;  // samples, shared out between the two nearest bins
    };
    const Tiling& tiling_;
    std::size_t views_;
    std::vector<double> noise_of_views_;
    std::mutex mutex_;
    ResidualNoise noise_;      // the order of residuals changes nothing
    std::vector<Part> parts_;  // added in the order of the tiles
};

// The tile's problem; takes what it needs of the prepared tile, and leaves the rest empty.
struct TileProblem {
    Problem problem;
    Image start;
    Charge charge;
};
TileProblem tile_problem(const Tiling& tiling, const Tile& tile, NormalForm normal,
                         const ImageStatistics& wide, const ValueLimits& limits,
                         PreparedTile prepared);

}  // namespace plenosr
