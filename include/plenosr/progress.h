#pragma once

#include <exception>
#include <functional>
#include <string_view>

namespace plenosr {

// What a long job reports while it runs.
struct ProgressEvent {
    std::string_view stage;  // e.g. "reading", "geometry", "solving"
    int step = 0;            // finished steps of this stage
    int steps = 0;           // all steps of this stage; 0: unknown
    double cost = 0;         // the objective; 0 if the stage has none
    double fraction = 0;     // done of the step in progress, from 0 to 1; 0 if unknown
};

// Called from the thread that started the job. Return false to cancel: the job then ends soon. It
// returns a partial result if it has one (its comment says so); otherwise it throws Cancelled.
using Progress = std::function<bool(const ProgressEvent&)>;

// Calls the callback, if there is one. Returns false to cancel.
inline bool report(const Progress& progress, const ProgressEvent& event) {
    return !progress || progress(event);
}

// Thrown by a cancelled job that has no partial result.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "The job was cancelled."; }
};

}  // namespace plenosr
