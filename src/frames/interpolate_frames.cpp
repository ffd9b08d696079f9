#include <cmath>

#include "plenosr/frames.h"

namespace plenosr {

Image interpolate_frames(const std::vector<Image>& frames, const std::vector<FrameMotion>& motions,
                         int reference, const SamplingGrid& sampling) {
    Image result = enlarge_view(frames[std::size_t(reference)], sampling);
    std::vector<float> counts(result.pixels(), 0.0F);
    for (std::size_t k = 0; k < frames.size(); ++k) {
        const Image& frame = frames[k];
        for (int i = 0; i < frame.height; ++i)
            for (int j = 0; j < frame.width; ++j) {
                const Place p = motions[k].to_reference({double(j), double(i)});
                const double x = std::round(sampling.to_high(p.x));
                const double y = std::round(sampling.to_high(p.y));
                if (!(x >= 0 && y >= 0 && x < result.width && y < result.height)) continue;
                float& count = counts[std::size_t(y) * std::size_t(result.width) + std::size_t(x)];
                ++count;
                for (int c = 0; c < frame.channels; ++c) {  // running mean
                    float& value = result.at(int(y), int(x), c);
                    value += (frame.at(i, j, c) - value) / count;
                }
            }
    }
    return result;
}

}  // namespace plenosr
