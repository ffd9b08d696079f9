#include "backends/cpu/initial.h"

#include <cmath>

#include "base/median.h"
#include "kernels/rounding.h"
#include "light_field/interpolate.h"
#include "plenosr/disparity.h"

namespace plenosr::cpu {

Image enlarge_bicubic(const Image& low, const SamplingGrid& sampling, const Parallel& parallel) {
    const int scale = sampling.scale;
    Image full(low.width * scale, low.height * scale, low.channels);
    parallel.ranges(full.height, 8, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < full.width; ++x)
                for (int c = 0; c < low.channels; ++c)
                    full.at(y, x, c) = bicubic_at(low, sampling.to_low(x), sampling.to_low(y), c);
    });
    return full;
}

MedianImage median_of_views(const std::vector<Image>& views,
                            const std::vector<ViewGeometry>& geometry, const Image& full_disparity,
                            const Image& enlarged_reference, const SamplingGrid& sampling,
                            const Parallel& parallel) {
    const int channels = enlarged_reference.channels;
    MedianImage result{enlarged_reference,
                       Image(enlarged_reference.width, enlarged_reference.height)};
    parallel.ranges(full_disparity.height, 8, [&](int begin, int end) {
        struct Seen {
            const Image* view;
            double x;
            double y;
        };
        std::vector<Seen> seen;
        std::vector<float> values;
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < full_disparity.width; ++x) {
                const double d = double(full_disparity.at(y, x));
                seen.clear();
                for (std::size_t k = 0; k < views.size(); ++k) {
                    const ViewCrop& g = geometry[k].crop;
                    const double lx = sampling.to_low(x - g.x0 - g.u * d);
                    const double ly = sampling.to_low(y - g.y0 - g.v * d);
                    if (!(lx > -0.5 && lx < views[k].width - 0.5 && ly > -0.5 &&
                          ly < views[k].height - 0.5))
                        continue;
                    const int i = floor_to_int(ly + 0.5);
                    const int j = floor_to_int(lx + 0.5);
                    const double dk = double(geometry[k].at_low_resolution().at(i, j));
                    if (std::abs(dk - d) < double(same_surface))
                        seen.push_back({&views[k], lx, ly});
                }
                if (seen.empty()) continue;
                for (int c = 0; c < channels; ++c) {
                    values.clear();
                    for (const Seen& at : seen)
                        values.push_back(bicubic_at(*at.view, at.x, at.y, c));
                    const float median = median_of(values);
                    result.median.at(y, x, c) = median;
                    if (c == 0) result.spread.at(y, x) = spread_around(median, values);
                }
            }
    });
    return result;
}

}  // namespace plenosr::cpu
