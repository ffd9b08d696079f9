#include "backends/cpu/matching.h"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>

#include "backends/cpu/semi_global.h"
#include "backends/cpu/sweep.h"
#include "base/cancelled.h"
#include "disparity/guided_filter.h"

namespace plenosr::cpu {
namespace {

constexpr int labels_at_once = 8;  // per task, so that whole cache lines of the volume are written

struct Scratch {
    Sweep::Scratch sweep;
    GuidedFilter::Scratch guided;
    std::vector<float> planes;
};

// The aggregated costs C(p, l), in units of tau / match_levels
CostVolume aggregated_costs(const MatchDesc& desc, const Parallel& parallel,
                            const Progress& progress) {
    const Sweep sweep(desc);
    const GuidedFilter filter(desc.guide, desc.window, desc.epsilon);
    CostVolume volume(desc.guide.width, desc.guide.height, desc.labels);
    const std::size_t pixels = desc.guide.pixels();
    const float levels = float(match_levels) / desc.truncation;
    tbb::enumerable_thread_specific<Scratch> scratches;

    const int blocks = (desc.labels + labels_at_once - 1) / labels_at_once;
    const int round = std::max(1, parallel.threads());
    for (int done = 0; done < blocks; done += round) {
        if (!report(progress, {"matching", 0, 1, 0, double(done) / blocks})) throw Cancelled();
        const int now = std::min(round, blocks - done);
        parallel.ranges(now, 1, [&](int begin, int end) {
            Scratch& s = scratches.local();
            s.planes.resize(labels_at_once * pixels);
            for (int block = done + begin; block < done + end; ++block) {
                const int first = block * labels_at_once;
                const int count = std::min(labels_at_once, desc.labels - first);
                for (int i = 0; i < count; ++i) {
                    float* plane = &s.planes[std::size_t(i) * pixels];
                    sweep.cost_plane(desc.first + (first + i) * desc.step, plane, s.sweep);
                    filter.apply(plane, s.guided);
                }
                for (std::size_t p = 0; p < pixels; ++p) {
                    std::uint16_t* to = &volume.costs[p * std::size_t(volume.stride)] + first;
                    for (int i = 0; i < count; ++i) {
                        const float cost = s.planes[std::size_t(i) * pixels + p] * levels + 0.5F;
                        to[i] = std::uint16_t(std::clamp(cost, 0.0F, float(match_levels)));
                    }
                }
            }
        });
    }
    for (std::size_t p = 0; p < pixels; ++p)
        for (int l = desc.labels; l < volume.stride; ++l)
            volume.costs[p * std::size_t(volume.stride) + std::size_t(l)] = unreachable_cost;
    return volume;
}

// mean_l C - min_l C of every pixel
std::vector<float> contrasts_of(const CostVolume& volume) {
    std::vector<float> contrasts(std::size_t(volume.width) * std::size_t(volume.height));
    for (std::size_t p = 0; p < contrasts.size(); ++p) {
        const std::uint16_t* c = &volume.costs[p * std::size_t(volume.stride)];
        int least = c[0];
        int sum = 0;
        for (int l = 0; l < volume.labels; ++l) {
            least = std::min(least, int(c[l]));
            sum += c[l];
        }
        contrasts[p] = float(sum) / float(volume.labels) - float(least);
    }
    return contrasts;
}

// The label with the smallest S; a parabola through it and its neighbours gives the fraction.
void fit_label(const std::uint16_t* s, const MatchDesc& desc, float unit, float& disparity,
               float& contrast, float& margin) {
    int best = 0;
    double sum = 0;
    for (int l = 0; l < desc.labels; ++l) {
        if (s[l] < s[best]) best = l;
        sum += s[l];
    }
    int other = 0xFFFF;
    for (int l = 0; l < desc.labels; ++l)
        if (std::abs(l - best) > match_neighbourhood) other = std::min(other, int(s[l]));
    double fraction = 0;
    if (best > 0 && best + 1 < desc.labels) {
        const double below = s[best - 1];
        const double above = s[best + 1];
        const double bend = below + above - 2.0 * s[best];
        if (bend > 0) fraction = std::clamp(0.5 * (below - above) / bend, -0.5, 0.5);
    }
    disparity = float(desc.first + (best + fraction) * desc.step);
    contrast = float(sum / desc.labels - s[best]) * unit;
    margin = desc.labels > 2 * match_neighbourhood + 1 ? float(other - int(s[best])) * unit : 0.0F;
}

}  // namespace

std::size_t match_bytes(const MatchShape& s, int threads) {
    const std::size_t n = s.pixels();
    const std::size_t volume = CostVolume::bytes(s.width, s.height, s.labels);
    const std::size_t views = Sweep::bytes(s);
    constexpr std::size_t guided_filter = 3 + 2;  // planes: guide, mean, variance; a and b
    const std::size_t scratch = (labels_at_once + 2) * n * sizeof(float) * std::size_t(threads);
    // The sweep ends before the second volume is made.
    return std::max(volume + views + guided_filter * n * sizeof(float) + scratch, 2 * volume) +
           n * sizeof(float);
}

Match match_views(const MatchDesc& desc, const Parallel& parallel, const Progress& progress) {
    const int width = desc.guide.width;
    const int height = desc.guide.height;
    const CostVolume costs = aggregated_costs(desc, parallel, progress);
    std::vector<float> contrasts = contrasts_of(costs);
    const JumpCosts jump = jump_costs(desc, contrasts);
    if (!report(progress, {"matching", 1, 1, 0})) throw Cancelled();
    const CostVolume sum = semi_global_matching(costs, desc.guide, jump, parallel);

    const float unit = desc.truncation / float(match_levels * match_paths);
    Match match{Image(width, height), Image(width, height), Image(width, height),
                double(jump.large) * double(desc.truncation) / match_levels};
    parallel.ranges(height, 4, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < width; ++x)
                fit_label(sum.at(y, x), desc, unit, match.disparity.at(y, x),
                          match.contrast.at(y, x), match.margin.at(y, x));
    });
    return match;
}

}  // namespace plenosr::cpu
