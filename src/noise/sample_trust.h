#pragma once

#include <cstdint>
#include <vector>

#include "noise/sample_residuals.h"

namespace plenosr {

// Weights of the samples of a light field, from the residuals of an earlier result.
// Gloss, transparency, wrong disparities and faults of the camera make the views differ in some
// places by much more than the noise. Neighbouring pixels of the fine grid are seen by different
// views, so x would get dots there. Besides, the place of the reference is exact, while those of
// the other views are not. So a sample gets the weight
//   m 1.25 / rho        of another view;   rho = s^2 / a, between 0.3 and 64
//   m max(1, c a / b)   of the reference;      c = 2.5 + (f - 1) (min(8, max(2.5, 5 / b)) - 2.5)
//   s^2 = G_3 * (m r^2) / G_3 * m     around a pixel, over the other views; r^2 is clipped
//   a = (1.4826 median |r|)^2 of all other views, at least 0.7^2; b of the reference, at least
//   0.4^2
//   f the factor for wide blurs that lambda has too (automatic_lambda.h), from 1 to 2
// with r = y - (Bx)(place) - e, where e is the local mean of y - (Bx)(place) over all views. e is
// the error of the earlier result itself: it is the same in all views, so it is no difference
// between them.
//
// The prior pulls edges by about lambda sigma^2 / weight grey levels. Where the blur is narrow,
// lambda is large, and errors of some grey levels at strong edges do less harm than such a pull.
// Hence the weight of another view's sample is at least
//   m min(1, lambda sigma^2 / (1 grey level)) min(1, (2 sigma^2 + 6^2) / s^2)^2
// where the last factor lowers the bound for differences that are visible.
// For light fields and the sampling operator.
struct TrustScale {
    double others = 1;     // a, squared grey levels
    double reference = 1;  // b
};

// The residuals of one tile.
class TrustResiduals {
public:
    TrustResiduals(const Problem& problem, const Image& before, const ValueLimits& limits);
    // Counts of |r|, for the medians of the whole image. Whole numbers: neither the tiles nor their
    // order change the result.
    struct Counts {
        std::vector<std::uint32_t> others, reference;
        void add(const Counts& more);
        TrustScale scale() const;
    };
    // The samples whose places lie in `core`.
    Counts counts(const Problem& problem, const Box& core) const;
    // s^2 around each pixel of the tile, with r^2 clipped to `most`.
    Image squares(const Problem& problem, double most) const;

private:
    std::vector<Image> of_views_;  // r for each sample; NaN: not known
};

// Applies the weights above; `noise` is sigma, `pull` is lambda sigma^2, grey levels; `blur_factor`
// is f. Returns the factors of the other views' samples at each pixel.
Image weight_by_trust(Problem& problem, const TrustResiduals& residuals, const TrustScale& scale,
                      double noise, double pull, double blur_factor);

}  // namespace plenosr
