#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/cancelled.h"
#include "plenosr/error.h"
#include "registration/frame_fit.h"
#include "registration/registration_parameters.h"

namespace plenosr {

using namespace registration;

namespace {

// The residual of a frame that is registered to frame `to`.
double residual_to(const Pyramid& to, const Pyramid& frame, Registration motion) {
    FrameReport report;
    report.motion.matrix = inverse(align(to, frame, motion).warp);
    measure_fit(to.levels.front(), frame.levels.front(), report);
    return report.overlap < least_overlap ? std::numeric_limits<double>::infinity()
                                          : report.residual;
}

// Up to `most` frames beside the reference, spread over the sequence.
std::vector<std::size_t> spread_out(std::size_t frames, std::size_t reference, std::size_t most) {
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < frames; ++k)
        if (k != reference) others.push_back(k);
    std::vector<std::size_t> chosen;
    const std::size_t count = std::min(most, others.size());
    for (std::size_t i = 0; i < count; ++i)
        chosen.push_back(others[count == 1 ? 0 : i * (others.size() - 1) / (count - 1)]);
    return chosen;
}

}  // namespace

ReferenceCheck check_reference(const std::vector<Image>& frames,
                               const std::vector<FrameReport>& reports,
                               const FramesOptions& options, const Progress& progress) {
    options.validate();
    const auto reference = std::size_t(options.reference);
    if (reports.size() != frames.size() || reference >= frames.size())
        throw Error(
            ErrorKind::input,
            fmt::format(
                "{} reports were given for {} frames with the reference {}; there must be one "
                "report per frame, and the reference must be one of them.",
                reports.size(), frames.size(), reference));
    if (frames.size() < 3) return {};
    const double typical = typical_residual(reports, options.reference);
    if (!is_outlier(typical, 0)) return {};
    const Registration motion =
        reports.front().model == Registration::flow ? Registration::affine : reports.front().model;
    const ValueLimits limits = value_limits(frames, options.clipped);
    // Which two of some other frames fit each other best?
    const std::vector<std::size_t> probes = spread_out(frames.size(), reference, reference_probes);
    const int count = int(probes.size());
    std::vector<Pyramid> pyramids;
    for (const std::size_t k : probes) {
        if (!report(progress, {"checking the reference", int(pyramids.size()), count, 0}))
            throw Cancelled();
        pyramids.push_back(pyramid_of(frames[k], limits));
    }
    double best = typical;
    std::size_t candidate = 0;
    for (std::size_t i = 0; i < probes.size(); ++i)
        for (std::size_t j = i + 1; j < probes.size(); ++j) {
            const double residual = residual_to(pyramids[i], pyramids[j], motion);
            if (residual >= best) continue;
            best = residual;
            candidate = i;
        }
    if (!report(progress, {"checking the reference", count, count, 0})) throw Cancelled();
    if (!is_outlier(typical, best)) return {};
    // Do the other frames, too, fit it far better than the reference?
    std::vector<double> residuals;
    for (const std::size_t k : spread_out(frames.size(), reference, reference_witnesses))
        if (k != probes[candidate])
            residuals.push_back(
                residual_to(pyramids[candidate], pyramid_of(frames[k], limits), motion));
    std::sort(residuals.begin(), residuals.end());
    const double theirs = residuals[(residuals.size() - 1) / 2];
    if (!is_outlier(typical, theirs)) return {};
    return {int(probes[candidate]),
            fmt::format("the other frames differ from frame {}, the reference, by {:.1f}, but from "
                        "frame {} by {:.1f}",
                        reference, typical, probes[candidate], theirs)};
}

}  // namespace plenosr
