#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/image.h"
#include "plenosr/light_field.h"
#include "plenosr/progress.h"

namespace plenosr PLENOSR_EXPORT {

// A procedural scene rendered as a light field, with exact disparity. The same options give the
// same bits on every machine with IEEE arithmetic and for any number of threads; with photos, if
// they are decoded to the same pixels.
struct SynthOptions {
    std::string scene = "planes";  // see synth_scenes()
    int rows = 9;                  // views
    int cols = 9;
    int width = 512;  // pixels
    int height = 512;
    int supersampling = 4;         // rays per pixel along each axis
    double disparity = 1.0;        // constant disparity of the scene `flat`, pixels per view step
    double disparity_scale = 1.0;  // multiplies the disparities of other scenes (about -1.5 to 1.5)
    int channels = 3;              // 1 or 3
    std::uint64_t seed = 1;        // of the scene `random`
    // Photos for the surfaces of the scene `random`, which uses some of them, and procedural
    // patterns beside them. Empty: patterns alone.
    std::vector<std::filesystem::path> textures;
    void validate() const;  // throws Error(invalid_option)
};

struct SynthScene {
    std::string name;
    std::string description;
};
const std::vector<SynthScene>& synth_scenes();

struct SynthResult {
    LightField light_field;
    std::vector<Image> disparity;  // per view, in the order of light_field.views; exact
};
// If cancelled, it returns the finished views.
SynthResult synthesise(const SynthOptions& options, const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
