#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/cancelled.h"
#include "degrade/camera.h"
#include "degrade/windowed_sinc.h"
#include "plenosr/error.h"
#include "plenosr/frames.h"
#include "psf/blur_decimate.h"

namespace plenosr {
namespace {

// x(p + s) for an image that is larger by `margin` on each side; the border is replicated.
Image shifted(const Image& image, double sx, double sy, int margin) {
    const int whole_x = int(std::floor(sx));
    const int whole_y = int(std::floor(sy));
    const SincWeights wx = sinc_weights(sx - whole_x);
    const SincWeights wy = sinc_weights(sy - whole_y);
    const int channels = image.channels;
    const auto row_of = [&](int y) { return std::clamp(y, 0, image.height - 1); };
    const auto col_of = [&](int x) { return std::clamp(x, 0, image.width - 1); };
    Image result(image.width + 2 * margin, image.height + 2 * margin, channels);
    tbb::parallel_for(0, result.height, [&](int y) {
        std::vector<float> line(std::size_t(image.width) * std::size_t(channels), 0.0F);
        for (int j = 0; j < 2 * sinc_lobes; ++j) {
            const float w = wy[std::size_t(j)];
            if (w == 0.0F) continue;
            const float* from =
                &image.values[image.index(row_of(y - margin + whole_y + j - sinc_lobes + 1), 0)];
            for (std::size_t i = 0; i < line.size(); ++i)
                line[i] += w * from[i];
        }
        for (int x = 0; x < result.width; ++x)
            for (int c = 0; c < channels; ++c) {
                float sum = 0;
                for (int i = 0; i < 2 * sinc_lobes; ++i) {
                    const float w = wx[std::size_t(i)];
                    if (w == 0.0F) continue;
                    const int col = col_of(x - margin + whole_x + i - sinc_lobes + 1);
                    sum += w * line[std::size_t(col * channels + c)];
                }
                result.at(y, x, c) = sum;
            }
    });
    return result;
}

ViewGrid grid_around(const std::vector<Place>& shifts) {
    const auto [left, right] = std::minmax_element(
        shifts.begin(), shifts.end(), [](const Place& a, const Place& b) { return a.x < b.x; });
    const auto [top, bottom] = std::minmax_element(
        shifts.begin(), shifts.end(), [](const Place& a, const Place& b) { return a.y < b.y; });
    const int first_col = int(std::floor(left->x));
    const int first_row = int(std::floor(top->y));
    return {first_row, first_col, int(std::ceil(bottom->y)) - first_row + 1,
            int(std::ceil(right->x)) - first_col + 1};
}

}  // namespace

std::vector<Place> grid_shifts(int scale) {
    std::vector<Place> shifts;
    for (int i = 0; i < scale; ++i)
        for (int j = 0; j < scale; ++j)
            shifts.push_back({double(j) / scale, double(i) / scale});
    return shifts;
}

LightField degrade_frames(const Image& photo, const std::vector<Place>& shifts,
                          const DegradeOptions& options, const Progress& progress) {
    options.validate();
    const int scale = options.scale;
    if (photo.width < scale || photo.height < scale)
        throw Error(
            ErrorKind::input,
            fmt::format("A photo of {}x{} pixels is too small for scale = {}; it must have at "
                        "least {}x{}.",
                        photo.width, photo.height, scale, scale, scale));
    constexpr double farthest = 1000;  // low-resolution pixels; a larger shift is a mistake
    for (std::size_t k = 0; k < shifts.size(); ++k) {
        if (!(std::abs(shifts[k].x) <= farthest && std::abs(shifts[k].y) <= farthest))
            throw Error(
                ErrorKind::input,
                fmt::format("The shift {} {} of frame {} must be between -{} and {} pixels.",
                            shifts[k].x, shifts[k].y, k, farthest, farthest));
        if (std::find(shifts.begin(), shifts.begin() + std::ptrdiff_t(k), shifts[k]) !=
            shifts.begin() + std::ptrdiff_t(k))
            throw Error(ErrorKind::input,
                        fmt::format("The shift {} {} occurs twice; all shifts must differ.",
                                    shifts[k].x, shifts[k].y));
    }
    const Psf psf = make_psf(optics(options), sampling_grid(options.blur, options.phase, scale));
    const int radius = std::max(psf.kernel.width, psf.kernel.height) / 2;
    const int margin = (radius + scale - 1) / scale;  // low-resolution pixels that the blur needs
    const bool camera = options.camera.active();
    const Image source = recorded_colours(photo, options);
    DegradeOptions camera_options = options;
    camera_options.camera.vignetting = 0;  // the same in every frame
    const CameraRig rig{{shifts.front().y, shifts.front().x}, 1};
    LightField result;
    result.grid = grid_around(shifts);
    for (const Place& shift : shifts) {
        const ProgressEvent event{"degrading", int(result.views.size()), int(shifts.size()), 0};
        if (!report(progress, event)) throw Cancelled();
        // Shifts such as 1/3 are meant exactly: removes the rounding error of 1/3 * 3.
        const auto exact = [&](double s) {
            const double v = s * scale;
            return std::abs(v - std::round(v)) < 1e-9 ? std::round(v) : v;
        };
        const ViewPosition position{shift.y, shift.x};
        const Box inner{margin, margin, photo.width / scale, photo.height / scale};
        if (camera) {
            const ViewDeviation at = view_deviation(position, camera_options, rig);
            const Image light =
                shifted(source, exact(shift.x + at.du), exact(shift.y + at.dv), margin * scale);
            result.views.push_back(
                {position, developed(crop(blur_decimate(light, psf, scale), inner), position,
                                     camera_options, rig)});
            continue;
        }
        const Image low = degrade(shifted(source, exact(shift.x), exact(shift.y), margin * scale),
                                  position, options);
        result.views.push_back({position, crop(low, inner)});
    }
    report(progress, {"degrading", int(shifts.size()), int(shifts.size()), 0});
    return result;
}

}  // namespace plenosr
