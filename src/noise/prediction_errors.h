#pragma once

#include <cstdint>
#include <vector>

#include "noise/residual_noise.h"
#include "noise/sample_residuals.h"

namespace plenosr {

// Samples that a solve leaves out, so that its result can be compared with them: about one in ten
// of each view, one in five of the reference, chosen by a hash of the view and of the sample's
// place in it. Only samples that the reference surely sees take part, and none that is extreme.
class LeftOutSamples {
public:
    LeftOutSamples() = default;  // none
    // `noise`: grey levels, of which the soft visibility weights were made.
    LeftOutSamples(const Problem& problem, std::size_t reference, const ValueLimits& limits,
                   double noise);

    void leave_out(Problem& problem);       // sets their weights to 0, and keeps the weights
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
//   h(e) = e^2 if |e| <= t, else t (2 |e| - t),    t twice the noise, model error included
// over square cells of the image.
//
// Where the geometry is wrong, the model and the bicubic prediction both look up the samples of
// other views at wrong places. Only the samples of the reference show the error, because the other
// views degrade the result there. The error of the enlarged reference is estimated from its own
// samples, interpolated from their neighbours along rows and columns by (-1, 4, 0, 4, -1) / 6. That
// is harder than enlarging: with its error n,
//   bicubic = 0.3 h(n) + 0.7 s^2,    s^2 the variance of the noise
// (the squared error of bicubic enlargement is 0.16 to 0.5 of n^2 at x2 in 18 photos and rendered
// views, 0.3 in the median, noise apart; that of right results was at most 0.22, usually 0.01 to
// 0.1).
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

    enum class Of { other_views, reference };
    // Adds the samples whose places lie in `core`; both boxes in the coordinates of the image,
    // and the problem's image is `box`.
    void add(Of views, const Problem& problem, std::size_t reference, const LeftOutSamples& samples,
             const Image& result, const Box& box, const Box& core, const ValueLimits& limits,
             const NoiseEstimate& noise);
    void add(const PredictionErrors& part);

    int low_width() const { return low_width_; }  // of the image, or its part
    int low_height() const { return low_height_; }
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
    int low_width_ = 0;
    int low_height_ = 0;
    int across_ = 0;
    int down_ = 0;
    std::vector<Cell> cells_;
};

}  // namespace plenosr
