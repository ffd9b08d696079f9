// Views that a camera exposed and placed differently.
#include <gtest/gtest.h>

#include "plenosr/degrade.h"
#include "plenosr/metrics.h"
#include "plenosr/reconstruct.h"
#include "plenosr/synth.h"

namespace plenosr {
namespace {

TEST(CameraFaults, OfSingleViewsCostLittleAfterOneRound) {
    SynthOptions scene_options;
    scene_options.scene = "discs";
    scene_options.rows = scene_options.cols = 3;
    scene_options.width = scene_options.height = 128;
    scene_options.channels = 1;
    const SynthResult scene = synthesise(scene_options);
    DegradeOptions degradation;
    degradation.gaussian = 1;
    degradation.seed = 1;
    const LightField good = degrade(scene.light_field, degradation);
    LightField faulty = good;
    for (std::size_t k = 0; k < faulty.views.size(); ++k)
        if (k != 4)
            for (float& value : faulty.views[k].image.values)
                value = value * (1 + 0.02F * (float(k) - 4)) + (k % 2 == 0 ? 2.0F : -2.0F);
    ReconstructOptions o;
    o.refine_disparity = 1;
    const Image& truth = scene.light_field.views[4].image;
    const auto psnr = [&](const LightField& views) {
        return compare(reconstruct(views, {1, 1}, scene.disparity[4], o).image, truth,
                       {.border = 8})
            .psnr;
    };
    const double without = psnr(good);
    const double with = psnr(faulty);
    EXPECT_GT(without, 24);
    EXPECT_GT(with, without - 0.15);
}

}  // namespace
}  // namespace plenosr
