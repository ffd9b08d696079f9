#include "shared_estimates.h"

#include <fmt/format.h>

#include "base/file_errors.h"

namespace plenosr {

std::optional<Estimates> given_estimates(const ReconstructOptions& o, bool frames) {
    if (o.estimates.empty()) return std::nullopt;
    const Estimates e = read_estimates(o.estimates);
    if (e.frames != frames || e.scale != o.scale)
        refuse_file(o.estimates,
                    fmt::format("it has the estimates of {} at scale {}, not of {} at scale {}",
                                e.frames ? "frames" : "views", e.scale, frames ? "frames" : "views",
                                o.scale),
                    "file of estimates");
    return e;
}

ImageStatistics statistics_of(const Estimates& e, const ReconstructOptions& o) {
    ImageStatistics s;
    s.noise.residual = e.noise;
    s.noise.sensor = e.sensor_noise;
    s.noise.quietest = e.quietest_noise;
    s.noise.impulses = e.impulses;
    s.noise.gain = o.gain.value_or(e.gain);
    s.noise.read = o.read_noise.value_or(e.read_noise);
    s.texture = e.texture;
    s.detail = e.detail;
    s.mean_weight = float(e.mean_weight);
    s.lambda = e.lambda;
    return s;
}

Estimates estimates_of(const Setup& setup, const ImageStatistics& s, double lambda) {
    Estimates e;
    e.scale = setup.options.scale;
    e.frames = setup.geometry.of_frames();
    e.blur = setup.options.blur.text;
    e.noise = s.noise.residual;
    e.sensor_noise = s.noise.sensor;
    e.quietest_noise = s.noise.quietest;
    e.impulses = s.noise.impulses;
    e.gain = s.noise.gain;
    e.read_noise = s.noise.read;
    e.texture = s.texture;
    e.detail = s.detail;
    e.mean_weight = double(s.mean_weight);
    e.lambda = lambda;
    return e;
}

}  // namespace plenosr
