#include <fmt/format.h>

#include "jobs/json.h"
#include "plenosr/peak_memory.h"
#include "plenosr/version.h"

namespace plenosr {

Json json_of(const DisparityResult& r) {
    Json json;
    json["range"] = {number(r.range.min), number(r.range.max)};
    json["mean_confidence"] = number(r.mean_confidence());
    json["noise"] = number(r.noise);
    json["impulses"] = number(r.impulses);
    json["seconds"] = number(r.seconds);
    json["sweep_seconds"] = number(r.sweep_seconds);
    json["nanoseconds_per_cost"] = number(r.nanoseconds_per_cost);
    json["device"] = r.device;
    json["left_out"] = positions(r.left_out);
    json["not_judged"] = positions(r.not_judged);
    json["notes"] = r.notes;
    return json;
}

std::vector<std::string> lost_views(std::size_t left_out, std::size_t views) {
    if (!many_left_out(left_out, views)) return {};
    return {fmt::format(
        "only {} of {} views took part, because the others do not fit them: do the views show one "
        "scene, and are rows and columns in order (plenosr info)?",
        views - left_out, views)};
}

std::vector<std::string> all_notes(const DisparityReport& r) {
    std::vector<std::string> notes = r.notes;
    notes.insert(notes.end(), r.result.reference.notes.begin(), r.result.reference.notes.end());
    return notes;
}

std::string json_report(const DisparityReport& r) {
    const DisparityResult& estimate = r.result.reference;
    Json json;
    json["input"] = r.input;
    json["output"] = r.output;
    json["width"] = estimate.disparity.width;
    json["height"] = estimate.disparity.height;
    json["reference"] = position(r.reference);
    json["views"] = r.views;
    json.update(json_of(estimate));
    json["notes"] = all_notes(r);
    json["warnings"] = lost_views(estimate.left_out.size(), r.views);
    if (r.every_view) {
        json["agreement"] = number(r.result.agreement);
        json["agreement_after"] = number(r.result.agreement_after);
        json["maps"] = Json::array();
        for (const ViewEstimate& view : r.result.views)
            json["maps"].push_back(
                {{"view", position(view.position)}, {"agreement", number(view.agreement)}});
    }
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["crop"] = json_of(r.part);
    json["options"] = json_options<Json>(r.options, disparity_options());
    json["version"] = PLENOSR_VERSION;
    return text_of(json);
}

}  // namespace plenosr
