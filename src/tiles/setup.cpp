#include "tiles/setup.h"

#include "problem/model.h"

namespace plenosr {
namespace {

// Setup::held_bytes
std::size_t held_bytes(int low_width, int low_height, int channels, std::size_t views, int scale) {
    constexpr std::size_t maps = 3;
    constexpr std::size_t images = 4;
    const std::size_t low = std::size_t(low_width) * std::size_t(low_height);
    const std::size_t block = std::size_t(scale) * std::size_t(scale);
    return sizeof(float) * low *
           ((views * std::size_t(channels) + maps) +
            (images * std::size_t(channels) + maps) * block);
}

}  // namespace

int solved_channels(const ReconstructOptions& o, int channels) {
    return o.colour == Colour::luma ? 1 : channels;
}

PsfGrid psf_for(const ReconstructOptions& o, int low_width, int low_height) {
    return make_psf_grid(o.blur, sampling_grid(o.blur, o.phase, o.scale), low_width * o.scale,
                         low_height * o.scale);
}

Setup light_field_setup(int low_width, int low_height, int channels,
                        const std::vector<ViewPosition>& views, ViewPosition reference,
                        const Image& map, const ReconstructOptions& given) {
    const PsfGrid psf = psf_for(given, low_width, low_height);
    return {TileGeometry(low_width, low_height, given.scale, views, reference, map, psf,
                         given.operator_form),
            chosen_model(given, psf), solved_channels(given, channels),
            held_bytes(low_width, low_height, channels, views.size(), given.scale)};
}

Setup frames_setup(int low_width, int low_height, int channels,
                   const std::vector<FrameMotion>& motions, const std::vector<double>& weights,
                   const ReconstructOptions& given,
                   const std::vector<const Image*>& sample_weights) {
    const PsfGrid psf = psf_for(given, low_width, low_height);
    return {TileGeometry(low_width, low_height, given.scale, motions, weights, sample_weights, psf),
            chosen_model(given, psf), solved_channels(given, channels),
            held_bytes(low_width, low_height, channels, motions.size(), given.scale)};
}

}  // namespace plenosr
