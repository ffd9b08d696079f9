#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "light_field/impulse_repair.h"
#include "light_field/interpolate.h"
#include "plenosr/error.h"
#include "registration/align.h"
#include "registration/flow.h"
#include "registration/frame_fit.h"
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

// Values of the frame at q and of the reference at motion q, over about 1e5 pixels.
struct PixelPairs {
    std::vector<float> frame;
    std::vector<float> reference;
    double overlap = 0;
};
PixelPairs pixel_pairs(const Image& reference, const Image& frame, const FrameMotion& motion) {
    const int stride = std::max(1, int(std::sqrt(double(frame.pixels()) / pixels_for_residual)));
    PixelPairs d;
    double all = 0;
    for (int y = 0; y < frame.height; y += stride)
        for (int x = 0; x < frame.width; x += stride) {
            ++all;
            const Place p = motion.to_reference({double(x), double(y)});
            if (p.x < 0 || p.y < 0 || p.x > reference.width - 1 || p.y > reference.height - 1)
                continue;
            d.frame.push_back(frame.at(y, x));
            d.reference.push_back(bicubic_at(reference, p.x, p.y, 0));
        }
    d.overlap = double(d.frame.size()) / all;
    return d;
}

// 1.4826 median |gain frame + offset - reference|
float spread(const PixelPairs& d, double gain, double offset) {
    std::vector<float> values(d.frame.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::abs(float(gain) * d.frame[i] + float(offset) - d.reference[i]);
    return values.empty() ? 0.0F : 1.4826F * median_of(values);
}

// Gain and offset by least squares with Tukey's weights.
void fit_photometry(const PixelPairs& d, double& gain, double& offset) {
    for (int n = 0; n < photometry_rounds; ++n) {
        const double cut = residual_cut(double(spread(d, gain, offset)));
        double w = 0;
        double wf = 0;
        double wr = 0;
        double wff = 0;
        double wfr = 0;
        for (std::size_t i = 0; i < d.frame.size(); ++i) {
            const double f = double(d.frame[i]);
            const double t = double(d.reference[i]);
            const double e = (gain * f + offset - t) / cut;
            if (std::abs(e) >= 1) continue;
            const double weight = (1 - e * e) * (1 - e * e);
            w += weight;
            wf += weight * f;
            wr += weight * t;
            wff += weight * f * f;
            wfr += weight * f * t;
        }
        const double variance = wff * w - wf * wf;
        if (!(variance > least_relative_variance * w * w)) return;
        gain = (wfr * w - wf * wr) / variance;
        offset = (wr - gain * wf) / w;
    }
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
                                        const Find& find) {
    check(frames, options);
    std::vector<FrameReport> reports(frames.size());
    const int count = int(frames.size());
    const ValueLimits limits = value_limits(frames, options.clipped);
    const Pyramid reference = pyramid_of(frames[std::size_t(options.reference)], limits);
    for (int k = 0; k < count; ++k) {
        if (!report(progress, {"registering", k, count, 0})) throw Cancelled();
        if (k == options.reference) continue;
        const Pyramid frame = pyramid_of(frames[std::size_t(k)], limits);
        FrameReport& r = reports[std::size_t(k)];
        r.motion = find(reference, frame, k);
        measure_fit(reference.levels.front(), frame.levels.front(), r);
    }
    if (!report(progress, {"registering", count, count, 0})) throw Cancelled();
    down_weight_outliers(reports, options.reference);
    return reports;
}

}  // namespace

void measure_fit(const Image& reference, const Image& frame, FrameReport& report) {
    const PixelPairs d = pixel_pairs(reference, frame, report.motion);
    report.overlap = d.overlap;
    fit_photometry(d, report.gain, report.offset);
    report.residual = double(spread(d, report.gain, report.offset));
}

double typical_residual(const std::vector<FrameReport>& reports, int reference) {
    std::vector<double> residuals;
    for (std::size_t k = 0; k < reports.size(); ++k)
        if (int(k) != reference) residuals.push_back(reports[k].residual);
    if (residuals.empty()) return 0;
    std::sort(residuals.begin(), residuals.end());
    return residuals[(residuals.size() - 1) / 2];
}

bool is_outlier(double residual, double typical) {
    return residual > outlier_factor * typical + outlier_offset;
}

std::vector<FrameReport> register_frames(const std::vector<Image>& frames,
                                         const FramesOptions& options, const Progress& progress) {
    const bool dense = options.registration == Registration::flow;
    std::vector<FrameReport> reports = for_each_frame(
        frames, options, progress, [&](const Pyramid& reference, const Pyramid& frame, int) {
            const Alignment a =
                align(reference, frame, dense ? Registration::affine : options.registration);
            FrameMotion motion{inverse(a.warp), {}};
            if (dense) motion.flow = dense_flow(reference, frame, a);
            return motion;
        });
    if (!dense) {
        std::vector<Image> repaired;
        repaired.reserve(frames.size());
        const ValueLimits limits = value_limits(frames, options.clipped);
        for (const Image& frame : frames)
            repaired.push_back(without_impulses(luma(frame), limits));
        refine_jointly(repaired, options.reference, options.registration, reports);
    }
    return reports;
}

std::vector<FrameReport> examine_frames(const std::vector<Image>& frames,
                                        const std::vector<FrameMotion>& motions,
                                        const FramesOptions& options, const Progress& progress) {
    if (motions.size() != frames.size())
        throw Error(ErrorKind::input, fmt::format("{} motions were given for {} frames.",
                                                  motions.size(), frames.size()));
    return for_each_frame(frames, options, progress, [&](const Pyramid&, const Pyramid&, int k) {
        return motions[std::size_t(k)];
    });
}

}  // namespace plenosr
