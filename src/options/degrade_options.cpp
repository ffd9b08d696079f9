#include "options/camera_options.h"

namespace plenosr {
namespace {

std::vector<Option<DegradeOptions>> with_camera(std::vector<Option<DegradeOptions>> list) {
    for (const Option<CameraOptions>& option : camera_options())
        list.push_back(part_of(option, &DegradeOptions::camera));
    return list;
}

}  // namespace

const std::vector<Option<DegradeOptions>>& degrade_options() {
    using O = DegradeOptions;
    static const std::vector<Option<O>> list = with_camera({
        basic(number("scale", "Z", &O::scale, between(2, 64),
                     "decimation: keep one pixel of each block of Z x Z")),
        basic(blur_option(&O::blur)),
        psf_grid_option(&O::blur),
        phase_option(&O::phase),
        basic(camera_preset_option()),
        basic(number("gaussian", "SIGMA", &O::gaussian, at_least(0.0),
                     "standard deviation of additive Gaussian noise, in 8-bit units")),
        number("poisson", "PEAK", &O::poisson, between(0.0, 1e9),
               "photon noise: a white pixel (255) counts PEAK photons on average; 0 is no photon "
               "noise"),
        number("read-noise", "SIGMA", &O::read_noise, at_least(0.0),
               "standard deviation of Gaussian noise added to the photon noise, in 8-bit units; "
               "only with --poisson, and replaces --gaussian there"),
        basic(number("impulse", "PERCENT", &O::impulse, between(0.0, 100.0),
                     "percentage of the pixels that become 0 or 255 (salt and pepper)")),
        basic(number("seed", "N", &O::seed, at_least(std::uint64_t{0}),
                     "seed of the noise; the same seed gives the same noise")),
        basic(choice("colour", &O::colour, {{"luma", Colour::luma}, {"rgb", Colour::rgb}},
                     "luma converts to BT.601 luma first and writes one-channel views; rgb adds "
                     "noise per channel, and an impulse hits all channels of a pixel")),
    });
    return list;
}

}  // namespace plenosr
