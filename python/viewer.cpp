#include "plenosr/viewer.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <algorithm>

#include "all_views.h"
#include "bindings.h"

namespace plenosr::python {
namespace {

namespace nb = nanobind;

// What the page shows of the input: nothing for None.
ViewerContent content_of(const nb::object& source) {
    if (!source.is_none()) return viewer_content(nb::cast<const LightFieldSource&>(source));
    ViewerContent content;
    content.title = "PlenoSR";
    return content;
}

// The files of the frames; frames in memory are not kept.
ViewerContent content_of(const FramesReport& report) {
    const bool in_files =
        std::all_of(report.files.frames.begin(), report.files.frames.end(),
                    [](const FrameFiles::Entry& entry) { return entry.file != "<array>"; });
    return in_files ? viewer_content(report.files) : content_of(nb::none());
}

std::string page_of(const ViewerContent& content, bool lossless) {
    const nb::gil_scoped_release release;
    return viewer_page(content, {lossless});
}

template <class Report>
std::string page_with(ViewerContent content, const Report& report, bool lossless) {
    add_result(report, content);
    return page_of(content, lossless);
}

}  // namespace

void bind_viewer(nb::module_& m) {
    m.def("page", [](const LightFieldSource& source, bool lossless) {
        return page_of(viewer_content(source), lossless);
    });
    m.def(
        "page",
        [](const ReconstructReport& report, const nb::object& source, bool lossless) {
            return page_with(content_of(source), report, lossless);
        },
        nb::arg(), nb::arg().none(), nb::arg());
    m.def(
        "page",
        [](const AllViews& all, const nb::object& source, bool lossless) {
            return page_with(content_of(source), all.report, lossless);
        },
        nb::arg(), nb::arg().none(), nb::arg());
    m.def(
        "page",
        [](const FramesReport& report, const nb::object&, bool lossless) {
            return page_with(content_of(report), report, lossless);
        },
        nb::arg(), nb::arg().none(), nb::arg());
    m.def(
        "page",
        [](const DisparityReport& report, const nb::object& source, bool lossless) {
            return page_with(content_of(source), report, lossless);
        },
        nb::arg(), nb::arg().none(), nb::arg());
}

}  // namespace plenosr::python
