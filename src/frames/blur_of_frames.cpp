#include "frames/blur_of_frames.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "noise/single_view_noise.h"

namespace plenosr {
namespace {

// The part of a frame that shows the box of the reference, as large as the box.
Box seen_in(const FrameMotion& motion, const Box& box, const Image& frame) {
    const Place centre{box.x0 + box.width / 2.0, box.y0 + box.height / 2.0};
    const Place there = motion.from_reference(centre);
    const auto corner = [](double moved, int from, int side, int size) {
        return int(std::clamp(std::round(from + moved), 0.0, double(size - side)));
    };
    return {corner(there.x - centre.x, box.x0, box.width, frame.width),
            corner(there.y - centre.y, box.y0, box.height, frame.height), box.width, box.height};
}

// In the reference and the frames after it, up to `frames_max` in all.
std::optional<double> sharpest_edges_of(const TrialFrames& trial) {
    constexpr std::size_t frames_max = 25;
    const std::size_t count = trial.frames.views.size();
    std::vector<std::size_t> order;
    std::vector<Image> frames;
    for (std::size_t i = 0; i < std::min(count, frames_max); ++i) {
        order.push_back((trial.reference + i) % count);
        frames.push_back(luma(trial.frames.views[order.back()].image));
    }
    const auto samples = [&](int x, int y, double radius) {
        std::vector<std::vector<EdgeSample>> sets(1);
        const Place pixel{double(x), double(y)};
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const FrameMotion& motion = trial.motions[order[i]];
            add_samples(
                frames[i], motion.from_reference(pixel), pixel, radius, {},
                [&](Place p) { return motion.to_reference(p); }, sets.front());
        }
        return sets;
    };
    const double noise = single_view_noise(frames.front(), trial.limits).sigma;
    return sharpest_edges(frames.front(), noise, samples);
}

}  // namespace

FrameMotion motion_of_parts(const FrameMotion& motion, const Box& frame, const Box& reference) {
    const std::array<double, 9> in{1, 0, double(frame.x0), 0, 1, double(frame.y0), 0, 0, 1};
    const std::array<double, 9> out{1, 0, double(-reference.x0), 0, 1, double(-reference.y0), 0,
                                    0, 1};
    FrameMotion part{product(out, product(motion.matrix, in)), {}};
    if (!motion.flow.empty()) part.flow = crop(motion.flow, frame);
    return part;
}

BlurEstimate estimate_blur_of_frames(const Engines& engines, const TrialFrames& trial,
                                     const std::vector<const Image*>& sample_weights,
                                     const ReconstructOptions& options, const EarlierResults& known,
                                     const Progress& progress) {
    const LightField& frames = trial.frames;
    std::vector<SolveWindow> windows;
    for (const Box& box : blur_windows(luma(frames.views[trial.reference].image))) {
        LightField part;
        part.grid = frames.grid;
        part.clipped = frames.clipped;
        std::vector<FrameMotion> motions;
        std::vector<Image> weights(frames.views.size());
        for (std::size_t k = 0; k < frames.views.size(); ++k) {
            const Image& frame = frames.views[k].image;
            const Box seen = seen_in(trial.motions[k], box, frame);
            part.views.push_back({frames.views[k].position, luma(crop(frame, seen))});
            motions.push_back(motion_of_parts(trial.motions[k], seen, box));
            if (sample_weights[k] != nullptr) weights[k] = crop(*sample_weights[k], seen);
        }
        windows.push_back(
            [&engines, &trial, &known, part = std::move(part), motions = std::move(motions),
             weights = std::move(weights)](const ReconstructOptions& o, const Progress& within) {
                std::vector<const Image*> given;
                for (const Image& w : weights)
                    given.push_back(w.empty() ? nullptr : &w);
                const Setup setup =
                    frames_setup(part.width(), part.height(), 1, motions, trial.trust, o, given);
                return reconstruct_view(engines, setup, {part, trial.reference, o.colour}, o,
                                        within, nullptr, known)
                    .image;
            });
    }
    std::optional<double> edges;
    tbb::task_arena(options.threads > 0 ? options.threads : tbb::task_arena::automatic)
        .execute([&] { edges = sharpest_edges_of(trial); });
    return estimate_blur(windows, edges, options, progress);
}

}  // namespace plenosr
