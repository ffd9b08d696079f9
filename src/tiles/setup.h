#pragma once

#include "plenosr/reconstruct.h"
#include "tiles/tile_geometry.h"

namespace plenosr {

// One reconstruction before any picture is read: where the views look, and the chosen model.
struct Setup {
    TileGeometry geometry;
    // The given options with every choice made that does not depend on the pictures
    // (problem/model.h): only lambda and the denoiser may still be automatic.
    ReconstructOptions options;
    int channels = 1;  // that are solved for
    // Bytes of the images that are held beside the work: the views and maps of their size; the
    // result and the initial image, of this round of refinement and of the one before; maps of that
    // size.
    std::size_t held_bytes = 0;
};

// The views, the reference among them, and the channels that are solved for.
struct Views {
    LightFieldView light_field;
    std::size_t reference;
    Colour colour;
};

int solved_channels(const ReconstructOptions& options, int channels);
// The blur, spread over the result of views of that size.
PsfGrid psf_for(const ReconstructOptions& options, int low_width, int low_height);

// `map`: the reference's disparity, at low-resolution or full size. `channels`: of the views.
// The caller keeps the map, or the motions, alive.
Setup light_field_setup(int low_width, int low_height, int channels,
                        const std::vector<ViewPosition>& views, ViewPosition reference,
                        const Image& map, const ReconstructOptions& given);
// `weights`: how much the samples of each frame count; `sample_weights`: and each of them, which
// the caller keeps alive.
Setup frames_setup(int low_width, int low_height, int channels,
                   const std::vector<FrameMotion>& motions, const std::vector<double>& weights,
                   const ReconstructOptions& given,
                   const std::vector<const Image*>& sample_weights = {});

}  // namespace plenosr
