#pragma once

#include "plenosr/reconstruct.h"

namespace plenosr {

// Standard deviations in grey levels (of 255), impulses as a fraction of the pixels.
struct NoiseReport {
    double sigma = 0;           // Gaussian noise of the sensor: the best estimate
    double impulses = 0;        // pixels that are black or white for no reason of the scene
    double model_error = 0;     // what the views differ by beyond that: aliasing, wrong disparity,
                                // occlusions, reflections; 0 where single views are all there is
    double sigma_of_views = 0;  // from single views alone: the median over them
    double impulses_of_views = 0;  // … and the mean
    bool from_residuals = false;   // the views were compared with each other
};

// From single views alone: nothing need be known of the scene.
NoiseReport estimate_noise(const LightField& light_field);

// … refined by the residuals between the views, once the disparity of one of them is known. Of the
// options scale, blur, interpolation, device and threads count.
NoiseReport estimate_noise(const LightField& light_field, ViewPosition reference,
                           const Image& disparity, const ReconstructOptions& options,
                           const Progress& progress = {});

}  // namespace plenosr
