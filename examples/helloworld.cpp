// Renders a small light field, degrades it as a camera would, and super-resolves its centre view.
#include <cstddef>
#include <cstdio>

#include "plenosr/degrade.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"
#include "plenosr/version.h"

int main() try {
    const plenosr::SynthResult scene =
        plenosr::synthesise({.rows = 5, .cols = 5, .width = 192, .height = 192});
    const plenosr::ViewPosition centre = scene.light_field.grid.centre();
    const plenosr::View* truth = scene.light_field.find(centre);
    const auto index = std::size_t(truth - scene.light_field.views.data());

    // Blur, decimation by 2 and noise: 5x5 views of 96x96 pixels.
    plenosr::DegradeOptions camera;
    camera.scale = 2;
    camera.gaussian = 1.0;
    const plenosr::LightField low = plenosr::degrade(scene.light_field, camera);

    plenosr::ReconstructOptions options;
    options.scale = 2;
    const plenosr::ReconstructResult result =
        plenosr::reconstruct(low, centre, scene.disparity[index], options);

    std::printf("PlenoSR %s: start %.2f dB, super-resolved %.2f dB\n", PLENOSR_VERSION,
                plenosr::compare(result.initial, truth->image).psnr,
                plenosr::compare(result.image, truth->image).psnr);
    return 0;
} catch (const plenosr::Error& error) {
    std::fprintf(stderr, "helloworld: %s\n", error.what());
    return 1;
}
