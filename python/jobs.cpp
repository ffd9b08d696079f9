#include "plenosr/jobs.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "all_views.h"
#include "arguments.h"
#include "bindings.h"
#include "options.h"
#include "plenosr/error.h"
#include "progress.h"

namespace plenosr::python {
namespace {

constexpr PixelFormat kept_format = PixelFormat::float32;
const ImageEncoding kept{kept_format};  // results are compared as they are in memory

Image truth_from(const nb::object& given, std::optional<double> white, int width, int height,
                 const ReconstructOptions& options, const LightFieldIndex& index = {}) {
    if (given.is_none()) return {};
    require_border(options.border, width * options.scale, height * options.scale);
    const std::string name = nb::isinstance<nb::str>(given)
                                 ? "the true picture " + nb::cast<std::string>(given)
                                 : "the true picture";
    return crop_truth(part_of(index, picture_from(given, white, name), name), width * options.scale,
                      height * options.scale, options.scale, name);
}

// ---- one view -----------------------------------------------------------------------------------
std::shared_ptr<ReconstructReport> reconstruct_one(
    LightFieldSource source, const Given& given, const Given& opened, const std::string& view,
    const std::string& views, const nb::object& disparity, const std::string& disparity_from,
    const nb::object& truth, std::optional<double> white, const nb::object& denoiser,
    const nb::object& callback) {
    auto report = std::make_shared<ReconstructReport>();
    report->bits = "float";
    report->options = solver_options(given, record_of(source.index), reconstruct_options());
    report->options.denoiser_function = denoiser_from(denoiser);
    const ViewChoice choice = view_choice(view, views, disparity, disparity_from);
    choose_views(source, choice, {}, *report);
    const Image known = truth_from(truth, white, source.index.image.width,
                                   source.index.image.height, report->options, source.index);
    const OpenOptions open = with(OpenOptions(), opened, open_options());
    Job(callback).run([&](const Progress& progress) {
        run_reconstruct(source, choice, open, known, kept, progress, *report);
    });
    return report;
}

// ---- all views ----------------------------------------------------------------------------------
std::shared_ptr<AllViews> reconstruct_every_view(
    LightFieldSource source, const Given& given, const Given& opened, const std::string& views,
    const std::string& disparity, const std::string& disparity_from, const std::string& truth,
    const nb::object& denoiser, const nb::object& callback) {
    auto all = std::make_shared<AllViews>();
    all->report.bits = "float";
    all->report.options = solver_options(given, record_of(source.index), reconstruct_options());
    all->report.options.denoiser_function = denoiser_from(denoiser);
    const OpenOptions open = with(OpenOptions(), opened, open_options());
    Job(callback).run([&](const Progress& progress) {
        run_all_views(source, {views, disparity, disparity_from, truth, {}}, open, kept_format,
                      progress, all->report);
    });
    all->input = source.index;
    all->report.format = folder_layout_of(source.index, "hci");
    return all;
}

// ---- frames -------------------------------------------------------------------------------------
// A file as --shifts names it, or a list of (dx, dy); none: empty.
std::vector<FrameMotion> motions_from(const nb::object& given, const Image& frame,
                                      std::size_t frames, const FramesOptions& options) {
    if (given.is_none()) return {};
    if (nb::isinstance<nb::str>(given)) {
        const auto file = nb::cast<std::string>(given);
        return known_motions(read_motions(file, frame.width, frame.height), frames, options,
                             "The file " + file);
    }
    std::vector<FrameMotion> motions;
    for (const auto& [dx, dy] : nb::cast<std::vector<std::pair<double, double>>>(given))
        motions.push_back(FrameMotion::translation(dx, dy));
    return known_motions(std::move(motions), frames, options, "The list");
}

std::shared_ptr<FramesReport> reconstruct_burst(
    const nb::list& input, bool are_paths, const Given& given, const Given& registration,
    const nb::object& shifts, bool single, const nb::object& truth, std::optional<double> white,
    const nb::object& denoiser, const nb::object& callback) {
    auto report = std::make_shared<FramesReport>();
    report->single = single;
    report->options = with(FramesOptions(), registration, frames_options());
    report->options.validate();
    solver_options(given, {}, frames_solver_options());
    if (!shifts.is_none() && is_given(registration, "register"))
        throw Error(ErrorKind::invalid_option,
                    "shifts gives the motion and register estimates it; use only one of them");
    ReconstructReport& job = report->job;
    job.bits = "float";
    FrameFiles& files = report->files;
    std::vector<Image> frames;
    if (are_paths) {
        std::vector<std::filesystem::path> paths;
        for (const nb::handle path : input) {
            paths.emplace_back(nb::cast<std::string>(path));
            for (std::string& note : unread_file_notes(paths.back()))
                job.notes.push_back(std::move(note));
        }
        files = list_frames(paths);
    } else {
        files.clipped = true;
        files.in_memory = true;
        for (const nb::handle frame : input) {
            const auto array = nb::cast<Array>(frame);
            frames.push_back(image_from(array, white, "Frame " + std::to_string(frames.size())));
            files.clipped = files.clipped && is_integer(array);
            files.frames.push_back({"<array>", 0});
        }
    }
    job.options = solver_options(given, files.degradation, frames_solver_options());
    job.options.denoiser_function = denoiser_from(denoiser);
    require_frames(files.frames.size(), report->options, single);
    Job read(callback);
    if (are_paths)
        read.run([&](const Progress& progress) { frames = read_frames(files, progress); });
    report->options.clipped = files.clipped || shows_clipping(frames);
    job.notes.insert(job.notes.end(), files.notes.begin(), files.notes.end());
    std::vector<FrameMotion> motions =
        motions_from(shifts, frames.front(), frames.size(), report->options);
    const Image known =
        truth_from(truth, white, frames.front().width, frames.front().height, job.options);
    Job(callback).run([&](const Progress& progress) {
        run_frames(std::move(frames), std::move(motions), is_given(registration, "reference"),
                   known, kept, progress, *report);
    });
    return report;
}

// ---- disparity ----------------------------------------------------------------------------------
std::shared_ptr<DisparityReport> estimate(LightFieldSource source, const Given& given,
                                          const Given& opened, const std::string& view,
                                          const std::string& views, bool every_view,
                                          const nb::object& callback) {
    auto report = std::make_shared<DisparityReport>();
    with(DisparityOptions(), given, disparity_options()).validate();
    if (source.index.degradation) report->options.scale = source.index.degradation->options.scale;
    report->options = with(report->options, given, disparity_options());
    report->options.devices = open_devices();
    report->input = source.index.path.string();
    report->every_view = every_view;
    const OpenOptions open = with(OpenOptions(), opened, open_options());
    Job(callback).run([&](const Progress& progress) {
        run_disparity(source, {view, views, {}, {}, {}}, open, progress, *report);
    });
    return report;
}

// ---- results ------------------------------------------------------------------------------------
PixelFormat format_of(const std::string& bits) {
    require_one_of("bits", bits, "8|16|float");
    return bits == "float" ? PixelFormat::float32
           : bits == "16"  ? PixelFormat::bits16
                           : PixelFormat::bits8;
}

// With the metadata of the pictures that the report belongs to. Returns the format that was used.
std::string write_picture(const std::string& path, const Array& array,
                          const std::optional<std::string>& bits, std::optional<int> quality,
                          const ReconstructReport* report) {
    ImageEncoding encoding;
    encoding.format = bits ? format_of(*bits) : usual_format(path);
    require_encoding(path, encoding.format);
    if (quality) {
        if (!is_lossy(path))
            throw Error(ErrorKind::invalid_option,
                        "quality is for names that end in .jpg or .webp, not for " + path);
        if (*quality < 1 || *quality > 100)
            throw Error(ErrorKind::invalid_option,
                        "quality = " + std::to_string(*quality) + " must be from 1 to 100");
        encoding.quality = *quality;
    }
    if (report != nullptr) encoding.metadata = report->metadata;
    write_image(path, image_from(array, 255.0, "The image"), encoding);
    return encoding.format == PixelFormat::float32  ? "float"
           : encoding.format == PixelFormat::bits16 ? "16"
                                                    : "8";
}

// What results of one view and of frames have in common: `report` is the owner of `job`.
nb::dict contents(const ReconstructReport& job, const std::shared_ptr<const void>& owner) {
    const ReconstructResult& r = job.result;
    nb::dict d;
    d["image"] = array_of(r.image, owner);
    d["initial"] = array_of(r.initial, owner);
    d["refined_disparity"] = array_of(r.refined_disparity, owner);
    nb::dict film;
    for (const KeptIteration& one : r.film)
        film[nb::int_(one.iteration)] = array_of(one.image, owner);
    d["film"] = film;
    d["explanation"] = nb::cast(r.explanation);
    d["notes"] = nb::cast(all_notes(job));
    d["termination"] = name_of(r.termination);
    d["message"] = r.message;
    d["rows"] = bytes_of(r.iterations.data(), r.iterations.size() * sizeof(IterationReport), owner);
    if (r.estimated) {
        d["disparity"] = array_of(r.estimated->disparity, owner);
        d["confidence"] = array_of(r.estimated->confidence, owner);
    } else {
        d["disparity"] = array_of(job.disparity.map, owner);
        d["confidence"] = nb::none();
    }
    return d;
}

}  // namespace

void bind_jobs(nb::module_& m) {
    nb::class_<ReconstructReport>(m, "ReconstructReport")
        .def("json", [](const ReconstructReport& r) { return json_report(r); })
        .def_rw("output", &ReconstructReport::output)
        .def_rw("bits", &ReconstructReport::bits)
        .def("save_film", [](ReconstructReport& r) {
            if (r.result.film.empty()) return;
            r.film = film_file(r.output).string();
            const nb::gil_scoped_release release;
            write_film(r.film, r.result.film, format_of(r.bits));
        });
    nb::class_<FramesReport>(m, "FramesReport")
        .def("json", [](const FramesReport& r) { return json_report(r); })
        .def_rw("job", &FramesReport::job);
    nb::class_<DisparityReport>(m, "DisparityReport")
        .def("json", [](const DisparityReport& r) { return json_report(r); })
        .def_rw("output", &DisparityReport::output);
    nb::class_<AllViews>(m, "AllViews")
        .def("json", [](const AllViews& a) { return json_report(a.report); })
        .def("save", [](AllViews& a, const std::string& folder, const std::string& bits) {
            a.report.output = folder;
            a.report.bits = bits;
            const PixelFormat format = format_of(bits);
            const nb::gil_scoped_release release;
            write_all_views(a.input, a.report, format);
        });

    m.def("reconstruct", &reconstruct_one, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none(),
          nb::arg().none());
    m.def("reconstruct_all", &reconstruct_every_view, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
    m.def("frames", &reconstruct_burst, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none(),
          nb::arg().none());
    m.def("disparity", &estimate, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none());

    m.def("contents", [](const std::shared_ptr<ReconstructReport>& r) { return contents(*r, r); });
    m.def("contents", [](const std::shared_ptr<FramesReport>& r) { return contents(r->job, r); });
    m.def("contents", [](const std::shared_ptr<DisparityReport>& r) {
        const DisparityResult& reference = r->result.reference;
        nb::dict d;
        d["map"] = array_of(reference.disparity, r);
        d["confidence"] = array_of(reference.confidence, r);
        d["notes"] = nb::cast(all_notes(*r));
        d["left_out"] = nb::list();
        nb::dict maps;
        for (const ViewEstimate& view : r->result.views)
            maps[nb::make_tuple(view.position.row, view.position.col)] =
                nb::make_tuple(array_of(view.disparity, r), array_of(view.confidence, r),
                               array_of(view.occluded, r));
        d["maps"] = maps;
        return d;
    });
    m.def("contents", [](const std::shared_ptr<AllViews>& a) {
        nb::dict images;
        nb::dict maps;
        const AllViewsReport& r = a->report;
        for (std::size_t i = 0; i < r.result.light_field.views.size(); ++i) {
            const View& view = r.result.light_field.views[i];
            const nb::tuple at = nb::make_tuple(view.position.row, view.position.col);
            images[at] = array_of(view.image, a);
            maps[at] = array_of(r.result.disparity[i], a);
        }
        nb::dict d;
        d["images"] = images;
        d["maps"] = maps;
        d["notes"] = nb::cast(all_notes(r));
        return d;
    });
    m.def("iteration_offsets", [] {
        nb::dict d;
        d["size"] = sizeof(IterationReport);
        d["iteration"] = offsetof(IterationReport, iteration);
        d["cost"] = offsetof(IterationReport, cost);
        d["data"] = offsetof(IterationReport, data);
        d["prior"] = offsetof(IterationReport, prior);
        d["primal_residual"] = offsetof(IterationReport, primal_residual);
        d["dual_residual"] = offsetof(IterationReport, dual_residual);
        d["units"] = offsetof(IterationReport, units);
        d["seconds"] = offsetof(IterationReport, seconds);
        d["psnr"] = offsetof(IterationReport, psnr);
        d["ssim"] = offsetof(IterationReport, ssim);
        return d;
    });

    m.def("read_image", [](const std::string& path) { return array_of(read_image(path)); });
    m.def("write_image", &write_picture, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(),
          nb::arg().none());
    m.def("write_disparity", [](const std::string& path, const Array& array) {
        write_disparity(path, map_from(array, "The disparity map"));
    });
    m.def("disparity_preview", [](const Array& array) {
        return array_of(disparity_preview(map_from(array, "The disparity map")));
    });
}

}  // namespace plenosr::python
