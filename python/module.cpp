#include <nanobind/nanobind.h>

#include "bindings.h"
#include "plenosr/error.h"
#include "plenosr/version.h"

namespace plenosr::python {
namespace {

namespace nb = nanobind;

const char* name_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_option:
            return "OptionError";
        case ErrorKind::input:
            return "InputError";
        case ErrorKind::output:
            return "OutputError";
        case ErrorKind::device:
            return "DeviceError";
        case ErrorKind::cancelled:
            return "Cancelled";
        case ErrorKind::memory:
            return "OutOfMemoryError";
    }
    return "Error";
}

void raise(const char* type, const char* message) {
    const nb::object error = nb::module_::import_("plenosr._errors").attr(type);
    PyErr_SetString(error.ptr(), message);
}

void translate(const std::exception_ptr& failure, void*) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        raise(name_of(error.kind()), error.what());
    }
}

}  // namespace
}  // namespace plenosr::python

NB_MODULE(_core, m) {
    namespace python = plenosr::python;
    m.attr("version") = plenosr::version();
    nanobind::register_exception_translator(python::translate);
    python::bind_options(m);
    python::bind_light_fields(m);
    python::bind_jobs(m);
    python::bind_operators(m);
    python::bind_tools(m);
    python::bind_viewer(m);
}
