#include "finish_reconstruct.h"

#include <fmt/format.h>

#include "as_written.h"
#include "command.h"
#include "interrupts.h"
#include "progress_bar.h"
#include "stopwatch.h"

namespace plenosr::app {

void finish_reconstruct(ReconstructReport& job, const Image& truth, PixelFormat format,
                        double read_seconds) {
    if (job.result.termination == Termination::cancelled) throw Cancelled();
    stop_if_interrupted();
    if (job.result.termination == Termination::diverged)
        throw Diverged(
            fmt::format("the solver diverged: the cost is not finite after {} iterations, so {} "
                        "was not written; smaller --lambda1 and --lambda2 may help",
                        job.result.iterations.size() - 1, job.output));
    job.seconds = job.result.wall_seconds;
    if (!truth.empty()) {
        job.initial = compare(as_written(job.result.initial, format), truth);
        job.final = compare(as_written(job.result.image, format), truth);
    }

    const Stopwatch writing;
    write_image(job.output, job.result.image, format);
    job.result.seconds.io = read_seconds + writing.seconds();
}

}  // namespace plenosr::app
