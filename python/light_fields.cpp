#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "options.h"
#include "plenosr/light_field_source.h"
#include "progress.h"

namespace plenosr::python {
namespace {

nb::tuple position(ViewPosition p) {
    return nb::make_tuple(p.row, p.col);
}

LightFieldView views_of(const LightFieldSource& source,
                        const std::vector<std::pair<double, double>>& wanted,
                        const nb::object& callback) {
    std::vector<ViewPosition> positions;
    for (const auto& [row, col] : wanted)
        positions.push_back({row, col});
    LightFieldView views;
    Job(callback).run(
        [&](const Progress& progress) { views = read_views(source, positions, progress); });
    return views;
}

}  // namespace

void bind_light_fields(nb::module_& m) {
    nb::class_<LightFieldSource>(m, "LightFieldSource")
        .def_prop_ro("path", [](const LightFieldSource& s) { return s.index.path.string(); })
        .def_prop_ro("format", [](const LightFieldSource& s) { return s.index.format; })
        .def_prop_ro("notes", [](const LightFieldSource& s) { return s.notes; })
        .def_prop_ro("grid",
                     [](const LightFieldSource& s) {
                         const ViewGrid& g = s.index.grid;
                         return nb::make_tuple(g.first_row, g.first_col, g.rows, g.cols);
                     })
        .def_prop_ro("size",
                     [](const LightFieldSource& s) {
                         return nb::make_tuple(s.index.image.height, s.index.image.width,
                                               s.index.image.channels > 2 ? 3 : 1);
                     })
        .def_prop_ro("positions",
                     [](const LightFieldSource& s) {
                         nb::list list;
                         for (const ViewPosition p : s.index.positions())
                             list.append(position(p));
                         return list;
                     })
        .def_prop_ro("scale",
                     [](const LightFieldSource& s) {
                         return s.index.degradation ? s.index.degradation->options.scale : 0;
                     })
        .def(
            "read",
            [](const LightFieldSource& s, const std::vector<std::pair<double, double>>& wanted,
               const nb::object& callback) {
                const auto views = views_of(s, wanted, callback);
                nb::list list;
                for (const PlacedView& view : views.views)
                    list.append(array_of(view.image, views.owner));
                return list;
            },
            nb::arg(), nb::arg().none())
        .def("disparity", [](const LightFieldSource& s, double row, double col) {
            return s.index.disparity_of({row, col}).empty()
                       ? nb::none()
                       : array_of(read_disparity(s.index, {row, col}));
        });

    m.def("open_light_field", [](const std::string& path, const Given& given) {
        const OpenOptions options = with(OpenOptions(), given, open_options());
        const nb::gil_scoped_release release;
        return open_light_field(path, options);
    });
    m.def(
        "light_field",
        [](const Array& array, std::optional<double> white) {
            return in_memory(light_field_from(array, white));
        },
        nb::arg(), nb::arg().none());
}

}  // namespace plenosr::python
