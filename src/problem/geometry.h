#pragma once

#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "problem/problem.h"

namespace plenosr {

// What the disparity says about one view, on its low-resolution grid.
struct ViewGeometry {
    double u = 0;
    double v = 0;
    Image disparity;      // d_k for the operator, see Observation
    Image low_disparity;  // d_k at the decimated pixels, in high-resolution pixels per step
    Image visible;        // blurred, decimated visible fraction in [0, 1]; 0 outside the frame
    Image inside;         // 1 where the sample lies inside the reference's frame
};

// Geometry of all views of `light_field` with respect to the reference, from its full-size map.
std::vector<ViewGeometry> view_geometry(const LightField& light_field, ViewPosition reference,
                                        const Image& full_disparity, const Psf& psf, int scale,
                                        OperatorForm form, const Progress& progress);

// The weight m of each low-resolution pixel:
//   none  1
//   hard  1 where more than 0.9 of the pixel is visible, else 0
//   soft  sigma^2 / (sigma^2 + 10^2 (1 - visible)): the more noise, the more an imperfect match is
//         worth; 0 outside the frame. A hard mask costs up to 1.8 dB on thin structures.
Image visibility_weight(const ViewGeometry& view, Visibility visibility, double noise_sigma);

// Occlusion weight per high-resolution pixel, of the paper's form
//   w_o = exp(-b^2 / (2 s1^2)) exp(-p^2 / (2 s2^2)),   s1 = 0.3, s2 = 20 grey levels
// b: negative part of the divergence of the disparity (an occluding boundary); p: projection error,
// here the spread of the views around their median beyond what noise explains.
std::vector<float> occlusion_weight(const Image& full_disparity, const Image& spread,
                                    double noise_sigma);

}  // namespace plenosr
