#pragma once

#include <cmath>

#include "disparity/matching.h"

namespace plenosr::test {

// 3 x 3 views of a textured plane at a known disparity.
inline MatchDesc plane_at(double disparity, int width, int height) {
    const auto texture = [](double x, double y) {
        return float(128 + 40 * std::sin(0.9 * x + 0.3 * y) + 30 * std::sin(0.4 * x - 1.1 * y) +
                     25 * std::sin(0.13 * x * 1.7 + 0.71 * y));
    };
    MatchDesc desc;
    for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
            Image view(width, height);
            // The point at (x, y) of the reference is seen at (x - u d, y - v d).
            for (int y = 0; y < height; ++y)
                for (int x = 0; x < width; ++x)
                    view.at(y, x) = texture(x + u * disparity, y + v * disparity);
            desc.views.push_back(view);
            desc.offsets.push_back({double(u), double(v)});
        }
    desc.guide = desc.views[4];
    desc.labels = 33;
    desc.first = -2;
    desc.step = 0.125;
    return desc;
}

}  // namespace plenosr::test
