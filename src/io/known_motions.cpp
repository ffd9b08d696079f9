#include "io/known_motions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/file_errors.h"
#include "io/input_file.h"
#include "io/npy.h"
#include "io/shifts_text.h"

namespace plenosr::io {

namespace fs = std::filesystem;

std::vector<FrameMotion> decode_npy_motions(const fs::path& file, std::string bytes) {
    constexpr std::size_t most_axes = 4;
    const NpyNumbers array = decode_npy_numbers(file, std::move(bytes), most_axes);
    const Shape& shape = array.shape;
    const std::size_t axes = shape.size();
    const bool shifts = axes == 2 && shape[1] == 2;
    const bool matrices = axes == 3 && shape[2] == 3 && (shape[1] == 2 || shape[1] == 3);
    const bool flows = (axes == 3 || axes == 4) && shape.back() == 2;
    if ((!shifts && !matrices && !flows) || array.values.empty())
        refuse_file(file,
                    fmt::format("its shape must be [frame, 2], [frame, 2, 3], [frame, 3, 3], "
                                "[y, x, 2] or [frame, y, x, 2], but it is {}",
                                to_string(shape)),
                    shifts_kind);
    std::vector<FrameMotion> motions;
    if (!flows) {
        const std::size_t size = shifts ? 2 : std::size_t(3 * shape[1]);
        for (std::size_t at = 0; at < array.values.size(); at += size)
            motions.push_back(motion_of(file,
                                        {array.values.begin() + std::ptrdiff_t(at),
                                         array.values.begin() + std::ptrdiff_t(at + size)},
                                        fmt::format("of frame {}", at / size)));
        return motions;
    }
    const std::int64_t height = shape[axes - 3];
    const std::int64_t width = shape[axes - 2];
    require_sane_size(file, width, height);
    for (auto value = array.values.begin(); value != array.values.end();) {
        FrameMotion motion;
        motion.flow = Image(int(width), int(height), 2);
        for (float& stored : motion.flow.values)
            stored = float(*value++);
        motions.push_back(std::move(motion));
    }
    return motions;
}

void require_usable(const fs::path& file, const FrameMotion& motion, int width, int height) {
    const Image& flow = motion.flow;
    if (!flow.empty() && (flow.width != width || flow.height != height))
        refuse_file(file,
                    fmt::format("its flow has {}x{} pixels, but the frames have {}x{}", flow.width,
                                flow.height, width, height),
                    shifts_kind);
    const auto is_near = [](double value) { return std::abs(value) <= farthest_shift_px; };
    const auto unknown = std::count_if(flow.values.begin(), flow.values.end(),
                                       [&](float value) { return !is_near(double(value)); });
    if (unknown > 0)
        refuse_file(file,
                    fmt::format("{} of its values are unknown or larger than {:.0f} pixels; every "
                                "pixel needs a flow",
                                unknown, farthest_shift_px),
                    shifts_kind);
    // A homography that sends a part of the frame to infinity is no motion of a camera.
    constexpr double least_depth = 0.1;  // 1 in the middle of an affine motion
    for (const double x : {0.0, double(width - 1)})
        for (const double y : {0.0, double(height - 1)}) {
            const Place p = motion.to_reference({x, y});
            const double depth = motion.matrix[6] * x + motion.matrix[7] * y + motion.matrix[8];
            if (!(depth >= least_depth) || !is_near(p.x) || !is_near(p.y))
                refuse_file(file,
                            fmt::format("a matrix sends the corner ({:.0f}, {:.0f}) of a frame out "
                                        "of sight",
                                        x, y),
                            shifts_kind);
        }
}

}  // namespace plenosr::io
