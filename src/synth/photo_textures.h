#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "plenosr/image.h"
#include "synth/dice.h"

namespace plenosr::synth {

// Cuts textures from photos. At most one whole photo is in memory.
class PhotoTextures {
public:
    explicit PhotoTextures(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}

    bool empty() const { return files_.empty(); }

    // A part of a random photo, of three places the one with the most detail, width x height
    // pixels, reduced by two to eight as far as the photo is large enough: at its own size a photo
    // is softer than a rendered view and shows the camera's noise. Reduced with anti-aliasing, it
    // has detail up to the limit of the pixel grid. If the photo is smaller than asked for, the
    // whole photo.
    std::shared_ptr<const Image> cut(Dice& dice, int width, int height);

private:
    std::vector<std::filesystem::path> files_;
    std::filesystem::path loaded_;
    Image photo_;
};

}  // namespace plenosr::synth
