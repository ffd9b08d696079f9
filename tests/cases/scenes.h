#pragma once

#include <cmath>
#include <string>

#include "plenosr/degrade.h"
#include "plenosr/disparity.h"
#include "plenosr/light_field.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"

namespace plenosr::test {

// A small rendered scene: its degraded views and the ground truth.
struct DegradedScene {
    LightField views;      // low resolution, noisy
    ViewPosition centre;   // of the reference
    Image truth;           // the reference view before the degradation
    Image full_disparity;  // of the reference, exact
    Image low_disparity;   // full_disparity reduced to the views' grid
};

struct SceneSetup {
    std::string scene = "planes";
    int views = 5;  // per row and column
    int width = 96;
    int height = 96;
    int channels = 1;
    int scale = 2;
    double gaussian = 1;
    double impulse = 1;
    std::string blur = "gaussian";
    Colour colour = Colour::luma;
    double disparity_scale = 1;
    std::string phase = {};
};

inline DegradedScene degraded_scene(const SceneSetup& setup) {
    SynthOptions synth;
    synth.scene = setup.scene;
    synth.rows = setup.views;
    synth.cols = setup.views;
    synth.width = setup.width;
    synth.height = setup.height;
    synth.supersampling = 2;
    synth.channels = setup.channels;
    synth.disparity_scale = setup.disparity_scale;
    const SynthResult rendered = synthesise(synth);

    DegradeOptions degradation;
    degradation.scale = setup.scale;
    degradation.blur.text = setup.blur;
    degradation.phase.text = setup.phase;
    degradation.gaussian = setup.gaussian;
    degradation.impulse = setup.impulse;
    degradation.seed = 1;
    degradation.colour = setup.colour;

    DegradedScene scene;
    scene.centre = rendered.light_field.grid.centre();
    scene.views = degrade(rendered.light_field, degradation);
    for (std::size_t k = 0; k < rendered.light_field.views.size(); ++k)
        if (rendered.light_field.views[k].position == scene.centre) {
            scene.truth = rendered.light_field.views[k].image;
            scene.full_disparity = rendered.disparity[k];
        }
    scene.low_disparity = reduce_disparity(
        scene.full_disparity, sampling_grid(degradation.blur, degradation.phase, setup.scale));
    return scene;
}

// Reconstructs with the full-size disparity and measures PSNR and SSIM of all iterations.
inline ReconstructResult reconstruct_scene(const DegradedScene& scene,
                                           const ReconstructOptions& options,
                                           const Progress& progress = {}) {
    return reconstruct(scene.views, scene.centre, scene.full_disparity, options, progress,
                       &scene.truth);
}

// PSNR between two results in dB, without clipping, since results may exceed 0 … 255.
inline double closeness(const Image& a, const Image& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const double difference = double(a.values[i]) - double(b.values[i]);
        sum += difference * difference;
    }
    return 10 * std::log10(255.0 * 255.0 * double(a.values.size()) / sum);
}

}  // namespace plenosr::test
