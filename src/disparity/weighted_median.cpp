#include "disparity/weighted_median.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace plenosr {
namespace {

struct Entry {
    float value, weight;
};

// The smallest value up to which the entries have half of the weight. Reorders the entries.
float weighted_median_of(std::vector<Entry>& entries, float total) {
    auto begin = entries.begin();
    auto end = entries.end();
    float below = 0;  // weight of the entries below [begin, end)
    while (end - begin > 1) {
        const auto middle = begin + (end - begin) / 2;
        std::nth_element(begin, middle, end,
                         [](const Entry& a, const Entry& b) { return a.value < b.value; });
        float lower = below;
        for (auto entry = begin; entry != middle; ++entry)
            lower += entry->weight;
        if (2 * lower >= total) {
            end = middle;
        } else {
            below = lower;
            begin = middle;
            // The middle entry itself may reach the half.
            if (2 * (below + begin->weight) >= total) return begin->value;
        }
    }
    return begin->value;
}

}  // namespace

Image weighted_median(const Image& map, const Image& guide, int radius, double edge) {
    Image result(map.width, map.height);
    const float falloff = float(-1 / edge);
    tbb::parallel_for(0, map.height, [&](int y) {
        std::vector<Entry> window;
        const int top = std::max(0, y - radius);
        const int bottom = std::min(map.height - 1, y + radius);
        for (int x = 0; x < map.width; ++x) {
            window.clear();
            float total = 0;
            const float here = guide.at(y, x);
            const int right = std::min(map.width - 1, x + radius);
            for (int j = top; j <= bottom; ++j)
                for (int i = std::max(0, x - radius); i <= right; ++i) {
                    const float weight = std::exp(falloff * std::abs(guide.at(j, i) - here));
                    window.push_back({map.at(j, i), weight});
                    total += weight;
                }
            result.at(y, x) = weighted_median_of(window, total);
        }
    });
    return result;
}

}  // namespace plenosr
