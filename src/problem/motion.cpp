#include "plenosr/motion.h"

#include "light_field/interpolate.h"

namespace plenosr {
namespace {

Place mapped(const std::array<double, 9>& m, Place p) {
    const double w = m[6] * p.x + m[7] * p.y + m[8];
    return {(m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w};
}

Place flow_at(const Image& flow, Place p) {
    return {double(bilinear_at(flow, p.x, p.y, 0)), double(bilinear_at(flow, p.x, p.y, 1))};
}

}  // namespace

std::array<double, 9> inverse(const std::array<double, 9>& m) {
    // The adjugate, since H is known up to scale.
    std::array<double, 9> r = {
        m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
        m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
        m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    const double unit = r[8];
    for (double& value : r)
        value /= unit;
    return r;
}

std::array<double, 9> product(const std::array<double, 9>& a, const std::array<double, 9>& b) {
    std::array<double, 9> r{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                r[3 * i + j] += a[3 * i + k] * b[3 * k + j];
    const double unit = r[8];
    for (double& value : r)
        value /= unit;
    return r;
}

Place FrameMotion::to_reference(Place frame) const {
    Place p = mapped(matrix, frame);
    if (!flow.empty()) {
        const Place f = flow_at(flow, frame);
        p.x += f.x;
        p.y += f.y;
    }
    return p;
}

Place FrameMotion::from_reference(Place reference) const {
    const std::array<double, 9> back = inverse(matrix);
    Place q = mapped(back, reference);
    if (flow.empty()) return q;
    constexpr int steps = 4;  // each reduces the error by the slope of the flow
    for (int i = 0; i < steps; ++i) {
        const Place f = flow_at(flow, q);
        q = mapped(back, {reference.x - f.x, reference.y - f.y});
    }
    return q;
}

std::vector<FrameMotion> relative_motions(std::vector<FrameMotion> motions, int reference) {
    const FrameMotion origin = motions.at(std::size_t(reference));
    if (origin == FrameMotion()) return motions;
    const std::array<double, 9> back = inverse(origin.matrix);
    for (std::size_t k = 0; k < motions.size(); ++k) {
        FrameMotion& motion = motions[k];
        if (int(k) == reference) {
            motion = FrameMotion();
        } else if (motion.flow.empty() && origin.flow.empty()) {
            motion.matrix = product(back, motion.matrix);
        } else {
            const Image& size = motion.flow.empty() ? origin.flow : motion.flow;
            Image flow(size.width, size.height, 2);
            for (int y = 0; y < flow.height; ++y)
                for (int x = 0; x < flow.width; ++x) {
                    const Place p =
                        origin.from_reference(motion.to_reference({double(x), double(y)}));
                    flow.at(y, x, 0) = float(p.x - x);
                    flow.at(y, x, 1) = float(p.y - y);
                }
            motion = {FrameMotion().matrix, std::move(flow)};
        }
    }
    return motions;
}

}  // namespace plenosr
