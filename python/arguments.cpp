#include "arguments.h"

#include <nanobind/stl/string.h>

#include "plenosr/error.h"

namespace plenosr::python {

ReconstructOptions solver_options(const Given& given, const std::optional<DegradeOptions>& record,
                                  const std::vector<Option<ReconstructOptions>>& list) {
    if (is_given(given, "psf-grid") && is_given(given, "blur"))
        throw Error(ErrorKind::invalid_option, "psf-grid excludes blur");
    const ReconstructOptions defaults;
    ReconstructOptions options =
        with(record ? with_record(defaults, *record) : defaults, given, list);
    options.validate();
    return options;
}

std::optional<DegradeOptions> record_of(const LightFieldIndex& index) {
    if (!index.degradation) return std::nullopt;
    return index.degradation->options;
}

ViewChoice view_choice(const std::string& view, const std::string& views,
                       const nb::object& disparity, const std::string& disparity_from) {
    ViewChoice choice{view, views, {}, disparity_from, {}};
    if (nb::isinstance<nb::str>(disparity))
        choice.disparity = nb::cast<std::string>(disparity);
    else if (!disparity.is_none())
        choice.map = map_from(nb::cast<Array>(disparity), "The disparity map");
    return choice;
}

}  // namespace plenosr::python
