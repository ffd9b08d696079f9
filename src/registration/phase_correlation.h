#pragma once

#include "plenosr/motion.h"

namespace plenosr {

// The shift d, in whole pixels, for which moved(p + d) looks most like image(p): the peak of
//   F^-1 ( F(moved) conj F(image) / |F(moved) F(image)| G )
// with a Hann window on both and a Gaussian G that leaves the frequencies out which noise and
// aliasing fill. One channel, equal sizes; shifts beyond half of the size come out wrong.
Place phase_correlation(const Image& image, const Image& moved);

}  // namespace plenosr
