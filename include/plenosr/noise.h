#pragma once

#include "plenosr/export.h"
#include "plenosr/reconstruct.h"

namespace plenosr PLENOSR_EXPORT {

// Standard deviations in grey levels (of 255), impulses as a fraction of the pixels.
struct NoiseReport {
    double sigma = 0;           // Gaussian noise of the sensor: the best estimate
    double impulses = 0;        // pixels at a limit (black or white) for no reason of the scene
    double model_error = 0;     // differences of the views beyond noise: aliasing, wrong disparity,
                                // occlusions, reflections; 0 if only single views were used
    double sigma_of_views = 0;  // from single views alone, the median over them
    double impulses_of_views = 0;  // from single views alone, the mean over them
    Termination termination = Termination::not_run;
    bool from_residuals = false;  // the views were compared with each other
};

// From single views alone; nothing needs to be known of the scene.
NoiseReport estimate_noise(const LightFieldView& light_field);

// From single views and from the residuals between the views, given the disparity of one of them.
// Of the options scale, blur, interpolation, device and threads are used.
NoiseReport estimate_noise(const LightFieldView& light_field, ViewPosition reference,
                           const Image& disparity, const ReconstructOptions& options,
                           const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
