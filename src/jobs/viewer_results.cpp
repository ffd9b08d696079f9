#include <fmt/format.h>

#include "jobs/viewer_parts.h"

// What jobs in memory show.

namespace plenosr {
namespace {

namespace fs = std::filesystem;

std::string name_of_output(const std::string& output) {
    return output.empty() ? "result" : fs::path(output).filename().string();
}

PixelFormat format_of(const std::string& bits) {
    return bits == "8"    ? PixelFormat::bits8
           : bits == "16" ? PixelFormat::bits16
                          : PixelFormat::float32;
}

// What results of one view and of frames have in common.
void add_image(const ReconstructReport& job, const std::string& json, ViewerContent& content) {
    const ReconstructResult& result = job.result;
    add_bicubic(sampling_of(result.chosen), content);
    const std::string name = name_of_output(job.output);
    const PixelFormat format = format_of(job.bits);
    if (!result.image.empty())
        content.results.push_back(viewer_picture(name, result.image, format));
    if (!result.film.empty()) {
        ViewerSeries film{"iterations of " + name, {}, {}, {}, content.runs.size()};
        for (const KeptIteration& kept : result.film) {
            film.iterations.push_back(kept.iteration);
            film.pictures.push_back(
                viewer_picture(fmt::format("iteration {}", kept.iteration), kept.image, format));
        }
        content.series.push_back(std::move(film));
    }
    add_map(ViewerMapKind::disparity, "refined disparity", result.refined_disparity, content);
    add_map(ViewerMapKind::number, "weights of the prior", result.weights, content,
            "relative to their mean; small at edges, where the prior smooths less");
    add_map(ViewerMapKind::number, "trust in the other views", result.trust, content,
            "factor on the weights of the other views' samples; small where the views contradict "
            "each other");
    if (result.self_check)
        add_map(ViewerMapKind::number, "self-check", result.self_check->gains, content,
                "grey levels by which the result predicts left-out samples better than the "
                "enlarged reference; below 0: worse; black: too few samples");
    content.runs.push_back({name, json});
}

}  // namespace

void add_result(const ReconstructReport& report, ViewerContent& content) {
    content.reference = report.reference;
    if (report.result.estimated) {
        std::erase_if(content.maps,
                      [](const ViewerMap& map) { return map.kind == ViewerMapKind::disparity; });
        add_map(ViewerMapKind::disparity, "estimated disparity", report.result.estimated->disparity,
                content);
        add_map(ViewerMapKind::share, "confidence of the disparity",
                report.result.estimated->confidence, content);
    } else if (content.maps.empty()) {
        add_map(ViewerMapKind::disparity, "disparity", report.disparity.map, content);
    }
    add_image(report, json_report(report), content);
}

void add_result(const AllViewsReport& report, ViewerContent& content) {
    const LightField& high = report.result.light_field;
    add_bicubic_of_views(sampling_of(report.options), content);
    ViewerSeries views{name_of_output(report.output), {}, {}, {}};
    for (std::size_t i = 0; i < high.views.size(); ++i) {
        const Image* image = &high.views[i].image;
        const ViewPosition position = high.views[i].position;
        views.positions.push_back(position);
        views.pictures.push_back(
            viewer_picture(to_string(position), image, format_of(report.bits)));
        if (position == content.reference && content.maps.empty())
            add_map(ViewerMapKind::disparity, "disparity", report.result.disparity[i], content);
    }
    content.series.push_back(std::move(views));
    content.runs.push_back({name_of_output(report.output), json_report(report)});
}

void add_result(const FramesReport& report, ViewerContent& content) {
    content.reference = {0, double(std::max(0, report.options.reference))};
    add_map(ViewerMapKind::share, "left out because of motion", report.moved, content);
    add_image(report.job, json_report(report), content);
}

void add_result(const DisparityReport& report, ViewerContent& content) {
    const DisparityResult& estimate = report.result.reference;
    content.reference = report.reference;
    content.maps.clear();
    add_map(ViewerMapKind::disparity, "estimated disparity", estimate.disparity, content);
    add_map(ViewerMapKind::share, "confidence", estimate.confidence, content);
    for (const ViewEstimate& view : report.result.views)
        if (!view.occluded.empty() && !(view.position == report.reference))
            add_map(ViewerMapKind::share, "hidden from view " + to_string(view.position),
                    view.occluded, content);
    content.runs.push_back(
        {report.output.empty() ? "disparity" : report.output, json_report(report)});
}

}  // namespace plenosr
