#pragma once

#include <functional>
#include <string_view>

#include "plenosr/export.h"

namespace plenosr PLENOSR_EXPORT {

// How a job ended.
enum class Termination {
    not_run,
    converged,       // the tolerance was met
    max_iterations,  // the iterations were used up: the usual end of a solver
    finished,        // the usual end of a job without iterations
    cancelled,       // the progress callback said so
    diverged,        // the cost became infinite or NaN; the image is the initial one
};

// What a long job reports while it runs.
struct ProgressEvent {
    std::string_view stage;  // e.g. "reading", "geometry", "solving"
    int step = 0;            // finished steps of this stage
    int steps = 0;           // all steps of this stage; 0: unknown
    double cost = 0;         // the objective; 0 if the stage has none
    double fraction = 0;     // done of the step in progress, from 0 to 1; 0 if unknown
};

// Called from the thread that started the job; what it throws reaches the caller of the job. Return
// false to cancel: the job then ends soon. If its result has a `termination`, this is
// Termination::cancelled, and images and maps of the result are empty unless the solver had
// finished an iteration. A job whose result is data alone (reading, rendering, registering,
// writing) throws Error(cancelled) instead, since a part could be mistaken for the whole.
using Progress = std::function<bool(const ProgressEvent&)>;

// Calls the callback, if there is one. Returns false to cancel.
inline bool report(const Progress& progress, const ProgressEvent& event) {
    return !progress || progress(event);
}

}  // namespace PLENOSR_EXPORT
