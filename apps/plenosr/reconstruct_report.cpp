#include "reconstruct_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "disparity_report.h"
#include "plenosr/version.h"
#include "printable.h"
#include "profile_table.h"

namespace plenosr::app {
namespace {

const char* name_of(Termination termination) {
    switch (termination) {
        case Termination::not_run:
            return "not_run";
        case Termination::converged:
            return "converged";
        case Termination::max_iterations:
            return "max_iterations";
        case Termination::cancelled:
            return "cancelled";
        case Termination::diverged:
            return "diverged";
    }
    return "not_run";
}

std::vector<std::string> warnings_of(const ReconstructReport& r) {
    return lost_views(r.views.size() - views_used(r).size(), r.views.size());
}

Json json_of(const IterationReport& row) {
    Json json;
    json["iteration"] = row.iteration;
    json["cost"] = json_number(row.cost);
    json["data"] = json_number(row.data);
    json["prior"] = json_number(row.prior);
    json["primal_residual"] = json_number(row.primal_residual);
    json["dual_residual"] = json_number(row.dual_residual);
    json["units"] = json_number(row.units);
    json["seconds"] = json_number(row.seconds);
    json["psnr"] = json_number(row.psnr);
    json["ssim"] = json_number(row.ssim);
    return json;
}

}  // namespace

Json json_of(const ReconstructReport& r) {
    const Json none = nullptr;
    Json json;
    json["psnr"] = r.final ? json_number(r.final->psnr) : none;
    json["ssim"] = r.final ? json_number(r.final->ssim) : none;
    json["psnr_initial"] = r.initial ? json_number(r.initial->psnr) : none;
    json["ssim_initial"] = r.initial ? json_number(r.initial->ssim) : none;
    json["psnr_bicubic"] = r.bicubic ? json_number(r.bicubic->psnr) : none;
    json["ssim_bicubic"] = r.bicubic ? json_number(r.bicubic->ssim) : none;
    json["seconds"] = json_number(r.seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["device"] = r.result.device;
    json["iterations"] = Json::array();
    for (const IterationReport& row : r.result.iterations)
        json["iterations"].push_back(json_of(row));
    json["options"] = json_options(r.options, reconstruct_options());
    json["output"] = r.output;
    json["bits"] = json_value(r.bits);
    json["width"] = r.result.image.width;
    json["height"] = r.result.image.height;
    json["views"] = Json::array();
    for (const ViewPosition view : r.views)
        json["views"].push_back(json_position(view));
    json["views_used"] = Json::array();
    for (const ViewPosition view : views_used(r))
        json["views_used"].push_back(json_position(view));
    json["reference"] = json_position(r.reference);
    json["disparity"] = {{"file", r.disparity.file.string()},
                         {"from", r.disparity.from},
                         {"refinements", r.result.refinements}};
    if (r.result.estimated) {
        json["disparity"]["estimated"] = json_of(*r.result.estimated);
        json["disparity"]["estimated"].erase("notes");  // the report lists all notes together
    }
    if (r.result.blur)
        json["blur"] = {{"found", r.result.blur->blur.text},
                        {"sigma", json_number(r.result.blur->sigma)},
                        {"least", json_number(r.result.blur->least)},
                        {"most", json_number(r.result.blur->most)}};
    json["seconds_by_stage"] = {{"io", json_number(r.result.seconds.io)},
                                {"setup", json_number(r.result.seconds.setup)},
                                {"build", json_number(r.result.seconds.build)},
                                {"zw_step", json_number(r.result.seconds.zw_step)},
                                {"x_step", json_number(r.result.seconds.x_step)}};
    json["termination"] = name_of(r.result.termination);
    json["message"] = r.result.message;
    json["samples"] = r.result.samples;
    json["operator_bytes"] = r.result.operator_bytes;
    json["tiles"] = {{"count", r.result.tiles.count},
                     {"width", r.result.tiles.width},
                     {"height", r.result.tiles.height},
                     {"overlap", r.result.tiles.overlap},
                     {"normal", r.result.tiles.normal}};
    json["memory_estimate_bytes"] = r.result.tiles.memory_estimate;
    json["memory_counted_bytes"] = r.result.memory_peak;
    json["device_memory_bytes"] = r.result.device_memory_peak;
    json["notes"] = all_notes(r);
    json["warnings"] = warnings_of(r);
    if (r.options.profile) json["profile"] = json_profile(r.result.profile);
    json["noise"] = json_number(r.result.noise);
    json["sensor_noise"] = json_number(r.result.sensor_noise);
    json["impulses"] = json_number(r.result.impulses);
    json["lambda"] = json_number(r.result.lambda);
    json["cg"] = r.result.cg;
    json["chosen"] = json_options(r.result.chosen, reconstruct_options());
    json["explanation"] = r.result.explanation;
    json["version"] = PLENOSR_VERSION;
    return json;
}

std::vector<ViewPosition> views_used(const ReconstructReport& r) {
    std::vector<ViewPosition> used = r.views;
    if (r.result.estimated)
        std::erase_if(used, [&](ViewPosition view) {
            const auto& rejected = r.result.estimated->left_out;
            return std::find(rejected.begin(), rejected.end(), view) != rejected.end();
        });
    return used;
}

std::vector<std::string> all_notes(const ReconstructReport& r) {
    std::vector<std::string> notes = r.notes;
    notes.insert(notes.end(), r.result.notes.begin(), r.result.notes.end());
    if (r.result.estimated)
        notes.insert(notes.end(), r.result.estimated->notes.begin(),
                     r.result.estimated->notes.end());
    return notes;
}

std::string tiles_line(const TilesReport& t) {
    const double mebibytes = double(t.memory_estimate) / (1 << 20);
    return fmt::format(
        "{}: {} {} of {} x {} pixels, overlap {}, {} normal operator, estimated "
        "memory {:.1f} MiB",
        t.device, t.count, t.count == 1 ? "tile" : "tiles", t.width, t.height, t.overlap, t.normal,
        mebibytes);
}

std::string summary_of(const ReconstructReport& r) {
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
    text += details_of(r);
    return text + printable(r.output) + "\n" + warning_lines(warnings_of(r));
}

std::string details_of(const ReconstructReport& r) {
    std::string text;
    if (r.final)
        text += fmt::format(
            "PSNR {:.2f} -> {:.2f} dB, SSIM {:.4f} -> {:.4f} (bicubic {:.2f} dB, {:.4f})\n",
            r.initial->psnr, r.final->psnr, r.initial->ssim, r.final->ssim, r.bicubic->psnr,
            r.bicubic->ssim);
    if (r.result.tiles.count > 1) text += tiles_line(r.result.tiles) + "\n";
    if (r.explain)
        for (const std::string& sentence : r.result.explanation)
            text += printable(sentence) + "\n";
    for (const std::string& note : all_notes(r))
        text += "note: " + printable(note) + "\n";
    if (r.options.profile) text += profile_table(r.result.seconds, r.result.profile);
    return text;
}

}  // namespace plenosr::app
