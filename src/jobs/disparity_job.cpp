#include "base/cancelled.h"
#include "plenosr/jobs.h"

namespace plenosr {

void run_disparity(LightFieldSource& source, const ViewChoice& choice, const OpenOptions& open,
                   const Progress& progress, DisparityReport& report) {
    put_in_order(source, open, progress);
    report.part = source.index.part;
    report.notes.insert(report.notes.end(), source.notes.begin(), source.notes.end());
    report.reference = reference_for(choice.view, source.index);
    const auto light_field = read_views(
        source, select_views(choice.views, report.reference, source.index.positions()), progress);
    report.views = light_field.views.size();
    if (report.every_view)
        report.result = finished(
            estimate_disparity_of_views(light_field, report.reference, report.options, progress));
    else
        report.result.reference =
            finished(estimate_disparity(light_field, report.reference, report.options, progress));
}

}  // namespace plenosr
