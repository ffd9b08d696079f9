#include "options/option_list.h"

namespace plenosr {

const std::vector<Option<SynthOptions>>& synth_options() {
    using O = SynthOptions;
    static const std::vector<Option<O>> list = {
        basic(words("scene", "NAME", &O::scene, "the scene to render; the list is below")),
        basic(number("seed", "N", &O::seed, at_least(std::uint64_t{0}),
                     "the layout of the scene `random`; each seed is another scene")),
        number("rows", "N", &O::rows, between(1, 101), "rows of views"),
        number("cols", "N", &O::cols, between(1, 101), "columns of views"),
        basic(number("width", "N", &O::width, between(1, 16384), "width of a view in pixels")),
        basic(number("height", "N", &O::height, between(1, 16384), "height of a view in pixels")),
        number("supersampling", "N", &O::supersampling, between(1, 16),
               "rays per pixel along each axis, for anti-aliasing"),
        number("disparity", "X", &O::disparity, between(-1000.0, 1000.0),
               "disparity of the scene `flat`, in pixels per step between views"),
        number("disparity-scale", "X", &O::disparity_scale, between(0.0, 1000.0),
               "factor on the disparities of the other scenes"),
        number("channels", "N", &O::channels, between(1, 3), "1 (grey) or 3 (colour)"),
    };
    return list;
}

}  // namespace plenosr
