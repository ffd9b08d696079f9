#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/cancelled.h"
#include "base/median.h"
#include "light_field/impulse_repair.h"
#include "light_field/interpolate.h"
#include "plenosr/error.h"
#include "registration/align.h"
#include "registration/flow.h"
#include "registration/frame_fit.h"
#include "registration/motion_model.h"
#include "registration/refine_jointly.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

void check(const std::vector<Image>& frames, const FramesOptions& options) {
    options.validate();
    if (frames.empty()) throw Error(ErrorKind::input, "There are no frames.");
    for (const Image& frame : frames)
        if (!frame.same_size(frames.front()) || frame.channels != frames.front().channels ||
            frame.empty())
            throw Error(ErrorKind::input,
                        "The frames must have the same size and number of channels.");
    if (std::size_t(options.reference) >= frames.size())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("reference = {} must be a frame from 0 to {}", options.reference,
                                frames.size() - 1));
}

void down_weight_outliers(std::vector<FrameReport>& reports, int reference) {
    const double typical = typical_residual(reports, reference);
    for (std::size_t k = 0; k < reports.size(); ++k) {
        FrameReport& r = reports[k];
        if (int(k) == reference) continue;
        if (r.overlap < least_overlap) {
            r.weight = 0;
            r.weight_reason =
                fmt::format("only {:.0f} % of it overlap the reference", 100 * r.overlap);
        } else if (is_outlier(r.residual, typical)) {
            r.weight = std::pow(std::max(typical, least_typical_residual) / r.residual, 2);
            r.weight_reason =
                fmt::format("it differs from the reference by {:.1f}, the others by {:.1f}",
                            r.residual, typical);
        }
    }
}

// find(reference, frame, k) returns the motion of frame k.
template <class Find>
std::vector<FrameReport> for_each_frame(const std::vector<Image>& frames,
                                        const FramesOptions& options, const Progress& progress,
                                        Registration model, const Find& find) {
    std::vector<FrameReport> reports(frames.size());
    const int count = int(frames.size());
    const ValueLimits limits = value_limits(frames, options.clipped);
    const Pyramid reference = pyramid_of(frames[std::size_t(options.reference)], limits);
    for (int k = 0; k < count; ++k) {
        if (!report(progress, {"registering", k, count, 0})) throw Cancelled();
        FrameReport& r = reports[std::size_t(k)];
        r.model = model;
        if (k == options.reference) {
            r.sharpness = sharpness_of(reference);
            continue;
        }
        const Pyramid frame = pyramid_of(frames[std::size_t(k)], limits);
        r.sharpness = sharpness_of(frame);
        r.motion = find(reference, frame, k);
        measure_fit(reference.levels.front(), frame.levels.front(), r);
    }
    if (!report(progress, {"registering", count, count, 0})) throw Cancelled();
    down_weight_outliers(reports, options.reference);
    return reports;
}

// Reports pass `pass` of `passes` over the frames as that part of one stage.
Progress part_of_registration(const Progress& progress, int pass, int passes) {
    return [&progress, pass, passes](const ProgressEvent& event) {
        const int done = pass * event.steps + event.step;
        return report(progress,
                      {event.stage, done / passes, event.steps, 0, double(done % passes) / passes});
    };
}

FrameMotion moved_by(const Alignment& a) {
    return {inverse(a.warp), {}};
}

std::vector<FrameReport> with_model(const std::vector<Image>& frames, const FramesOptions& options,
                                    const Progress& progress, Registration model) {
    const bool dense = model == Registration::flow;
    return for_each_frame(
        frames, options, progress, model, [&](const Pyramid& reference, const Pyramid& frame, int) {
            const Alignment a = align(reference, frame, dense ? Registration::affine : model);
            FrameMotion motion = moved_by(a);
            if (dense) motion.flow = dense_flow(reference, frame, a);
            return motion;
        });
}

// The better one of two alignments: few pixels or little texture may lead the more general one
// astray.
Alignment better_of(const Pyramid& reference, const Pyramid& frame, const Alignment& a,
                    const Alignment& b) {
    const auto residual = [&](const Alignment& alignment) {
        FrameReport r;
        r.motion = moved_by(alignment);
        measure_fit(reference.levels.front(), frame.levels.front(), r);
        return r.overlap < least_overlap ? std::numeric_limits<double>::infinity() : r.residual;
    };
    return residual(a) < residual(b) ? a : b;
}

std::vector<FrameReport> with_simplest_model(const std::vector<Image>& frames,
                                             const FramesOptions& options,
                                             const Progress& progress) {
    std::vector<Alignment> general(frames.size());
    std::vector<MotionModels> models(frames.size());
    std::vector<FrameReport> reports = for_each_frame(
        frames, options, part_of_registration(progress, 0, 2), Registration::homography,
        [&](const Pyramid& reference, const Pyramid& frame, int k) {
            Alignment& a = general[std::size_t(k)];
            a = better_of(reference, frame, align(reference, frame, Registration::homography),
                          align(reference, frame, Registration::affine));
            models[std::size_t(k)] = motion_models(reference, frame, a);
            return moved_by(a);
        });
    std::vector<MotionModels> fitting;  // without frames of another scene
    std::vector<float> elsewhere;
    for (std::size_t k = 0; k < frames.size(); ++k)
        if (int(k) != options.reference && reports[k].weight >= 1) {
            fitting.push_back(models[k]);
            elsewhere.push_back(float(models[k].elsewhere));
        }
    const std::size_t chosen = simplest_model(fitting);
    const Registration model = MotionModels::list[chosen];
    std::vector<FrameReport> simple =
        for_each_frame(frames, options, part_of_registration(progress, 1, 2), model,
                       [&](const Pyramid& reference, const Pyramid& frame, int k) {
                           const MotionModels& m = models[std::size_t(k)];
                           Alignment a = general[std::size_t(k)];
                           if (!m.known) return moved_by(align(reference, frame, model));
                           a.warp = m.warps[chosen];
                           return moved_by(align_finely(reference, frame, model, a));
                       });
    if (elsewhere.empty() || double(median_of(elsewhere)) < least_displaced) return simple;
    const Progress finding_flow = [&](const ProgressEvent& event) {
        return report(progress, {"finding the flow", event.step, event.steps, 0});
    };
    std::vector<FrameReport> dense = with_model(frames, options, finding_flow, Registration::flow);
    return typical_residual(dense, options.reference) <
                   flow_residual_ratio * typical_residual(simple, options.reference)
               ? dense
               : simple;
}

}  // namespace

std::vector<FrameReport> register_frames(const std::vector<Image>& frames,
                                         const FramesOptions& options, const Progress& progress) {
    check(frames, options);
    std::vector<FrameReport> reports =
        options.registration == Registration::automatic
            ? with_simplest_model(frames, options, progress)
            : with_model(frames, options, progress, options.registration);
    if (reports.front().model == Registration::flow) return reports;
    std::vector<Image> repaired;
    repaired.reserve(frames.size());
    const ValueLimits limits = value_limits(frames, options.clipped);
    for (const Image& frame : frames)
        repaired.push_back(without_impulses(luma(frame), limits));
    refine_jointly(repaired, options.reference, reports.front().model, reports);
    return reports;
}

std::vector<FrameReport> examine_frames(const std::vector<Image>& frames,
                                        const std::vector<FrameMotion>& motions,
                                        const FramesOptions& options, const Progress& progress) {
    if (motions.size() != frames.size())
        throw Error(ErrorKind::input, fmt::format("{} motions were given for {} frames.",
                                                  motions.size(), frames.size()));
    check(frames, options);
    return for_each_frame(
        frames, options, progress, Registration::translation,
        [&](const Pyramid&, const Pyramid&, int k) { return motions[std::size_t(k)]; });
}

}  // namespace plenosr
