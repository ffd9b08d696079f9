#include "summaries.h"

#include <fmt/format.h>

#include "printable.h"
#include "profile_table.h"

namespace plenosr::app {

namespace {

std::string self_check_line(const SelfCheck& check) {
    if (!check.skipped.empty()) return fmt::format("self-check: none, {}\n", check.skipped);
    return fmt::format(
        "self-check: better than bicubic in {} of {} regions (samples left out are predicted to "
        "{:.3g} grey levels, by bicubic to {:.3g})\n",
        check.better, check.regions, check.rms, check.rms_bicubic);
}

}  // namespace

std::string warning_lines(const std::vector<std::string>& warnings) {
    std::string text;
    for (const std::string& warning : warnings)
        text += "warning: " + printable(warning) + "\n";
    return text;
}

std::string tiles_line(const TilesReport& t) {
    const double mebibytes = double(t.memory_estimate) / (1 << 20);
    return fmt::format(
        "{}: {} {} of {} x {} pixels, overlap {}, {} normal operator, estimated "
        "memory {:.1f} MiB",
        t.device, t.count, t.count == 1 ? "tile" : "tiles", t.width, t.height, t.overlap, t.normal,
        mebibytes);
}

std::string summary_of(const ReconstructReport& r, bool explain) {
    std::string text = fmt::format(
        "{} x {} pixels (x{}) from {} of {} views, view {}: {} in {:.2f} s\n", r.result.image.width,
        r.result.image.height, r.options.scale, views_used(r).size(), r.views.size(),
        to_string(r.reference), r.result.message, r.seconds);
    if (r.result.estimated)
        text += fmt::format(
            "disparity estimated from the views: {:.2f} to {:.2f} pixels per step, mean "
            "confidence {:.2f}, in {:.1f} s{}\n",
            r.result.estimated->range.min, r.result.estimated->range.max,
            r.result.estimated->mean_confidence(), r.result.estimated->seconds,
            r.result.refinements > 0 ? ", then refined" : "");
    text += details_of(r, explain);
    return text + printable(r.output) + "\n" + warning_lines(warnings_of(r));
}

std::string details_of(const ReconstructReport& r, bool explain) {
    std::string text;
    if (r.final)
        text += fmt::format(
            "PSNR {:.2f} -> {:.2f} dB, SSIM {:.4f} -> {:.4f} (bicubic {:.2f} dB, {:.4f})\n",
            r.initial->psnr, r.final->psnr, r.initial->ssim, r.final->ssim, r.bicubic->psnr,
            r.bicubic->ssim);
    if (r.result.self_check) text += self_check_line(*r.result.self_check);
    if (!r.film.empty())
        text += fmt::format("iterations kept: {} pictures in {}\n", r.result.film.size(),
                            printable(r.film));
    if (r.result.tiles.count > 1) text += tiles_line(r.result.tiles) + "\n";
    if (explain)
        for (const std::string& sentence : r.result.explanation)
            text += printable(sentence) + "\n";
    for (const std::string& note : all_notes(r))
        text += "note: " + printable(note) + "\n";
    if (r.options.profile) text += profile_table(r.result.seconds, r.result.profile);
    return text;
}

std::string summary_of(const DisparityReport& r) {
    const DisparityResult& estimate = r.result.reference;
    std::string text = fmt::format(
        "{} x {} pixels from {} of {} views, view {}: disparity {:.2f} to {:.2f} pixels per step, "
        "mean confidence {:.2f}, noise {:.1f}, {:.1f} % impulses, in {:.1f} s\n",
        estimate.disparity.width, estimate.disparity.height, r.views - estimate.left_out.size(),
        r.views, to_string(r.reference), estimate.range.min, estimate.range.max,
        estimate.mean_confidence(), estimate.noise, 100 * estimate.impulses, estimate.seconds);
    if (r.every_view)
        text += fmt::format(
            "{} maps: {:.1f} % of the pixels agreed with the map of the reference, {:.1f} % after "
            "they were made consistent\n",
            r.result.views.size(), 100 * r.result.agreement, 100 * r.result.agreement_after);
    for (const std::string& note : all_notes(r))
        text += "note: " + printable(note) + "\n";
    return text + printable(r.output) + "\n" +
           warning_lines(lost_views(estimate.left_out.size(), r.views));
}

}  // namespace plenosr::app
