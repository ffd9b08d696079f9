#pragma once

#include "plenosr/error.h"
#include "plenosr/progress.h"

namespace plenosr {

// Ends a job whose progress callback returned false. Jobs with a `termination` in their result
// catch it (finished_or_cancelled()).
class Cancelled : public Error {
public:
    Cancelled() : Error(ErrorKind::cancelled, "The job was cancelled.") {}
};

// The result of job(), or an empty one with Termination::cancelled.
template <class Result, class Job>
Result finished_or_cancelled(const Job& job) {
    try {
        return job();
    } catch (const Cancelled&) {
        Result result;
        result.termination = Termination::cancelled;
        return result;
    }
}

// The inverse, for jobs that call others.
template <class Result>
Result finished(Result result) {
    if (result.termination == Termination::cancelled) throw Cancelled();
    return result;
}

}  // namespace plenosr
