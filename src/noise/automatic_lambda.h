#pragma once

#include "plenosr/image.h"

namespace plenosr {

// What the pilot image shows of the scene's detail: the mean absolute difference of neighbouring
// pixels, over all tiles, less what noise of `noise` per view, averaged over `views`, adds to it;
// `least`, at least, of what is seen.
class Texture {
public:
    void add(const Image& pilot, const Box& core);  // differences that begin in the core of a tile
    void add(const Texture& other);
    double value(double noise, std::size_t views, double least = 0) const;  // grey levels, >= 0.5

private:
    double sum_ = 0;
    double count_ = 0;
};

// The weight of the prior when none is given:
//   lambda = (lambda1 + 1.6 lambda2 sigma) rho (0.04 + 0.009 sigma (4 / texture)^0.7)
// Model error adds up with the samples per pixel rho just as the data term does, hence the factor;
// noise wants smoothing in proportion to sigma, detailed scenes less of it. The first factor is the
// data term's slope per sample. The constants were chosen on some scenes and checked on others
// (docs/mathematics.md names them).
double automatic_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                        double texture);

// … for frames, whose model has no error but that of their registration:
//   lambda = (lambda1 + 1.6 lambda2 sigma) rho 0.26 (sigma / (5 sqrt(rho)))^p,   p = 2.5 E + 0.6
// with E = sum k^2 the energy of the blur: where little is blurred the data can be trusted the
// more, the less noise there is; a wide blur amplifies noise however little. Chosen on two scenes,
// x2 and x3 with noise of 1 and 5, see docs/frames.md.
double frames_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                     double blur_energy);

// … for the mixture, whose data term is in units of the noise:
//   lambda = min(b^0.35 (0.03 + 0.28 / sigma_eff), 1.1 E max(1, n / 25)) (c b^0.41 / texture)^h
//   sigma_eff = sigma / sqrt(rho (1 - nu)),  rho = sum m / (number of pixels)
//   b = E / 0.606, E = sum k^2 the energy of the blur,  h = sigma_eff / (sigma_eff + 2 b)
// for directions whose weights sum to 1. sigma_eff is the noise that is left in one pixel of the
// result; what a wide blur has removed, noise would be amplified to restore, hence E. n = rho
// scale^2 is the number of views: what none of them explains adds up with them, noise does not.
// Where noise or blur leave the choice to the prior, detailed scenes want less of it, hence h; a
// wide blur takes detail from the pilot too. c = 4.5, or 3.5 where a denoiser follows, which
// removes what a weaker prior leaves. The bracket is kept between 1/4 and 5/2. docs/results.md says
// on which scenes the constants were chosen, and how near the best lambda they come on others.
double mixture_lambda(double effective_noise, double blur_energy, double texture, bool denoised,
                      double views);
// … of which frames take this share,  min(1, 0.65 sigma_eff^0.3),  with first and second
// differences: their model has no error of disparity and visibility for the prior to hide, which
// counts where noise is weak. BTV and the others smooth less, and keep  min(1, (E / 0.606)^0.17):
// all of it at x2, 0.8 at x3.
double frames_share(double effective_noise);
double frames_share_of_blur(double blur_energy);
double effective_noise(double noise, double impulses, double weight_per_pixel);

}  // namespace plenosr
