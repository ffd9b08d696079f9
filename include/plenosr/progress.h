#pragma once

#include <exception>
#include <functional>
#include <string_view>

namespace plenosr {

// What a long job reports while it runs.
struct ProgressEvent {
    std::string_view stage;  // "reading", "geometry", "solving" …
    int step = 0;            // finished steps of this stage
    int steps = 0;           // 0 when not known
    double cost = 0;         // the objective, where the stage has one (else 0)
};

// Called from the thread that started the job. Return false to cancel: the job then ends soon, with
// a result that says so.
using Progress = std::function<bool(const ProgressEvent&)>;

// For callers that pass no callback.
inline bool report(const Progress& progress, const ProgressEvent& event) {
    return !progress || progress(event);
}

// Thrown by jobs that have no partial result to return, once the callback has said stop.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "The job was cancelled."; }
};

}  // namespace plenosr
