#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/cancelled.h"
#include "jobs/json.h"
#include "plenosr/error.h"
#include "plenosr/peak_memory.h"
#include "plenosr/version.h"
#include "solver/solve.h"

namespace plenosr {
namespace {

MapsOfViews maps_of(const LightFieldIndex& index, const ViewOrder& order, const LightFieldView& low,
                    const AllViewsChoice& choice, const ReconstructOptions& options,
                    const Progress& progress) {
    MapsOfViews maps;
    maps.of_views.resize(index.views.size());
    bool found = false;
    for (std::size_t i = 0; i < maps.of_views.size(); ++i) {
        const ViewPosition position = index.views[i].position;
        const bool centre = position == index.grid.centre();
        const bool own = choice.disparity.empty() && choice.disparity_from != "full" &&
                         choice.disparity_from != "estimate" &&
                         !index.disparity_of(position).empty();
        if (!own && !centre && choice.disparity.empty()) {
            maps.complete = false;
            continue;
        }
        DisparityChoice own_map =
            choose_disparity(index, position, choice.disparity, choice.disparity_from, order);
        if (!own_map.map.empty())
            require_disparity(own_map.map, low.width(), low.height(), options.scale,
                              own_map.file.string());
        maps.from = own_map.from;
        found = found || !own_map.map.empty();
        maps.complete = maps.complete && !own_map.map.empty();
        maps.of_views[i] = std::move(own_map.map);
    }
    if (found) return maps;
    const ViewPosition centre = low.find(low.grid.centre()) != nullptr
                                    ? low.grid.centre()
                                    : low.views[low.views.size() / 2].position;
    DisparityOfViews estimated =
        finished(estimate_disparity_of_views(low, centre, matching_options(options), progress));
    for (std::size_t i = 0; i < maps.of_views.size(); ++i)
        maps.of_views[i] = std::move(estimated.views[i].disparity);
    maps.from = "estimate";
    maps.estimated = estimated.reference.mean_confidence() > 0;
    maps.agreement = estimated.agreement_after;
    maps.left_out = std::move(estimated.reference.left_out);
    maps.notes = std::move(estimated.reference.notes);
    return maps;
}

// Maps that were corrected are no ground truth any more.
bool are_ground_truth(const AllViewsReport& r) {
    const auto& rows = r.result.views;
    return r.maps.are_ground_truth() && std::all_of(rows.begin(), rows.end(), [](const auto& row) {
               return row.refinements == 0;
           });
}

std::vector<std::optional<ViewQuality>> qualities(const LightFieldIndex& input,
                                                  const LightFieldView& low, const LightField& high,
                                                  const std::filesystem::path& truth_path,
                                                  const OpenOptions& opened, PixelFormat format,
                                                  const ReconstructOptions& options) {
    std::vector<std::optional<ViewQuality>> result(high.views.size());
    if (truth_path.empty()) return result;
    const LightFieldSource truths = open_truths(input, truth_path, opened, options.scale);
    const auto present = truths.index.positions();
    const QualityOptions inside{.border = options.border};
    for (std::size_t i = 0; i < high.views.size(); ++i) {
        const View& view = high.views[i];
        if (std::find(present.begin(), present.end(), view.position) == present.end()) continue;
        const Image truth = to_image(read_views(truths, {view.position}).views.front().image);
        if (truth.width < view.image.width || truth.height < view.image.height)
            throw Error(ErrorKind::input,
                        fmt::format("The true view {} of {} has {}x{} pixels, but the result has "
                                    "{}x{}.",
                                    to_string(view.position), truth_path.string(), truth.width,
                                    truth.height, view.image.width, view.image.height));
        const Image known = crop(truth, view.image.width, view.image.height);
        result[i] = {
            compare(as_written(enlarge_view(low.views[i].image, sampling_of(options)), format),
                    known, inside),
            compare(as_written(view.image, format), known, inside)};
    }
    return result;
}

}  // namespace

LightFieldSource open_truths(const LightFieldIndex& input, const std::filesystem::path& truth,
                             const OpenOptions& opened, int scale) {
    OpenOptions open;
    open.check_order = opened.check_order;
    if (input.format == "basiclfsr") {  // the originals are in the same file
        open.format = "basiclfsr_hr";
        open.rows = input.stored_grid().rows;
        open.cols = input.stored_grid().cols;
    }
    const Box& part = input.part;
    open.crop = {scale * part.x0, scale * part.y0, scale * part.width, scale * part.height};
    LightFieldSource truths = open_light_field(truth, open);
    put_in_order(truths, open);
    return truths;
}

void run_all_views(LightFieldSource& source, const AllViewsChoice& choice, const OpenOptions& open,
                   PixelFormat format, const Progress& progress, AllViewsReport& report) {
    AllViewsOptions options{report.options, choice.views, false, choice.state, {}};
    options.validate();
    require_blur_of_part(report.options.blur, source.index);
    report.part = source.index.part;
    const ViewOrder order = put_in_order(source, open, progress);
    report.notes.insert(report.notes.end(), source.notes.begin(), source.notes.end());
    const auto low = read_views(source, {}, progress);
    const Stopwatch clock;
    report.maps = maps_of(source.index, order, low, choice, report.options, progress);
    const double matching = clock.seconds();

    options.estimated = report.maps.estimated;
    options.left_out = report.maps.left_out;
    report.result = finished(reconstruct_all(low, report.maps.of_views, options, progress));
    report.result.wall_seconds += matching;
    report.quality = qualities(source.index, low, report.result.light_field, choice.truth, open,
                               format, report.options);
}

std::string folder_layout_of(const LightFieldIndex& index, const std::string& fallback) {
    for (const FormatDescription& format : light_field_formats())
        if (format.name == index.format && format.writable && !format.one_file) return format.name;
    return fallback;
}

void write_all_views(const LightFieldIndex& input, const AllViewsReport& report, PixelFormat format,
                     const Progress& progress) {
    WriteLightField write;
    write.metadata = metadata_of_views(input);
    write.format = report.format;
    write.pixels = format;
    write.colour_space = input.colour_space;
    write.parameters = input.parameters;
    write.estimated_disparity = !are_ground_truth(report);
    write.view_disparity = report.result.disparity;
    const LightField& high = report.result.light_field;
    for (std::size_t i = 0; i < high.views.size(); ++i)
        if (high.views[i].position == high.grid.centre()) write.disparity = write.view_disparity[i];
    write_light_field(report.output, high, write, progress);
}

std::vector<std::string> all_notes(const AllViewsReport& r) {
    std::vector<std::string> notes = r.notes;
    notes.insert(notes.end(), r.maps.notes.begin(), r.maps.notes.end());
    notes.insert(notes.end(), r.result.centre.notes.begin(), r.result.centre.notes.end());
    return notes;
}

std::string json_report(const AllViewsReport& r) {
    const std::vector<AllViewsResult::Row>& rows = r.result.views;
    const std::vector<ViewPosition>& rejected = r.maps.left_out;
    Json json;
    json["output"] = r.output;
    json["format"] = r.format;
    json["bits"] = json_value<Json>(r.bits);
    json["disparity"] = {{"from", r.maps.from},
                         {"agreement", number(r.maps.agreement)},
                         {"written_as", are_ground_truth(r) ? "ground_truth" : "estimate"}};
    json["notes"] = all_notes(r);
    json["warnings"] = lost_views(rejected.size(), rows.size());
    json["views_used"] = Json::array();
    for (const AllViewsResult::Row& row : rows)
        if (std::find(rejected.begin(), rejected.end(), row.position) == rejected.end())
            json["views_used"].push_back(position(row.position));
    json["views"] = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Json row;
        row["view"] = position(rows[i].position);
        row["seconds"] = number(rows[i].seconds);
        row["iterations"] = rows[i].iterations;
        row["refinements"] = rows[i].refinements;
        row["resumed"] = rows[i].resumed;
        if (rows[i].self_check) row["self_check"] = json_of(*rows[i].self_check);
        if (r.quality[i]) {
            row["psnr_bicubic"] = number(r.quality[i]->bicubic.psnr);
            row["psnr"] = number(r.quality[i]->result.psnr);
            row["ssim"] = number(r.quality[i]->result.ssim);
        }
        json["views"].push_back(std::move(row));
    }
    json["seconds"] = number(r.result.wall_seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["device"] = r.result.centre.device;
    json["noise"] = number(r.result.centre.noise);
    json["sensor_noise"] = number(r.result.centre.sensor_noise);
    json["lambda"] = number(r.result.centre.lambda);
    json["crop"] = json_of(r.part);
    json["options"] = json_options<Json>(r.options, reconstruct_options());
    json["version"] = PLENOSR_VERSION;
    return text_of(json);
}

}  // namespace plenosr
