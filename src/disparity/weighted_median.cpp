#include "disparity/weighted_median.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace plenosr {

Image weighted_median(const Image& map, const Image& guide, const Image& confidence, int radius,
                      double edge) {
    struct Entry {
        float value, weight;
    };
    Image result(map.width, map.height);
    tbb::parallel_for(0, map.height, [&](int y) {
        std::vector<Entry> window;
        for (int x = 0; x < map.width; ++x) {
            window.clear();
            float total = 0;
            const float here = guide.at(y, x);
            for (int j = std::max(0, y - radius); j <= std::min(map.height - 1, y + radius); ++j)
                for (int i = std::max(0, x - radius); i <= std::min(map.width - 1, x + radius);
                     ++i) {
                    const float weight = confidence.at(j, i) *
                                         std::exp(-std::abs(guide.at(j, i) - here) / float(edge));
                    window.push_back({map.at(j, i), weight});
                    total += weight;
                }
            std::sort(window.begin(), window.end(),
                      [](const Entry& a, const Entry& b) { return a.value < b.value; });
            float sum = 0;
            result.at(y, x) = map.at(y, x);
            for (const Entry& entry : window) {
                sum += entry.weight;
                if (2 * sum >= total) {
                    result.at(y, x) = entry.value;
                    break;
                }
            }
        }
    });
    return result;
}

}  // namespace plenosr
