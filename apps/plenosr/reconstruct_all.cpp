#include "reconstruct_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "as_written.h"
#include "carried_metadata.h"
#include "disparity_report.h"
#include "finish_reconstruct.h"
#include "light_field_flags.h"
#include "output_checks.h"
#include "plenosr/all_views.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/metrics.h"
#include "plenosr/outputs.h"
#include "plenosr/version.h"
#include "printable.h"
#include "progress_bar.h"
#include "stopwatch.h"
#include "view_disparity.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

// The hidden folder beside the output that keeps finished views until all are done.
fs::path state_of(const std::string& output) {
    fs::path folder(output);
    if (!folder.has_filename()) folder = folder.parent_path();
    return folder.parent_path() / ("." + folder.filename().string() + ".plenosr-views");
}

// A map for each view. Views without one stay empty: reconstruct_all() derives their map from the
// nearest view that has one.
struct Maps {
    std::vector<Image> of_views;
    std::string from;
    bool complete = true;  // every view has a map of its own
    double agreement = 1;  // of estimates, with the map of the centre
    std::vector<ViewPosition> left_out;
    std::vector<std::string> notes;
};
Maps maps_of(const LightFieldIndex& index, const ViewOrder& order, const LightField& low,
             const AllViewsJob& job, const Progress& progress) {
    Maps maps;
    maps.of_views.resize(index.views.size());
    bool found = false;
    for (std::size_t i = 0; i < maps.of_views.size(); ++i) {
        const ViewPosition position = index.views[i].position;
        const bool centre = position == index.grid.centre();
        const bool own = job.disparity.empty() && job.disparity_from != "full" &&
                         job.disparity_from != "estimate" && !index.disparity_of(position).empty();
        if (!own && !centre && job.disparity.empty()) {
            maps.complete = false;
            continue;
        }
        DisparityChoice choice =
            choose_disparity(index, position, job.disparity, job.disparity_from, order);
        maps.from = choice.from;
        found = found || !choice.map.empty();
        maps.complete = maps.complete && !choice.map.empty();
        maps.of_views[i] = std::move(choice.map);
    }
    if (found) return maps;
    const ViewPosition centre = low.find(low.grid.centre()) != nullptr
                                    ? low.grid.centre()
                                    : low.views[low.views.size() / 2].position;
    DisparityOfViews estimated =
        estimate_disparity_of_views(low, centre, matching_options(job.options), progress);
    for (std::size_t i = 0; i < maps.of_views.size(); ++i)
        maps.of_views[i] = std::move(estimated.views[i].disparity);
    maps.from = "estimate";
    maps.agreement = estimated.agreement_after;
    maps.left_out = std::move(estimated.reference.left_out);
    maps.notes = std::move(estimated.reference.notes);
    return maps;
}

// Only the maps of the input itself may keep the names of ground truth. Estimates, maps derived
// from another view and maps of --disparity, which may be estimates, are named as estimates.
bool are_ground_truth(const Maps& maps) {
    return maps.complete && (maps.from == "lowres" || maps.from == "full");
}

std::vector<std::string> all_notes(const AllViewsJob& job, const Maps& maps,
                                   const AllViewsResult& result) {
    std::vector<std::string> notes = job.notes;
    notes.insert(notes.end(), maps.notes.begin(), maps.notes.end());
    notes.insert(notes.end(), result.centre.notes.begin(), result.centre.notes.end());
    return notes;
}

struct ViewQuality {
    Quality bicubic;
    Quality result;
};

std::vector<std::optional<ViewQuality>> qualities(const LightFieldIndex& input,
                                                  const LightField& low, const LightField& high,
                                                  const AllViewsJob& job) {
    std::vector<std::optional<ViewQuality>> result(high.views.size());
    if (job.truth.empty()) return result;
    OpenOptions open;
    open.check_order = job.open.check_order;
    if (input.format == "basiclfsr") {  // the originals are in the same file
        open.format = "basiclfsr_hr";
        open.rows = input.stored_grid().rows;
        open.cols = input.stored_grid().cols;
    }
    LightFieldIndex truths = index_light_field(job.truth, open);
    std::vector<std::string> notes;  // those of the input suffice
    put_in_order(truths, open, {}, notes);
    const auto present = truths.positions();
    const QualityOptions inside{.border = job.options.border};
    for (std::size_t i = 0; i < high.views.size(); ++i) {
        const View& view = high.views[i];
        if (std::find(present.begin(), present.end(), view.position) == present.end()) continue;
        const Image truth = read_light_field(truths, {view.position}).views.front().image;
        if (truth.width < view.image.width || truth.height < view.image.height)
            throw Error(ErrorKind::input,
                        fmt::format("The true view {} of {} has {}x{} pixels, but the result has "
                                    "{}x{}.",
                                    to_string(view.position), job.truth, truth.width, truth.height,
                                    view.image.width, view.image.height));
        const Image known = crop(truth, view.image.width, view.image.height);
        result[i] = {compare(as_written(enlarge_view(low.views[i].image, sampling_of(job.options)),
                                        job.format),
                             known, inside),
                     compare(as_written(view.image, job.format), known, inside)};
    }
    return result;
}

Json json_of(const AllViewsJob& job, const AllViewsResult& r,
             const std::vector<std::optional<ViewQuality>>& quality, const std::string& format,
             const Maps& maps) {
    const std::vector<ViewPosition>& rejected = maps.left_out;
    Json json;
    json["output"] = job.output;
    json["format"] = format;
    json["bits"] = json_value(job.bits);
    json["disparity"] = {{"from", maps.from},
                         {"agreement", json_number(maps.agreement)},
                         {"written_as", are_ground_truth(maps) ? "ground_truth" : "estimate"}};
    json["notes"] = all_notes(job, maps, r);
    json["warnings"] = lost_views(rejected.size(), r.views.size());
    json["views_used"] = Json::array();
    for (const AllViewsResult::Row& row : r.views)
        if (std::find(rejected.begin(), rejected.end(), row.position) == rejected.end())
            json["views_used"].push_back(json_position(row.position));
    json["views"] = Json::array();
    for (std::size_t i = 0; i < r.views.size(); ++i) {
        Json row;
        row["view"] = json_position(r.views[i].position);
        row["seconds"] = json_number(r.views[i].seconds);
        row["iterations"] = r.views[i].iterations;
        row["resumed"] = r.views[i].resumed;
        if (quality[i]) {
            row["psnr_bicubic"] = json_number(quality[i]->bicubic.psnr);
            row["psnr"] = json_number(quality[i]->result.psnr);
            row["ssim"] = json_number(quality[i]->result.ssim);
        }
        json["views"].push_back(std::move(row));
    }
    json["seconds"] = json_number(r.wall_seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["device"] = r.centre.device;
    json["noise"] = json_number(r.centre.noise);
    json["sensor_noise"] = json_number(r.centre.sensor_noise);
    json["lambda"] = json_number(r.centre.lambda);
    json["options"] = json_options(job.options, reconstruct_options());
    json["version"] = PLENOSR_VERSION;
    return json;
}

std::string summary_of(const AllViewsJob& job, const AllViewsResult& r,
                       const std::vector<std::optional<ViewQuality>>& quality, const Maps& maps) {
    const auto resumed = std::count_if(r.views.begin(), r.views.end(),
                                       [](const auto& view) { return view.resumed; });
    std::string text = fmt::format(
        "{} views of {} x {} pixels (x{}) from {} of {} views in {:.1f} s", r.views.size(),
        r.light_field.width(), r.light_field.height(), job.options.scale,
        r.views.size() - maps.left_out.size(), r.views.size(), r.wall_seconds);
    if (resumed > 0) text += fmt::format(", {} of them from an earlier run", resumed);
    text += "\n";
    double mean = 0;
    double mean_bicubic = 0;
    double least_gain = std::numeric_limits<double>::infinity();
    std::size_t count = 0;
    ViewPosition worst;
    for (std::size_t i = 0; i < quality.size(); ++i) {
        if (!quality[i]) continue;
        mean += quality[i]->result.psnr;
        mean_bicubic += quality[i]->bicubic.psnr;
        ++count;
        const double gain = quality[i]->result.psnr - quality[i]->bicubic.psnr;
        if (gain >= least_gain) continue;
        least_gain = gain;
        worst = r.views[i].position;
    }
    if (count > 0)
        text += fmt::format(
            "mean PSNR {:.2f} dB, bicubic {:.2f} dB; the smallest gain is {:.2f} dB, at the view "
            "{}\n",
            mean / double(count), mean_bicubic / double(count), least_gain, to_string(worst));
    for (const std::string& note : all_notes(job, maps, r))
        text += fmt::format("note: {}\n", printable(note));
    return text + printable(job.output) + "\n" +
           warning_lines(lost_views(maps.left_out.size(), r.views.size()));
}

void require_all_outputs(const LightFieldIndex& index, const AllViewsJob& job,
                         const Report& report) {
    auto inputs = files_of(index);
    inputs.insert(inputs.end(), {job.disparity, job.truth, psf_file(job.options.blur)});
    require_outputs({job.output, report.json}, inputs);
}

}  // namespace

void reconstruct_every_view(LightFieldIndex index, AllViewsJob job, const Report& report) {
    require_folder_name(job.output, "with --view all");
    require_writable_folder(job.output);
    require_all_outputs(index, job, report);
    const std::string format = folder_layout_of(index, "hci");
    if (!job.truth.empty())
        require_border(job.options.border, index.image.width * job.options.scale,
                       index.image.height * job.options.scale);
    ProgressBar bar(report.quiet);
    const ViewOrder order = put_in_order(index, job.open, bar.callback(), job.notes);
    const LightField low = read_light_field(index, {}, bar.callback());
    const Stopwatch clock;
    const Maps maps = maps_of(index, order, low, job, bar.callback());
    const double matching = clock.seconds();

    AllViewsOptions options{job.options, job.views, state_of(job.output), maps.left_out};
    AllViewsResult result = reconstruct_all(low, maps.of_views, options, bar.callback());
    result.wall_seconds += matching;
    const auto quality = qualities(index, low, result.light_field, job);

    WriteLightField write;
    write.format = format;
    write.pixels = job.format;
    write.colour_space = index.colour_space;
    write.parameters = index.parameters;
    write.estimated_disparity = !are_ground_truth(maps);
    for (std::size_t i = 0; i < result.disparity.size(); ++i) {
        write.view_disparity.push_back(disparity_at_full_size(
            result.disparity[i], low.width(), low.height(), sampling_of(job.options), "written"));
        if (low.views[i].position == low.grid.centre())
            write.disparity = write.view_disparity.back();
    }
    write.metadata = metadata_of(index);
    OutputBatch outputs;
    write_light_field(job.output, result.light_field, write, bar.callback());
    bar.clear();
    report.write(json_of(job, result, quality, format, maps));
    outputs.commit();
    remove_state(options.state);
    report.summary(summary_of(job, result, quality, maps));
}

}  // namespace plenosr::app
