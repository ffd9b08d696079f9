#include "batch/solve_item.h"

#include "base/cancelled.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

void require_result(const ReconstructReport& report) {
    if (report.result.termination == Termination::cancelled) throw Cancelled();
    if (report.result.termination == Termination::diverged)
        throw Error(ErrorKind::input, divergence(report));
}

SolvedItem solve_light_field(const BatchItem& item, const ItemOptions& options,
                             const Progress& progress, ReconstructReport& report) {
    LightFieldSource source = open_light_field(item.inputs.front(), options.open);
    std::optional<DegradeOptions> record;
    if (source.index.degradation) record = source.index.degradation->options;
    report.options = options.solve(record);
    choose_views(source, options.choice, {}, report);
    require_encoding(report.output, options.encoding.format,
                     source.index.image.width * report.options.scale,
                     source.index.image.height * report.options.scale);
    run_reconstruct(source, options.choice, options.open, Image(), options.encoding, progress,
                    report);
    require_result(report);
    SolvedItem solved{report.result.image, options.encoding, json_report(report), {}};
    solved.estimates = report.result.estimates.value_or(Estimates());
    solved.encoding.metadata = report.metadata;
    return solved;
}

SolvedItem solve_burst(const BatchItem& item, const ItemOptions& options, const Progress& progress,
                       const ReconstructReport& start) {
    FramesReport report;
    report.job = start;
    report.options = options.frames;
    if (item.reference) report.options.reference = *item.reference;
    report.single = options.single;
    report.files = list_frames(item.inputs);
    report.job.options = options.solve(report.files.degradation);
    report.job.notes = report.files.notes;
    require_frames(report.files.frames.size(), report.options, report.single);
    const ImageInfo info = image_info(report.files.frames.front().file);
    require_encoding(report.job.output, options.encoding.format,
                     info.width * report.job.options.scale, info.height * report.job.options.scale);
    std::vector<Image> frames = read_frames(report.files, progress);
    report.options.clipped = report.files.clipped || shows_clipping(frames);
    run_frames(std::move(frames), {}, options.reference_given || item.reference.has_value(),
               Image(), options.encoding, progress, report);
    require_result(report.job);
    SolvedItem solved{report.job.result.image, options.encoding, {}, {}};
    solved.estimates = report.job.result.estimates.value_or(Estimates());
    solved.encoding.metadata = report.job.metadata;
    solved.report = json_report(report);
    return solved;
}

}  // namespace

SolvedItem solve_item(const BatchPlan& plan, std::size_t number, const ItemOptions& options,
                      const Progress& progress) {
    const BatchItem& item = plan.items[number];
    ReconstructReport report;
    report.output = result_file(plan, number).string();
    report.bits = bits_of(options.encoding.format);
    return plan.frames ? solve_burst(item, options, progress, report)
                       : solve_light_field(item, options, progress, report);
}

}  // namespace plenosr
