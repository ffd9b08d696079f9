#include "reconstruct_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "output_checks.h"
#include "plenosr/outputs.h"
#include "printable.h"
#include "progress_bar.h"
#include "summaries.h"
#include "write_page.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

// The hidden folder beside the output that keeps finished views until all are done.
fs::path state_of(const std::string& output) {
    fs::path folder(output);
    if (!folder.has_filename()) folder = folder.parent_path();
    return folder.parent_path() / ("." + folder.filename().string() + ".plenosr-views");
}

// Of all views together; empty: none was checked.
std::string self_check_line(const std::vector<AllViewsResult::Row>& views) {
    int regions = 0;
    int better = 0;
    for (const auto& view : views)
        if (view.self_check && view.self_check->skipped.empty()) {
            regions += view.self_check->regions;
            better += view.self_check->better;
        }
    if (regions == 0) return {};
    return fmt::format("self-check: better than bicubic in {} of {} regions of all views\n", better,
                       regions);
}

std::string summary_of(const AllViewsReport& report) {
    const AllViewsResult& r = report.result;
    const std::vector<std::optional<ViewQuality>>& quality = report.quality;
    const auto resumed = std::count_if(r.views.begin(), r.views.end(),
                                       [](const auto& view) { return view.resumed; });
    std::string text = fmt::format(
        "{} views of {} x {} pixels (x{}) from {} of {} views in {:.1f} s", r.views.size(),
        r.light_field.width(), r.light_field.height(), report.options.scale,
        r.views.size() - report.maps.left_out.size(), r.views.size(), r.wall_seconds);
    const auto refined = std::count_if(r.views.begin(), r.views.end(),
                                       [](const auto& view) { return view.refinements > 0; });
    if (resumed > 0) text += fmt::format(", {} of them from an earlier run", resumed);
    text += "\n";
    if (refined > 0)
        text += fmt::format("disparity {}, then refined for {} of {} views\n",
                            report.maps.from == "estimate" ? "estimated from the views" : "given",
                            refined, r.views.size());
    text += self_check_line(r.views);
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
    for (const std::string& note : all_notes(report))
        text += fmt::format("note: {}\n", printable(note));
    return text + printable(report.output) + "\n" +
           warning_lines(lost_views(report.maps.left_out.size(), r.views.size()));
}

void require_all_outputs(const LightFieldIndex& index, const AllViewsJob& job,
                         const ReconstructOptions& options, const std::string& output,
                         const Report& report) {
    auto inputs = files_of(index);
    inputs.insert(inputs.end(), {job.choice.disparity, job.choice.truth, psf_file(options.blur)});
    require_outputs({output, report.json, job.page}, inputs);
}

// The page of --report; lines for the summary.
std::string write_page_of(const LightFieldSource& source, const AllViewsJob& job,
                          const Progress& progress) {
    if (job.page.empty()) return {};
    ViewerContent content = viewer_content(source);
    add_result(job.report, content);
    if (!job.choice.truth.empty())
        add_truth(open_truths(source.index, job.choice.truth, job.open, job.report.options.scale),
                  content);
    return write_page_file(job.page, content, {}, progress);
}

}  // namespace

void reconstruct_every_view(LightFieldSource source, AllViewsJob job, const Report& report) {
    AllViewsReport& done = job.report;
    require_folder_name(done.output, "with --view all");
    require_writable_folder(done.output);
    require_all_outputs(source.index, job, done.options, done.output, report);
    done.format = folder_layout_of(source.index, "hci");
    if (!job.choice.truth.empty())
        require_border(done.options.border, source.index.image.width * done.options.scale,
                       source.index.image.height * done.options.scale);
    job.choice.state = state_of(done.output);
    ProgressBar bar(report.quiet);
    run_all_views(source, job.choice, job.open, job.format, bar.callback(), done);

    OutputBatch outputs;
    write_all_views(source.index, done, job.format, bar.callback());
    const std::string page = write_page_of(source, job, bar.callback());
    bar.clear();
    report.write(json_report(done));
    outputs.commit();
    remove_state(job.choice.state);
    report.summary(summary_of(done) + page);
}

}  // namespace plenosr::app
