#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "plenosr/progress.h"

namespace plenosr::python {

namespace nb = nanobind;

// Runs long jobs without the global interpreter lock. While they run, signals are handled and the
// callback, which may be None, is called with (stage, step, steps, cost, fraction). If it returns
// False, the job is cancelled; if it raises, the exception reaches the caller.
class Job {
public:
    explicit Job(nb::object callback) : callback_(std::move(callback)) {}

    template <class Work>
    void run(Work work) {
        std::exception_ptr failure;
        {
            const nb::gil_scoped_release release;
            try {
                work([this](const ProgressEvent& event) { return report(event); });
            } catch (...) {
                failure = std::current_exception();
            }
        }
        if (raised_) std::rethrow_exception(raised_);
        if (failure) std::rethrow_exception(failure);
    }

private:
    bool report(const ProgressEvent& event);

    nb::object callback_;
    std::exception_ptr raised_;  // in the callback or by a signal
};

}  // namespace plenosr::python
