#pragma once

#include "plenosr/motion.h"

namespace plenosr {

// The shift d, in whole pixels, for which moved(p + d) is most similar to image(p): the peak of
//   F^-1 ( F(moved) conj F(image) / |F(moved) F(image)| G )
// with a Hann window on both images and a Gaussian G that removes the frequencies of noise and
// aliases. One channel, equal sizes; the shift must be smaller than half of the size.
Place phase_correlation(const Image& image, const Image& moved);

}  // namespace plenosr
