#include <fmt/format.h>

#include <algorithm>

#include "io/estimates_file.h"
#include "jobs/json.h"
#include "plenosr/peak_memory.h"
#include "plenosr/version.h"

namespace plenosr {
namespace {

Json json_of(const IterationReport& row) {
    Json json;
    json["iteration"] = row.iteration;
    json["cost"] = number(row.cost);
    json["data"] = number(row.data);
    json["prior"] = number(row.prior);
    json["primal_residual"] = number(row.primal_residual);
    json["dual_residual"] = number(row.dual_residual);
    json["units"] = number(row.units);
    json["seconds"] = number(row.seconds);
    json["psnr"] = number(row.psnr);
    json["ssim"] = number(row.ssim);
    return json;
}

Json json_profile(const std::vector<DeviceProfile>& devices) {
    Json list = Json::array();
    for (const DeviceProfile& device : devices) {
        Json json;
        json["device"] = device.device;
        json["bandwidth"] = number(device.bandwidth);
        json["build_seconds"] = number(device.build_seconds);
        json["kernels"] = Json::array();
        for (const KernelProfile& kernel : device.kernels)
            json["kernels"].push_back({{"name", kernel.name},
                                       {"launches", kernel.launches},
                                       {"seconds", number(kernel.seconds)},
                                       {"bytes", number(kernel.bytes)}});
        list.push_back(json);
    }
    return list;
}

}  // namespace

Json json_of(const SelfCheck& check) {
    Json json;
    json["skipped"] = check.skipped;
    json["regions"] = check.regions;
    json["better"] = check.better;
    json["worse"] = check.worse;
    json["rms"] = number(check.rms);
    json["rms_bicubic"] = number(check.rms_bicubic);
    json["fallback"] = number(check.fallback);
    json["seconds"] = number(check.seconds);
    return json;
}

const char* name_of(Termination termination) {
    switch (termination) {
        case Termination::not_run:
            return "not_run";
        case Termination::converged:
            return "converged";
        case Termination::max_iterations:
            return "max_iterations";
        case Termination::finished:
            return "finished";
        case Termination::cancelled:
            return "cancelled";
        case Termination::diverged:
            return "diverged";
    }
    return "not_run";
}

std::string divergence(const ReconstructReport& r) {
    return fmt::format(
        "the solver diverged: the cost is not finite after {} iterations, so {} was not written; "
        "smaller --lambda1 and --lambda2 may help",
        r.result.iterations.size() - 1, r.output);
}

Json positions(const std::vector<ViewPosition>& list) {
    Json array = Json::array();
    for (const ViewPosition p : list)
        array.push_back(position(p));
    return array;
}

Json json_of(const ReconstructReport& r) {
    const Json none = nullptr;
    Json json;
    json["psnr"] = r.final ? number(r.final->psnr) : none;
    json["ssim"] = r.final ? number(r.final->ssim) : none;
    json["psnr_initial"] = r.initial ? number(r.initial->psnr) : none;
    json["ssim_initial"] = r.initial ? number(r.initial->ssim) : none;
    json["psnr_bicubic"] = r.bicubic ? number(r.bicubic->psnr) : none;
    json["ssim_bicubic"] = r.bicubic ? number(r.bicubic->ssim) : none;
    json["seconds"] = number(r.seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["device"] = r.result.device;
    json["iterations"] = Json::array();
    for (const IterationReport& row : r.result.iterations)
        json["iterations"].push_back(json_of(row));
    if (!r.result.film.empty()) {
        json["film"] = {{"file", r.film}, {"iterations", Json::array()}};
        for (const KeptIteration& kept : r.result.film)
            json["film"]["iterations"].push_back(kept.iteration);
    }
    json["options"] = json_options<Json>(r.options, reconstruct_options());
    json["output"] = r.output;
    json["bits"] = json_value<Json>(r.bits);
    json["width"] = r.result.image.width;
    json["height"] = r.result.image.height;
    json["crop"] = json_of(r.part);
    json["views"] = positions(r.views);
    json["views_used"] = positions(views_used(r));
    json["reference"] = position(r.reference);
    json["disparity"] = {{"file", r.disparity.file.string()},
                         {"from", r.disparity.from},
                         {"refinements", r.result.refinements}};
    if (r.result.estimated) {
        json["disparity"]["estimated"] = json_of(*r.result.estimated);
        json["disparity"]["estimated"].erase("notes");  // the report lists all notes together
    }
    if (r.result.blur)
        json["blur"] = {{"found", r.result.blur->blur.text},
                        {"sigma", number(r.result.blur->sigma)},
                        {"least", number(r.result.blur->least)},
                        {"most", number(r.result.blur->most)},
                        {"edges", number(r.result.blur->edges)}};
    if (r.result.self_check) json["self_check"] = json_of(*r.result.self_check);
    json["seconds_by_stage"] = {{"io", number(r.result.seconds.io)},
                                {"setup", number(r.result.seconds.setup)},
                                {"build", number(r.result.seconds.build)},
                                {"zw_step", number(r.result.seconds.zw_step)},
                                {"x_step", number(r.result.seconds.x_step)}};
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
    json["noise"] = number(r.result.noise);
    json["sensor_noise"] = number(r.result.sensor_noise);
    json["impulses"] = number(r.result.impulses);
    json["lambda"] = number(r.result.lambda);
    json["cg"] = r.result.cg;
    if (r.result.estimates) json["estimates"] = io::json_of(*r.result.estimates);
    json["chosen"] = json_options<Json>(r.result.chosen, reconstruct_options());
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

std::vector<std::string> warnings_of(const ReconstructReport& r) {
    return lost_views(r.views.size() - views_used(r).size(), r.views.size());
}

std::string json_report(const ReconstructReport& r) {
    return text_of(json_of(r));
}

}  // namespace plenosr
