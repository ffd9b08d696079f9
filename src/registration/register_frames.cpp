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

namespace plenosr {
namespace {

constexpr double suspicious = 2.5;  // times the usual residual …
constexpr double slack = 1.0;       // … and grey levels more

void check(const std::vector<Image>& frames, const FramesOptions& options) {
    options.validate();
    if (frames.empty()) throw Error(ErrorKind::input, "There are no frames.");
    for (const Image& frame : frames)
        if (!frame.same_size(frames.front()) || frame.channels != frames.front().channels ||
            frame.empty())
            throw Error(ErrorKind::input, "The frames must have one size and number of channels.");
    if (std::size_t(options.reference) >= frames.size())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("reference = {} must be a frame from 0 to {}", options.reference,
                                frames.size() - 1));
}

// What gain frame(q) + offset differs from reference(motion q) by, over some 1e5 pixels.
struct Differences {
    std::vector<float> frame;
    std::vector<float> reference;
    double overlap = 0;
};
Differences differences(const Image& reference, const Image& frame, const FrameMotion& motion) {
    constexpr double looked_at = 1e5;
    const int stride = std::max(1, int(std::sqrt(double(frame.pixels()) / looked_at)));
    Differences d;
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

float spread(const Differences& d, double gain, double offset) {
    std::vector<float> values(d.frame.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::abs(float(gain) * d.frame[i] + float(offset) - d.reference[i]);
    return values.empty() ? 0.0F : 1.4826F * median_of(values);
}

// Least squares with Tukey's weights, a few times.
void fit_photometry(const Differences& d, double& gain, double& offset) {
    constexpr int rounds = 5;
    for (int n = 0; n < rounds; ++n) {
        const double cut = 4.685 * std::max(double(spread(d, gain, offset)), 0.5);
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
        if (!(variance > 1e-6 * w * w)) return;
        gain = (wfr * w - wf * wr) / variance;
        offset = (wr - gain * wf) / w;
    }
}

void down_weight_outliers(std::vector<FrameReport>& reports, int reference) {
    const double usual = usual_residual(reports, reference);
    for (std::size_t k = 0; k < reports.size(); ++k) {
        FrameReport& r = reports[k];
        if (int(k) == reference) continue;
        if (r.overlap < least_overlap) {
            r.weight = 0;
            r.doubt = fmt::format("only {:.0f} % of it lie in the reference", 100 * r.overlap);
        } else if (is_suspicious(r.residual, usual)) {
            r.weight = std::pow(std::max(usual, 1.0) / r.residual, 2);
            r.doubt = fmt::format("it differs from the reference by {:.1f}, the others by {:.1f}",
                                  r.residual, usual);
        }
    }
}

template <class Find>  // find(reference, frame, k) gives the motion of frame k
std::vector<FrameReport> for_each_frame(const std::vector<Image>& frames,
                                        const FramesOptions& options, const Progress& progress,
                                        const Find& find) {
    check(frames, options);
    std::vector<FrameReport> reports(frames.size());
    const int count = int(frames.size());
    const ValueLimits limits = value_limits(frames);
    const Pyramid reference = pyramid_of(frames[std::size_t(options.reference)], limits);
    for (int k = 0; k < count; ++k) {
        if (!report(progress, {"registering", k, count, 0})) throw Cancelled();
        if (k == options.reference) continue;
        const Pyramid frame = pyramid_of(frames[std::size_t(k)], limits);
        FrameReport& r = reports[std::size_t(k)];
        r.motion = find(reference, frame, k);
        judge(reference.levels.front(), frame.levels.front(), r);
    }
    if (!report(progress, {"registering", count, count, 0})) throw Cancelled();
    down_weight_outliers(reports, options.reference);
    return reports;
}

}  // namespace

void judge(const Image& reference, const Image& frame, FrameReport& report) {
    const Differences d = differences(reference, frame, report.motion);
    report.overlap = d.overlap;
    fit_photometry(d, report.gain, report.offset);
    report.residual = double(spread(d, report.gain, report.offset));
}

double usual_residual(const std::vector<FrameReport>& reports, int reference) {
    std::vector<double> residuals;
    for (std::size_t k = 0; k < reports.size(); ++k)
        if (int(k) != reference) residuals.push_back(reports[k].residual);
    if (residuals.empty()) return 0;
    std::sort(residuals.begin(), residuals.end());
    return residuals[(residuals.size() - 1) / 2];
}

bool is_suspicious(double residual, double usual) {
    return residual > suspicious * usual + slack;
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
        const ValueLimits limits = value_limits(frames);
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
