#pragma once

#include "plenosr/image.h"

namespace plenosr {

// The detail of the scene, as the pilot image shows it: the mean absolute difference of
// neighbouring pixels over all tiles, reduced by the contribution of noise.
class Texture {
public:
    // Adds the differences that begin in the core of a tile.
    void add(const Image& pilot, const Box& core);
    void add(const Texture& other);
    // Grey levels, at least 0.5. `noise` is that of one view, `views` is the number of views
    // averaged. At least `least_share` of the measured difference is kept.
    double value(double noise, std::size_t views, double least_share = 0) const;

private:
    double sum_ = 0;
    double count_ = 0;
};

// The rules for lambda, the weight of the prior, when none is given. lambda_parameters.h documents
// the constants and the data they were chosen on.

// For the data terms l1 and l2:
//   lambda = (lambda1 + 1.6 lambda2 sigma) rho (0.04 + 0.009 sigma (4 / texture)^0.7)
// The first factor is the data term's slope per sample. Model error adds up with the samples per
// pixel rho, as the data term does, hence the factor rho. Noise needs smoothing in proportion to
// sigma, and detailed scenes need less of it.
double automatic_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                        double texture);

// The same for frames, whose only model error is that of their registration:
//   lambda = (lambda1 + 1.6 lambda2 sigma) rho 0.26 (sigma / (5 sqrt(rho)))^p,   p = 2.5 E + 0.6
// with E = sum k^2 the energy of the blur. After little blur the data can be trusted more, the less
// noise there is; deconvolving a wide blur amplifies even weak noise.
double frames_lambda(double lambda1, double lambda2, double samples_per_pixel, double noise,
                     double blur_energy);

// For the mixture, whose data term is in units of the noise:
//   lambda = min(b^0.35 (0.03 + 0.28 / sigma_eff), 1.1 E max(1, n / 25)) r^h
//            (1 + (f - 1) min(1, r))
//   r = c b^0.41 / texture, between 1/4 and 5/2
//   sigma_eff = sigma / sqrt(rho (1 - nu)),  rho = sum m / (number of pixels)
//   b = E / 0.606,  E = sum k^2 the energy of the blur,  h = sigma_eff / (sigma_eff + 2 b)
//   f = wide_blur_factor, 1 for frames
// for directions whose weights sum to 1. sigma_eff is the noise that is left in one pixel of the
// result. Restoring what a wide blur removed amplifies noise, hence E. n = rho scale^2 is the
// number of views: model error adds up over the views, noise does not. Where noise or blur leave
// the choice to the prior, detailed scenes need less of it, hence h; a wide blur also removes
// detail from the pilot. c = 4.5, or 3.5 if denoiser steps follow, which remove what a weaker prior
// leaves; between them if these have a part of the result only (`denoised`, from 0 to 1). Detailed
// scenes do not need f either: with all of it `flat` loses 1.5 dB.
double mixture_lambda(double effective_noise, double blur_energy, double texture, double denoised,
                      double views, double wide_blur_factor);
double effective_noise(double noise, double impulses, double weight_per_pixel);  // sigma_eff

// Factor f of mixture_lambda() for light fields, whose blur has energy E, if the default blur
// of the scale has more, E_0: half of the fall of lambda with E is taken back, in powers of E.
//   min(2, max(1, sqrt(E_0 / E)))
// A wide blur leaves errors of the model much room to appear as noise and dots.
double lambda_factor_of_wide_blur(double blur_energy, double default_energy);

// Factors applied to mixture_lambda() for frames. Their model has no error of disparity and
// visibility for the prior to hide, which matters where noise is weak.
//   first and second differences:  min(1, 0.65 sigma_eff^0.3)
//   BTV and other priors, which smooth less:  min(1, (E / 0.606)^0.17), 1 at x2 and 0.8 at x3
double frames_lambda_factor(double effective_noise);
double frames_lambda_factor_of_blur(double blur_energy);

}  // namespace plenosr
