#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "plenosr/error.h"
#include "registration/frame_fit.h"

namespace plenosr {
namespace {

constexpr std::size_t most_probes = 3;
constexpr std::size_t most_witnesses = 5;

// The residual of frame k, registered to frame `to`.
double residual_to(const Pyramid& to, const Pyramid& frame, Registration what) {
    FrameReport report;
    report.motion.matrix = inverse(align(to, frame, what).warp);
    judge(to.levels.front(), frame.levels.front(), report);
    return report.overlap < least_overlap ? std::numeric_limits<double>::infinity()
                                          : report.residual;
}

// Frames without the reference, spread over the sequence.
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
        throw Error(ErrorKind::input, fmt::format("{} reports were given for {} frames, of which "
                                                  "{} is the reference.",
                                                  reports.size(), frames.size(), reference));
    if (frames.size() < 3) return {};
    const double usual = usual_residual(reports, options.reference);
    if (!is_suspicious(usual, 0)) return {};
    const Registration what =
        options.registration == Registration::flow ? Registration::affine : options.registration;
    const ValueLimits limits = value_limits(frames);
    // Which two of some others fit one another best?
    const std::vector<std::size_t> probes = spread_out(frames.size(), reference, most_probes);
    std::vector<Pyramid> pyramids;
    for (const std::size_t k : probes) {
        if (!report(progress,
                    {"examining the reference", int(pyramids.size()), int(probes.size()), 0}))
            throw Cancelled();
        pyramids.push_back(pyramid_of(frames[k], limits));
    }
    double best = usual;
    std::size_t candidate = 0;
    for (std::size_t i = 0; i < probes.size(); ++i)
        for (std::size_t j = i + 1; j < probes.size(); ++j) {
            const double residual = residual_to(pyramids[i], pyramids[j], what);
            if (residual >= best) continue;
            best = residual;
            candidate = i;
        }
    if (!is_suspicious(usual, best)) return {};
    // Do the others, too, fit it far better than the reference?
    std::vector<double> residuals;
    for (const std::size_t k : spread_out(frames.size(), reference, most_witnesses))
        if (k != probes[candidate])
            residuals.push_back(
                residual_to(pyramids[candidate], pyramid_of(frames[k], limits), what));
    std::sort(residuals.begin(), residuals.end());
    const double theirs = residuals[(residuals.size() - 1) / 2];
    if (!is_suspicious(usual, theirs)) return {};
    return {int(probes[candidate]),
            fmt::format("the other frames differ from frame {}, the reference, by {:.1f}, but from "
                        "frame {} by {:.1f}",
                        reference, usual, probes[candidate], theirs)};
}

}  // namespace plenosr
