#include "degrade/camera.h"

#include <fmt/core.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "degrade/demosaic.h"
#include "degrade/sensor_noise.h"
#include "io/jpeg.h"
#include "light_field/smooth.h"
#include "options/option_list.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

// Views draw their deviations from another sequence than their noise.
constexpr std::uint64_t deviation_key = 0x63616d657261;

constexpr double sharpening_sigma = 1;  // pixels: the usual radius for pictures at full size

// y <- (gain y + offset) vignetting
void expose(Image& y, ViewPosition position, const DegradeOptions& o, const CameraRig& rig) {
    const ViewDeviation view = view_deviation(position, o, rig);
    const double u = (position.col - rig.reference.col) / rig.reach;
    const double v = (position.row - rig.reference.row) / rig.reach;
    const double middle_x = (y.width - 1) / 2.0;
    const double middle_y = (y.height - 1) / 2.0;
    const double half_diagonal = std::max(0.5, std::hypot(middle_x, middle_y));
    tbb::parallel_for(0, y.height, [&](int row) {
        for (int col = 0; col < y.width; ++col) {
            const double light =
                vignetting_factor((col - middle_x) / half_diagonal,
                                  (row - middle_y) / half_diagonal, u, v, o.camera.vignetting);
            for (int c = 0; c < y.channels; ++c)
                y.at(row, col, c) =
                    float(view.gain * light * double(y.at(row, col, c)) + view.offset);
        }
    });
}

// y + amount (y - G y), each channel by itself
Image sharpened(const Image& y, double amount) {
    std::vector<Image> planes;
    for (int c = 0; c < y.channels; ++c) {
        Image plane = channel(y, c);
        const Image soft = smoothed(plane, sharpening_sigma);
        for (std::size_t i = 0; i < plane.values.size(); ++i)
            plane.values[i] += float(amount) * (plane.values[i] - soft.values[i]);
        planes.push_back(std::move(plane));
    }
    return merge_channels(planes);
}

void quantise(Image& y) {
    for (float& value : y.values)
        value = std::clamp(std::round(value), 0.0F, 255.0F);
}

}  // namespace

BlurSpec optics(const DegradeOptions& options) {
    if (!options.camera.lens) return options.blur;
    return {fmt::format("box:{}", *options.camera.lens)};
}

Image recorded_colours(const Image& view, const DegradeOptions& options) {
    if (options.camera.demosaic == Demosaic::none)
        return options.colour == Colour::luma ? luma(view) : view;
    if (view.channels != 3)
        throw Error(ErrorKind::input,
                    "A Bayer pattern (--demosaic) needs views with three channels, but the views "
                    "are grey; use --demosaic none.");
    return view;
}

Image developed(Image y, ViewPosition position, const DegradeOptions& o, const CameraRig& rig) {
    const CameraOptions& camera = o.camera;
    expose(y, position, o, rig);
    const CounterRandom random(o.seed, position);
    add_noise(y, random, o, false);
    if (o.impulse > 0) add_impulses(y, random, o.impulse);
    if (camera.demosaic != Demosaic::none) y = demosaicked(mosaicked(y), camera.demosaic);
    if (camera.sharpen > 0) y = sharpened(y, camera.sharpen);
    quantise(y);
    if (camera.jpeg > 0) y = io::through_jpeg(y, camera.jpeg);
    if (o.colour == Colour::luma && y.channels == 3) {
        y = luma(y);
        quantise(y);
    }
    return y;
}

CameraRig rig_of(const ViewGrid& grid) {
    const ViewPosition centre = grid.centre();
    const double rows = std::max(centre.row - grid.first_row, 0.0);  // the first view is farthest
    const double cols = std::max(centre.col - grid.first_col, 0.0);
    return {centre, std::max(1.0, std::hypot(rows, cols))};
}

ViewDeviation view_deviation(ViewPosition position, const DegradeOptions& options,
                             const CameraRig& rig) {
    ViewDeviation view;
    if (position == rig.reference) return view;
    const CameraOptions& camera = options.camera;
    const CounterRandom random(options.seed ^ deviation_key, position);
    const auto spread = [&](int purpose) {  // uniform in -1 ... 1
        return 2 * random.uniform(purpose, 0, 0, CounterRandom::Draw::impulse) - 1;
    };
    if (camera.jitter > 0) {
        view.du = camera.jitter * random.gaussian(0, 0, 0);
        view.dv = camera.jitter * random.gaussian(0, 1, 0);
    }
    view.gain = 1 + camera.gain_spread / 100 * spread(1);
    view.offset = camera.offset_spread * spread(2);
    return view;
}

double vignetting_factor(double x, double y, double u, double v, double vignetting_percent) {
    const auto light = [&](double a, double b) {
        return 1 - vignetting_percent / 100 * (a * a + b * b) / 4;
    };
    return light(x + u, y + v) / light(x, y);
}

std::string describe_camera(const DegradeOptions& options,
                            const std::vector<ViewPosition>& positions, const CameraRig& rig) {
    nlohmann::ordered_json json;
    for (const Option<DegradeOptions>& option : degrade_options()) {
        std::string key = option.name;
        std::replace(key.begin(), key.end(), '-', '_');
        const std::string text = option.show(options);
        const auto number = nlohmann::ordered_json::parse(text, nullptr, false);
        const bool is_recorded = key == "scale" || key == "colour" || key == "psf_grid";
        if (!is_recorded) json[key] = number.is_number() ? number : nlohmann::ordered_json(text);
    }
    json["blur"] = optics(options).text;  // the lens replaces the blur
    json["views"] = nlohmann::ordered_json::array();
    for (const ViewPosition position : positions) {
        const ViewDeviation view = view_deviation(position, options, rig);
        json["views"].push_back(
            {{"position", {position.row, position.col}},
             {"true_position", {position.row + view.dv, position.col + view.du}},
             {"gain", view.gain},
             {"offset", view.offset}});
    }
    return json.dump();
}

}  // namespace plenosr
