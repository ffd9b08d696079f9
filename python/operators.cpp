#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.h"
#include "bindings.h"
#include "plenosr/error.h"
#include "plenosr/forward_operator.h"
#include "progress.h"

namespace plenosr::python {
namespace {

using Values = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const float> span_of(const Values& values) {
    return {values.data(), values.shape(0)};
}

// A one-dimensional array that fill(std::span<float>) has written.
template <class Fill>
nb::object filled(std::size_t size, const Fill& fill) {
    auto values = std::make_shared<std::vector<float>>(size);
    {
        const nb::gil_scoped_release release;
        fill(std::span<float>(*values));
    }
    return floats_of(*values, values);
}

std::shared_ptr<ForwardOperator> make(LightFieldSource source, const Given& given,
                                      const Given& opened, const std::string& view,
                                      const std::string& views, const nb::object& disparity,
                                      const std::string& disparity_from,
                                      const nb::object& callback) {
    ReconstructReport report;
    report.options = solver_options(given, record_of(source.index), reconstruct_options());
    if (report.options.keep_iterations > 0)
        throw Error(ErrorKind::invalid_option,
                    "keep-iterations = " + std::to_string(report.options.keep_iterations) +
                        " must be 0 for an operator, which does not iterate");
    const ViewChoice choice = view_choice(view, views, disparity, disparity_from);
    const OpenOptions open = with(OpenOptions(), opened, open_options());
    std::shared_ptr<ForwardOperator> made;
    Job(callback).run([&](const Progress& progress) {
        made = std::make_shared<ForwardOperator>(
            make_operator(source, choice, open, progress, report));
    });
    return made;
}

}  // namespace

void bind_operators(nb::module_& m) {
    using A = ForwardOperator;
    nb::class_<A>(m, "ForwardOperator")
        .def_prop_ro("image_shape",
                     [](const A& a) { return nb::make_tuple(a.height(), a.width()); })
        .def_prop_ro(
            "data_shape",
            [](const A& a) { return nb::make_tuple(a.views(), a.low_height(), a.low_width()); })
        .def_prop_ro("channels", &A::channels)
        .def("forward",
             [](const A& a, const Values& x) {
                 return filled(a.samples(), [&](auto to) { a.forward(span_of(x), to); });
             })
        .def("adjoint",
             [](const A& a, const Values& s) {
                 return filled(a.pixels(), [&](auto to) { a.adjoint(span_of(s), to); });
             })
        .def("normal",
             [](const A& a, const Values& x) {
                 return filled(a.pixels(), [&](auto to) { a.normal(span_of(x), to); });
             })
        .def("diagonal",
             [](const A& a) { return filled(a.pixels(), [&](auto to) { a.diagonal(to); }); });
    m.def("operator_data",
          [](const std::shared_ptr<A>& a, int channel) { return floats_of(a->data(channel), a); });
    m.def("operator_weights",
          [](const std::shared_ptr<A>& a) { return floats_of(a->weights(), a); });
    m.def("operator", &make, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg(), nb::arg().none());
}

}  // namespace plenosr::python
