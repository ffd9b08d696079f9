#pragma once

#include "plenosr/frames.h"
#include "plenosr/synth.h"

namespace plenosr::test {

// A rendered picture with detail at all sizes.
inline Image photo(int width, int height, const std::string& scene = "planes", int channels = 1) {
    SynthOptions options;
    options.scene = scene;
    options.rows = 1;
    options.cols = 1;
    options.width = width;
    options.height = height;
    options.supersampling = 2;
    options.channels = channels;
    return synthesise(options).light_field.views.front().image;
}

inline DegradeOptions degradation(int scale, double gaussian = 0, double impulse = 0) {
    DegradeOptions options;
    options.scale = scale;
    options.gaussian = gaussian;
    options.impulse = impulse;
    options.seed = 1;
    return options;
}

inline std::vector<Image> images_of(const LightField& light_field) {
    std::vector<Image> images;
    for (const View& view : light_field.views)
        images.push_back(view.image);
    return images;
}

inline std::vector<FrameMotion> motions_of(const std::vector<Place>& shifts) {
    std::vector<FrameMotion> motions;
    for (const Place& s : shifts)
        motions.push_back(FrameMotion::translation(s.x - shifts[0].x, s.y - shifts[0].y));
    return motions;
}

}  // namespace plenosr::test
