#pragma once

#include <mutex>
#include <optional>

#include "noise/automatic_lambda.h"
#include "noise/residual_noise.h"
#include "problem/mean_weight.h"
#include "tiles/prepare_tile.h"

namespace plenosr {

// What must be the same for all tiles of an image, gathered over them.
struct ImageStatistics {
    NoiseEstimate noise;
    double texture = 0;  // of the pilot, less about what the noise adds to it
    double detail = 0;   // of the pilot, less what noise and impulses add to it
    float mean_weight = 1;
    std::size_t samples = 0;            // that take part, per channel
    double weight = 0;                  // sum of their m
    double lambda_factor = 1;           // applied to the automatic lambda
    std::optional<double> lambda = {};  // known beforehand
};

// The tile's core in the tile's coordinates. At the image's border it has no end: samples may lie
// beyond.
Box owned(const Setup& setup, const Tile& tile);

// The noise of each view, from the view alone.
std::vector<double> noise_of_views(const LightFieldView& light_field);
// Whether the views' own noise decides how much they count: not for frames, which have weights of
// their own, and only if visibility is soft.
bool weights_views_by_noise(const Setup& setup);

// How much the samples of view k count beside those of the median view, whose noise is s:
//   min(1, (1.5 s / s_k)^2)
double weight_of_view(const std::vector<double>& noise_of_views, std::size_t k);

class Survey {
public:
    // `shared`: statistics of another view of the same light field; noise, texture and weights are
    // then taken from there, and only this view's samples are counted. It must outlive the survey.
    Survey(const Setup& setup, std::size_t views, std::vector<double> noise_of_views,
           std::size_t tiles, const ValueLimits& limits, const ImageStatistics* shared);
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
    void count_samples(const Tile& tile, const PreparedTile& prepared, Part& part) const;
    ImageStatistics measured() const;  // without the counts of samples

    const Setup& setup_;
    std::size_t views_;
    std::vector<double> noise_of_views_;
    const ImageStatistics* shared_;
    std::mutex mutex_;
    ResidualNoise noise_;      // the order of residuals changes nothing
    std::vector<Part> parts_;  // added in the order of the tiles
};

}  // namespace plenosr
