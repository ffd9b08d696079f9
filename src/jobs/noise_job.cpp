#include "base/cancelled.h"
#include "jobs/json.h"
#include "plenosr/version.h"
#include "solver/solve.h"

namespace plenosr {

const std::vector<Option<ReconstructOptions>>& noise_options() {
    static const std::vector<Option<ReconstructOptions>> list = [] {
        std::vector<Option<ReconstructOptions>> some;
        for (const auto& option : reconstruct_options())
            for (const char* name : {"scale", "blur", "psf-grid", "device", "threads"})
                if (option.name == name) some.push_back(option);
        return some;
    }();
    return list;
}

void run_noise(LightFieldSource& source, const OpenOptions& open, const Progress& progress,
               NoiseJob& job) {
    require_blur_of_part(job.options.blur, source.index);
    job.part = source.index.part;
    ViewOrder order;
    if (!job.single && source.index.views.size() > 1) order = put_in_order(source, open, progress);
    job.notes = source.notes;
    const LightFieldIndex& index = source.index;
    const auto present = index.positions();
    const bool has_centre = index.find(index.grid.centre()) != nullptr;
    const ViewPosition reference = has_centre ? index.grid.centre() : present[present.size() / 2];

    auto light_field = read_views(source, select_views(job.views, reference, present), progress);
    const Stopwatch clock;
    if (job.single || light_field.views.size() < 2) {
        job.noise = estimate_noise(light_field);
    } else {
        DisparityChoice choice = choose_disparity(index, reference, {}, job.disparity_from, order);
        job.from = choice.from;
        if (!choice.map.empty())
            require_disparity(choice.map, light_field.width(), light_field.height(),
                              job.options.scale, choice.file.string());
        if (choice.map.empty()) {
            DisparityOptions matching = matching_options(job.options);
            matching.force = true;  // each view has noise, also one that does not fit
            DisparityResult found =
                finished(estimate_disparity(light_field, reference, matching, progress));
            light_field = without(light_field, found.left_out);
            choice.map = std::move(found.disparity);
            job.notes.insert(job.notes.end(), found.notes.begin(), found.notes.end());
        }
        job.noise =
            finished(estimate_noise(light_field, reference, choice.map, job.options, progress));
    }
    job.used = light_field.views.size();
    job.seconds = clock.seconds();
}

std::string json_report(const NoiseJob& job) {
    const NoiseReport& noise = job.noise;
    Json json;
    json["input"] = job.input;
    json["crop"] = json_of(job.part);
    json["views"] = job.used;
    json["sigma"] = number(noise.sigma);
    json["impulse_percent"] = number(100 * noise.impulses);
    json["model_error"] = noise.from_residuals ? number(noise.model_error) : Json(nullptr);
    json["single_views"] = {{"sigma", number(noise.sigma_of_views)},
                            {"impulse_percent", number(100 * noise.impulses_of_views)}};
    json["disparity"] = job.from.empty() ? Json(nullptr) : Json(job.from);
    json["notes"] = job.notes;
    json["seconds"] = number(job.seconds);
    json["version"] = PLENOSR_VERSION;
    return text_of(json);
}

}  // namespace plenosr
