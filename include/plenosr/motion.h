#pragma once

#include <array>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/image.h"

namespace plenosr PLENOSR_EXPORT {

// A place in an image, in pixels; (0, 0) is the centre of the top-left pixel.
struct Place {
    double x = 0;
    double y = 0;
    bool operator==(const Place&) const = default;
};

// Where the pixels of a frame lie in the reference frame: pixel (x, y) of the frame shows the place
//   H (x, y, 1)' + f(x, y),   in pixels of the frames, H up to scale
struct FrameMotion {
    std::array<double, 9> matrix = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // H, row by row
    Image flow;  // f: two channels (right, down), of the frame's size; empty: 0

    static FrameMotion translation(double dx, double dy) {
        return {{1, 0, dx, 0, 1, dy, 0, 0, 1}, {}};
    }
    bool is_translation() const {
        return flow.empty() && matrix[0] == 1 && matrix[1] == 0 && matrix[3] == 0 &&
               matrix[4] == 1 && matrix[6] == 0 && matrix[7] == 0 && matrix[8] == 1;
    }
    Place to_reference(Place frame) const;
    // The inverse. With a flow, by four steps of q <- H^-1 (p - f(q)): exact if the flow is
    // constant, and accurate to a few hundredths of a pixel if it changes slowly.
    Place from_reference(Place reference) const;

    bool operator==(const FrameMotion&) const = default;
};

// Motions to a common frame, as motions to the frame `reference`, whose motion becomes the
// identity.
std::vector<FrameMotion> relative_motions(std::vector<FrameMotion> motions, int reference);

std::array<double, 9> inverse(const std::array<double, 9>& matrix);
std::array<double, 9> product(const std::array<double, 9>& a, const std::array<double, 9>& b);

}  // namespace PLENOSR_EXPORT
