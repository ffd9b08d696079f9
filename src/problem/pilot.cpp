#include "problem/pilot.h"

#include <tbb/parallel_for.h>

#include <cmath>
#include <cstdint>

#include "base/median.h"
#include "light_field/interpolate.h"

namespace plenosr {

MedianImage median_of_frames(const std::vector<Image>& frames,
                             const std::vector<ViewGeometry>& geometry,
                             const std::vector<FrameMotion>& motions, const Box& tile,
                             const Image& enlarged_reference, const SamplingGrid& sampling) {
    const int scale = sampling.scale;
    struct Source {
        const Image& crop;
        const ViewGeometry& geometry;
        FrameMotion back;            // reference -> frame, without the flow
        const FrameMotion* flowing;  // the motion with its flow, or null
        double x0;                   // place of the crop in the frame
        double y0;
    };
    std::vector<Source> sources;
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const ViewCrop& crop = geometry[k].crop;
        if (crop.trust < 1) continue;
        sources.push_back({frames[k],
                           geometry[k],
                           {inverse(motions[k].matrix), {}},
                           motions[k].flow.empty() ? nullptr : &motions[k],
                           double((tile.x0 + crop.x0) / scale),
                           double((tile.y0 + crop.y0) / scale)});
    }
    MedianImage result{enlarged_reference,
                       Image(enlarged_reference.width, enlarged_reference.height)};
    tbb::parallel_for(0, tile.height, [&](int y) {
        std::vector<float> values;
        std::vector<std::pair<const Image*, Place>> seen;
        for (int x = 0; x < tile.width; ++x) {
            const Place p{sampling.to_low(tile.x0 + x), sampling.to_low(tile.y0 + y)};
            seen.clear();
            for (const Source& s : sources) {
                Place q =
                    s.flowing != nullptr ? s.flowing->from_reference(p) : s.back.to_reference(p);
                q.x -= s.x0;
                q.y -= s.y0;
                if (q.x > -0.5 && q.x < s.crop.width - 0.5 && q.y > -0.5 &&
                    q.y < s.crop.height - 0.5 &&
                    !s.geometry.rejects(int(std::lround(q.y)), int(std::lround(q.x))))
                    seen.emplace_back(&s.crop, q);
            }
            if (seen.empty()) continue;
            for (int c = 0; c < enlarged_reference.channels; ++c) {
                values.clear();
                for (const auto& [image, at] : seen)
                    values.push_back(bicubic_at(*image, at.x, at.y, c));
                const float median = median_of(values);
                result.median.at(y, x, c) = median;
                if (c == 0) result.spread.at(y, x) = spread_around(median, values);
            }
        }
    });
    return result;
}

Image with_samples(Image median, const std::vector<Image>& frames,
                   const std::vector<ViewGeometry>& geometry, const SamplingGrid& sampling,
                   double noise_sigma, const ValueLimits& limits) {
    const int channels = median.channels;
    Image detail(median.width, median.height, channels);
    std::vector<std::uint16_t> counts(median.pixels(), 0);
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const ViewGeometry& g = geometry[k];
        if (g.crop.trust < 1) continue;
        for (int i = 0; i < frames[k].height; ++i)
            for (int j = 0; j < frames[k].width; ++j) {
                if (g.rejects(i, j)) continue;
                const Place p = g.place(sampling.scale, i, j);
                const double x = std::round(p.x + sampling.phase);
                const double y = std::round(p.y + sampling.phase);
                if (!(x >= 0 && y >= 0 && x < median.width && y < median.height)) continue;
                bool extreme = false;
                for (int c = 0; c < channels; ++c)
                    extreme = extreme || limits.extreme(frames[k].at(i, j, c));
                if (extreme) continue;
                const std::size_t pixel =
                    std::size_t(y) * std::size_t(median.width) + std::size_t(x);
                ++counts[pixel];
                for (std::size_t c = 0; c < std::size_t(channels); ++c) {  // running mean
                    const std::size_t at = pixel * std::size_t(channels) + c;
                    const float d = frames[k].at(i, j, int(c)) - median.values[at];
                    detail.values[at] += (d - detail.values[at]) / float(counts[pixel]);
                }
            }
    }
    // 3 sigma, chosen by reasoning. From a blurred start kodim19 x2 reached 38.6 dB in ten
    // iterations, from this one 45.2 dB.
    const auto noise = float(9 * noise_sigma * noise_sigma);
    constexpr float huge = 1e12F;  // d^3 would overflow, and the noise is negligible
    for (std::size_t i = 0; i < detail.values.size(); ++i) {
        const float d = detail.values[i];
        if (std::abs(d) > huge)
            median.values[i] += d;
        else if (d != 0.0F)
            median.values[i] += d * d * d / (d * d + noise);
    }
    return median;
}

}  // namespace plenosr
