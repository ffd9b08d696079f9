#include "disparity_report.h"

#include <fmt/format.h>

#include "plenosr/version.h"
#include "printable.h"

namespace plenosr::app {

Json json_of(const DisparityResult& r) {
    Json json;
    json["range"] = {json_number(r.range.min), json_number(r.range.max)};
    json["mean_confidence"] = json_number(r.mean_confidence());
    json["noise"] = json_number(r.noise);
    json["impulses"] = json_number(r.impulses);
    json["seconds"] = json_number(r.seconds);
    json["sweep_seconds"] = json_number(r.sweep_seconds);
    json["nanoseconds_per_cost"] = json_number(r.nanoseconds_per_cost);
    json["device"] = r.device;
    json["left_out"] = Json::array();
    for (const ViewPosition position : r.left_out)
        json["left_out"].push_back(json_position(position));
    json["not_judged"] = Json::array();
    for (const ViewPosition position : r.not_judged)
        json["not_judged"].push_back(json_position(position));
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

std::string warning_lines(const std::vector<std::string>& warnings) {
    std::string text;
    for (const std::string& warning : warnings)
        text += "warning: " + printable(warning) + "\n";
    return text;
}

namespace {

std::vector<std::string> all_notes(const DisparityReport& r) {
    std::vector<std::string> notes = r.notes;
    notes.insert(notes.end(), r.result->notes.begin(), r.result->notes.end());
    return notes;
}

}  // namespace

Json json_of(const DisparityReport& r) {
    Json json;
    json["input"] = r.input;
    json["output"] = r.output;
    json["width"] = r.result->disparity.width;
    json["height"] = r.result->disparity.height;
    json["reference"] = json_position(r.reference);
    json["views"] = r.views;
    json.update(json_of(*r.result));
    json["notes"] = all_notes(r);
    json["warnings"] = lost_views(r.result->left_out.size(), r.views);
    if (r.all != nullptr) {
        json["agreement"] = json_number(r.all->agreement);
        json["agreement_after"] = json_number(r.all->agreement_after);
        json["maps"] = Json::array();
        for (const ViewEstimate& view : r.all->views)
            json["maps"].push_back({{"view", json_position(view.position)},
                                    {"agreement", json_number(view.agreement)}});
    }
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["options"] = json_options(r.options, disparity_options());
    json["version"] = PLENOSR_VERSION;
    return json;
}

std::string summary_of(const DisparityReport& r) {
    std::string text = fmt::format(
        "{} x {} pixels from {} of {} views, view {}: disparity {:.2f} to {:.2f} pixels per step, "
        "mean confidence {:.2f}, noise {:.1f}, {:.1f} % impulses, in {:.1f} s\n",
        r.result->disparity.width, r.result->disparity.height, r.views - r.result->left_out.size(),
        r.views, to_string(r.reference), r.result->range.min, r.result->range.max,
        r.result->mean_confidence(), r.result->noise, 100 * r.result->impulses, r.result->seconds);
    if (r.all != nullptr)
        text += fmt::format(
            "{} maps: {:.1f} % of the pixels agreed with the map of the reference, {:.1f} % after "
            "they were made consistent\n",
            r.all->views.size(), 100 * r.all->agreement, 100 * r.all->agreement_after);
    for (const std::string& note : all_notes(r))
        text += "note: " + printable(note) + "\n";
    return text + printable(r.output) + "\n" +
           warning_lines(lost_views(r.result->left_out.size(), r.views));
}

}  // namespace plenosr::app
