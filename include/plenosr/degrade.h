#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plenosr/camera.h"
#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "plenosr/psf.h"

namespace plenosr PLENOSR_EXPORT {

enum class Colour { luma, rgb };

// y = clip(round(N(D B x))), then impulses (docs/mathematics.md). The noise N is one of
//   t + n,                                   n ~ N(0, gaussian^2)
//   (255 / poisson) Poisson(poisson t / 255) + n,   n ~ N(0, read_noise^2)
struct DegradeOptions {
    int scale = 2;          // decimation: one pixel of each scale x scale block is kept
    BlurSpec blur;          // before the decimation
    PhaseSpec phase;        // where it lies in the block: by default its top-left pixel
    double gaussian = 0;    // standard deviation of additive noise, 8-bit units
    double poisson = 0;     // mean number of photons of a white pixel (255); 0: no photon noise
    double read_noise = 0;  // standard deviation of the sensor's noise with poisson, 8-bit units
    double impulse = 0;     // percent of pixels that are set to 0 or 255 with equal probability
    std::uint64_t seed = 0;
    // luma: one-channel views of BT.601 luma; rgb: noise per channel, and impulses set all channels
    // of a pixel.
    Colour colour = Colour::luma;
    CameraOptions camera;   // faults of a real camera; none by default
    void validate() const;  // throws Error(invalid_option)
};

// One view. The noise depends only on seed, view position, pixel and channel, not on the other
// views or the number of threads. The result has floor(size / scale) pixels: if the scale does not
// divide the size, the last rows and columns are dropped.
Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options);

// If cancelled, it returns the finished views. options.camera.jitter needs `disparity`: the exact
// map of each view in the order of the views. The reference of options.camera is the centre view.
LightField degrade(const LightFieldView& light_field, const DegradeOptions& options,
                   const Progress& progress = {}, const std::vector<Image>& disparity = {});

// ---- the simulated camera -----------------------------------------------------------------------
// Where the views stand: options.camera is relative to the reference.
struct CameraRig {
    ViewPosition reference;
    double reach = 1;  // distance of the farthest view from the reference, steps
};
CameraRig rig_of(const ViewGrid& grid);

// One view of a rig. `disparity` is the view's own full-size map; only jitter needs it.
Image degrade(const Image& view, ViewPosition position, const DegradeOptions& options,
              const CameraRig& rig, const Image& disparity = {});

// How one view deviates from the ideal camera. It depends only on seed, position and options.
struct ViewDeviation {
    double du = 0;  // the view is at (row + dv, col + du), in steps between views
    double dv = 0;
    double gain = 1;
    double offset = 0;  // 8-bit units, after the gain
};
ViewDeviation view_deviation(ViewPosition position, const DegradeOptions& options,
                             const CameraRig& rig);

// The fraction of the light that remains at (x, y), relative to the reference: with x and y from
// the middle of the picture in units of half its diagonal, and the view's place (u, v) in units of
// the rig's reach,
//   (1 - L(x + u, y + v)) / (1 - L(x, y)),  L(a, b) = vignetting/100 (a^2 + b^2) / 4.
double vignetting_factor(double x, double y, double u, double v, double vignetting_percent);

// The map of a displaced view: d'(p) = d(p + (du, dv) d'(p)), the nearest surface if there are
// several, the farthest neighbour where there is none.
Image displaced_disparity(const Image& disparity, double du, double dv);

// The simulated camera as JSON, for `simulated_camera` of lightfield.json: all options that are
// hidden from the reconstruction, and the deviation of each view.
std::string describe_camera(const DegradeOptions& options,
                            const std::vector<ViewPosition>& positions, const CameraRig& rig);

}  // namespace PLENOSR_EXPORT
