#include "progress.h"

namespace plenosr::python {

bool Job::report(const ProgressEvent& event) {
    if (raised_) return false;
    const nb::gil_scoped_acquire acquire;
    try {
        // Runs the handlers of signals, in the main thread only: Ctrl-C raises KeyboardInterrupt.
        if (PyErr_CheckSignals() != 0) nb::raise_python_error();
        if (callback_.is_none()) return true;
        const nb::object go_on = callback_(nb::str(event.stage.data(), event.stage.size()),
                                           event.step, event.steps, event.cost, event.fraction);
        return !go_on.is(nb::bool_(false));
    } catch (...) {
        raised_ = std::current_exception();
        return false;
    }
}

}  // namespace plenosr::python
