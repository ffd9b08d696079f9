#include "write_result.h"

#include "command.h"
#include "interrupts.h"
#include "stopwatch.h"

namespace plenosr::app {

void write_result(ReconstructReport& report, const ImageEncoding& encoding) {
    require_finished(report.result.termination);
    stop_if_interrupted();
    if (report.result.termination == Termination::diverged) throw Diverged(divergence(report));
    const Stopwatch writing;
    write_image(report.output, report.result.image, encoding);
    if (!report.film.empty()) write_film(report.film, report.result.film, encoding.format);
    report.result.seconds.io += writing.seconds();
}

}  // namespace plenosr::app
