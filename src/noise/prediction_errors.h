#pragma once

#include <cstdint>
#include <vector>

#include "noise/sample_residuals.h"

namespace plenosr {

// Samples that a solve leaves out, so that its result can be compared with them: about one in ten
// of each view but the reference, chosen by a hash of the view and of the sample's place in it. Only
// samples that the reference surely sees take part, and none that is extreme.
class LeftOutSamples {
public:
    LeftOutSamples() = default;  // none
    // `noise`: grey levels, of which the soft visibility weights were made.
    LeftOutSamples(const Problem& problem, std::size_t reference, const ValueLimits& limits,
                   double noise);

    void leave_out(Problem& problem);      // sets their weights to 0, and keeps the weights
    void put_back(Problem& problem) const;  // the weights as they were
    std::size_t bytes() const { return samples_.capacity() * sizeof(Sample); }

    struct Sample {
        std::uint32_t view;
        std::uint32_t pixel;
        float weight;
    };
    const std::vector<Sample>& samples() const { return samples_; }

private:
    std::vector<Sample> samples_;
};

// How well left-out samples y are predicted at their places p by a result x and by the reference
// view r alone:
//   model    y - (Bx)(p)
//   bicubic  y - r(p), the low-resolution reference interpolated at that place, without the blur
// Sums of Huber's loss h of both,
//   h(e) = e^2 if |e| <= t, else t (2 |e| - t),
// over square cells of the image.
class PredictionErrors {
public:
    static constexpr int cell_px = 4;  // low-resolution pixels on each side of a cell

    struct Cell {
        double samples = 0;
        double model = 0;
        double bicubic = 0;
    };

    PredictionErrors() = default;
    // Of an image, or of the part of it that is `box`, high resolution.
    PredictionErrors(const Box& box, int scale);

    // Adds the samples whose places lie in `core`; both boxes in the coordinates of the image,
    // and the problem's image is `box`.
    void add(const Problem& problem, std::size_t reference, const LeftOutSamples& samples,
             const Image& result, const Box& box, const Box& core, const ValueLimits& limits,
             double threshold);
    void add(const PredictionErrors& part);

    int cells_across() const { return across_; }
    int cells_down() const { return down_; }
    Cell& at(int row, int col) {
        return cells_[std::size_t(row) * std::size_t(across_) + std::size_t(col)];
    }
    const Cell& at(int row, int col) const {
        return cells_[std::size_t(row) * std::size_t(across_) + std::size_t(col)];
    }

private:
    int side_ = 1;     // of a cell, high-resolution pixels
    int first_x_ = 0;  // the first column of cells, counted from the image's border
    int first_y_ = 0;
    int across_ = 0;
    int down_ = 0;
    std::vector<Cell> cells_;
};

}  // namespace plenosr
