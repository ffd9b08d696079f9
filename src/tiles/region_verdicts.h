#pragma once

#include "noise/prediction_errors.h"

namespace plenosr {

// Which regions of a picture a result predicts worse than the reference alone does: samples of the
// other views, or those of the reference itself.
//
// Regions are rectangles of whole cells, at least 32 x 32 low-resolution pixels. For a region with
// the difference D = sum of (h of the model - h of bicubic) over its n samples, the cells c have
//   u_c = D_c - n_c D / n,    variance of D = sum u_c^2 + 2 sum u_c u_c'  (neighbours c, c')
// so that the samples of one cell may depend on each other in any way, and those of neighbouring
// cells too. The result is significantly worse there if D exceeds its standard deviation by the
// factor that chance exceeds in 1 of 1000 pictures (all regions and both tests together), and if
// D / n > (0.5 grey levels)^2: less cannot be seen. If the same test finds the whole picture worse,
// regions need no significance of their own: D / n above that bound suffices.
class RegionVerdicts {
public:
    static constexpr int least_side_px = 32;  // low-resolution pixels

    // `allowance`: factor of what bicubic is worth for the reference's samples.
    RegionVerdicts(const PredictionErrors& others, const PredictionErrors& reference,
                   double allowance = 1);
    void reject_all();  // every region is worse

    int regions() const { return regions_; }
    int better() const { return better_; }
    int worse() const { return worse_; }
    // Of the other views' samples.
    double rms_model() const { return rms_model_; }
    double rms_bicubic() const { return rms_bicubic_; }
    // A pixel for each region: by how many grey levels (root mean square) the result predicts the
    // other views better than bicubic; NaN where there are too few samples.
    const Image& gains() const { return gains_; }
    // How much of the enlarged reference the pixels of a picture get: 1 in regions that are
    // significantly worse, 0 in others, with smooth ramps across their borders. One row of the
    // picture per call of row().
    class Shares {
    public:
        Shares(const RegionVerdicts& verdicts, int width, int height, int scale);
        const std::vector<float>& row(int y);

    private:
        const RegionVerdicts& verdicts_;
        std::vector<std::vector<float>> across_;  // ramps of the columns of regions
        std::vector<std::vector<float>> down_;
        std::vector<float> shares_;
    };

private:
    bool is_worse(std::size_t row, std::size_t col) const {
        return is_worse_[row * std::size_t(across_) + col];
    }

    int cells_across_;
    int cells_down_;
    int across_;  // regions
    int down_;
    int regions_ = 0;
    int better_ = 0;
    int worse_ = 0;
    double rms_model_ = 0;
    double rms_bicubic_ = 0;
    std::vector<bool> is_worse_;
    Image gains_;
};

}  // namespace plenosr
