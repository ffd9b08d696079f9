#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

enum class Demosaic { none, bilinear, edge_aware };

// What a real camera does beyond the model of the reconstruction (docs/mathematics.md, section 6).
// The reference view keeps its place, gain and offset, and the vignetting is relative to its own,
// so that the original of the reference view remains the ground truth.
struct CameraOptions {
    std::string preset = "none";  // where the values came from; the values below are what counts
    // Standard deviation of the lens blur in front of a square pixel, high-resolution pixels. Not
    // set: DegradeOptions::blur is used.
    std::optional<double> lens;
    double jitter = 0;         // standard deviation of the views' displacement, fraction of a step
    double gain_spread = 0;    // percent: the gain of a view is uniform in 1 +- gain_spread / 100
    double offset_spread = 0;  // 8-bit units: the offset is uniform in +- offset_spread
    double vignetting = 0;     // percent of the light that the outermost view loses in one corner
    double noise_correlation = 0;        // the Gaussian noise is smoothed by this sigma, pixels
    Demosaic demosaic = Demosaic::none;  // of a Bayer pattern with red at the top left
    double sharpen = 0;                  // amount of an unsharp mask
    int jpeg = 0;                        // quality; 0: no JPEG

    bool active() const;  // false: all values have their defaults
};

// A named set of values that belong together. The lens blur is in low-resolution pixels here, so
// that a preset means the same camera at every scale.
struct CameraPreset {
    std::string name;
    std::string description;
    double lens = 0;            // low-resolution pixels
    double poisson = 0;         // photons of a white pixel
    double read_noise = 0;      // 8-bit units
    CameraOptions camera = {};  // without lens
};
const std::vector<CameraPreset>& camera_presets();

}  // namespace PLENOSR_EXPORT
