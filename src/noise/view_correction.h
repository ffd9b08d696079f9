#pragma once

#include <array>
#include <vector>

#include "noise/sample_residuals.h"

namespace plenosr {

// What a camera adds to one view beside noise: another exposure, a picture that is not quite in its
// place, a lens that is not quite on the grid,
//   y = offset + (1 + gain) (Bx)(p + (dx, dy) + d (du, dv)),   p the place without them.
struct ViewCorrection {
    double offset = 0;  // grey levels
    double gain = 0;
    double dx = 0;  // high-resolution pixels
    double dy = 0;
    double du = 0;  // steps between views
    double dv = 0;
};

// Least squares for each view, from the residuals r = y - (Bx)(p) of an earlier result x:
//   r = offset + gain Bx + (dx + d du) (Bx)_x + (dy + d dv) (Bx)_y
// with Huber's weights min(1, h / |r|), h = max(2, 1.5 noise) grey levels. The reference defines
// place and brightness and is not corrected. For light fields and the sampling operator.
class CorrectionFit {
public:
    explicit CorrectionFit(std::size_t views) : sums_(views) {}
    // Adds the samples whose places lie in `core`.
    void add(const Problem& problem, const Image& before, const Box& core,
             const ValueLimits& limits, double noise);
    void add(const CorrectionFit& other);
    std::vector<ViewCorrection> corrections() const;

private:
    static constexpr std::size_t unknowns = 6;
    using Row = std::array<double, unknowns>;
    struct Sums {
        std::array<Row, unknowns> matrix{};  // the lower half
        Row right{};
    };
    static Row solution(const Sums& sums);
    std::vector<Sums> sums_;
};

// Moves the places of the samples, and removes offset and gain from those inside the limits.
void correct_views(Problem& problem, const std::vector<ViewCorrection>& corrections,
                   const ValueLimits& limits);

}  // namespace plenosr
