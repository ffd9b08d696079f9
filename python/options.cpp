#include "options.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"

namespace plenosr::python {

namespace nb = nanobind;

namespace {

template <class O>
nb::list described(const std::vector<Option<O>>& list) {
    nb::list result;
    for (const Option<O>& option : list)
        result.append(nb::make_tuple(option.name, option.values, option.description,
                                     option.show(O()), option.basic));
    return result;
}

template <class O>
void check(const Given& given, const std::vector<Option<O>>& list) {
    with(O(), given, list).validate();
}

// Throws as the job would, as far as that depends on these options alone.
void check_options(const std::string& list, const Given& given) {
    if (list == "reconstruct") check(given, reconstruct_options());
    if (list == "frames_solver") check(given, frames_solver_options());
    if (list == "frames") check(given, frames_options());
    if (list == "disparity") check(given, disparity_options());
    if (list == "synth") check(given, synth_options());
    if (list == "degrade") check(given, degrade_options());
    if (list == "convert") check(given, convert_options());
    if (list == "open") with(OpenOptions(), given, open_options());
}

}  // namespace

void require_one_psf(const Given& given) {
    if (is_given(given, "psf-grid") && is_given(given, "blur"))
        throw Error(ErrorKind::invalid_option, "psf-grid excludes blur");
}

void bind_options(nb::module_& m) {
    m.def("option_lists", [] {
        nb::dict lists;
        lists["open"] = described(open_options());
        lists["reconstruct"] = described(reconstruct_options());
        lists["frames"] = described(frames_options());
        lists["frames_solver"] = described(frames_solver_options());
        lists["disparity"] = described(disparity_options());
        lists["noise"] = described(noise_options());
        lists["synth"] = described(synth_options());
        lists["degrade"] = described(degrade_options());
        lists["convert"] = described(convert_options());
        return lists;
    });
    m.def("similar_word", &similar_word);
    m.def("check_options", &check_options);
}

}  // namespace plenosr::python
