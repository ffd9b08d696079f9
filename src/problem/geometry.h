#pragma once

#include "plenosr/light_field.h"
#include "plenosr/progress.h"
#include "problem/problem.h"

namespace plenosr {

// One view's crop: its offset from the reference, and the place of its pixel (0, 0) in
// high-resolution coordinates of the tile (see Observation).
struct ViewCrop {
    double u = 0;
    double v = 0;
    int x0 = 0;
    int y0 = 0;
    // Of frames: the shift in high-resolution pixels, and the weight of the samples.
    double dx = 0;
    double dy = 0;
    double trust = 1;
};

// The PSF grid in the coordinates of the view's crop, from that of the tile. A camera's blur
// belongs to its sensor, so the grid covers every view in the same way.
PsfGrid psf_of_view(const PsfGrid& psf, const ViewCrop& crop);

// The input of view_geometry() for one tile. The whole image is a tile too.
struct GeometryDesc {
    int width = 0;  // of the tile, high resolution
    int height = 0;
    int scale = 2;
    int low_width = 0;  // of every view's crop
    int low_height = 0;
    std::vector<ViewCrop> views;
    Image disparity;       // the reference's, high resolution, of the tile and its surroundings
    int disparity_x0 = 0;  // place of its pixel (0, 0) in the tile: 0 or less
    int disparity_y0 = 0;
    PsfGrid psf;  // positioned on the image that contains the tile
    OperatorForm form = OperatorForm::sampling;
};

// The description of the whole reference view as one tile.
GeometryDesc whole_image(const LightFieldView& light_field, ViewPosition reference,
                         Image full_disparity, const PsfGrid& psf, int scale, OperatorForm form);

// The geometry of one view, on its low-resolution grid.
struct ViewGeometry {
    ViewCrop crop;
    Image disparity;      // d_k for the operator, see Observation
    Image low_disparity;  // d_k at the decimated pixels, in high-resolution pixels per step; empty
                          // if `disparity` is that already
    Image displacement;   // of a frame whose motion is not a shift, see Observation
    Image visible;        // blurred, decimated visible fraction in [0, 1]; 0 outside the view
    Image inside;         // 1 where the sample lies inside the tile; of frames whose samples have
                          // weights, that weight
    bool weighted = false;  // samples have weights

    // Samples that do not show what the reference shows.
    bool rejects(int i, int j) const { return weighted && inside.at(i, j) < 0.5F; }

    const Image& at_low_resolution() const {
        return low_disparity.empty() ? disparity : low_disparity;
    }
    // The pixel of the blurred tile B x that is sample (i, j): its place in the tile without the
    // phase, which the PSF has.
    Place place(int scale, int i, int j) const;
};

// Geometry of all views with respect to the reference, computed for a few views at once.
inline constexpr std::size_t views_at_once = 4;
std::vector<ViewGeometry> view_geometry(const GeometryDesc& desc, const Progress& progress);
// Peak bytes of view_geometry() with so many threads, beside its result.
std::size_t view_geometry_bytes(int low_width, int low_height, int scale, std::size_t views,
                                std::size_t threads);

// The same for frames with these motions; `tile` is the tile's box in the image, high resolution.
// `weights`: of the samples of each frame; a null pointer: 1.
std::vector<ViewGeometry> frame_geometry(const GeometryDesc& desc,
                                         const std::vector<FrameMotion>& motions,
                                         const std::vector<const Image*>& weights, const Box& tile);

// 1 where a view's sample lies inside the tile, with and without the phase, or at most `beyond`
// pixels outside; else 0. A view that is visible nowhere has 0 everywhere.
Image inside_tile(const GeometryDesc& desc, const ViewGeometry& view, double beyond = 0);

// The weight m of each low-resolution pixel:
//   none  1
//   hard  1 where more than 0.9 of the pixel is visible, else 0
//   soft  sigma^2 / (sigma^2 + 10^2 (1 - visible)): the stronger the noise, the more useful an
//         imperfect match; 0 outside the view. A hard mask costs up to 1.8 dB on thin structures.
double soft_visibility(double visible, double noise_sigma);
Image visibility_weight(const ViewGeometry& view, Visibility visibility, double noise_sigma);

// Occlusion weight per high-resolution pixel, of the paper's form
//   w_o = exp(-b^2 / (2 s1^2)) exp(-p^2 / (2 s2^2)),   s1 = 0.3, s2 = 20 grey levels
// b: negative part of the divergence of the disparity (an occluding boundary). p: projection error,
// here the spread of the views around their median, less the noise.
std::vector<float> occlusion_weight(const Image& full_disparity, const Image& spread,
                                    double noise_sigma);
double boundary_weight(const Image& full_disparity, int y, int x);  // its first factor
double projection_weight(double spread, double noise_sigma);        // its second

}  // namespace plenosr
