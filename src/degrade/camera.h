#pragma once

#include "plenosr/degrade.h"

namespace plenosr {

// The PSF of the camera: a square pixel behind the lens if options.camera.lens is set, else
// options.blur.
BlurSpec optics(const DegradeOptions& options);

// The colours that the camera records: luma, unless a Bayer pattern needs all three channels.
// Throws Error(input) if it needs them and the view is grey.
Image recorded_colours(const Image& view, const DegradeOptions& options);

// What the camera makes of the light on its sensor: gain, offset and vignetting, noise, impulses,
// Bayer pattern, sharpening, 8 bits, JPEG, luma.
Image developed(Image sensor, ViewPosition position, const DegradeOptions& options,
                const CameraRig& rig);

}  // namespace plenosr
