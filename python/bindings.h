#pragma once

#include <nanobind/nanobind.h>

namespace plenosr::python {

void bind_options(nanobind::module_& m);
void bind_light_fields(nanobind::module_& m);
void bind_jobs(nanobind::module_& m);
void bind_operators(nanobind::module_& m);
void bind_tools(nanobind::module_& m);
void bind_viewer(nanobind::module_& m);

}  // namespace plenosr::python
