#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "arguments.h"
#include "bindings.h"
#include "plenosr/jobs.h"
#include "plenosr/metrics.h"
#include "plenosr/synth.h"
#include "progress.h"

namespace plenosr::python {
namespace {

nb::tuple synth(const Given& given, const std::vector<std::string>& textures,
                const nb::object& callback) {
    SynthOptions options = with(SynthOptions(), given, synth_options());
    if (!textures.empty())
        for (const FrameFiles::Entry& photo :
             list_frames({textures.begin(), textures.end()}).frames)
            options.textures.push_back(photo.file);
    options.validate();
    auto scene = std::make_shared<SynthResult>();
    Job(callback).run([&](const Progress& progress) { *scene = synthesise(options, progress); });
    nb::list maps;
    for (const Image& map : scene->disparity)
        maps.append(array_of(map, scene));
    return nb::make_tuple(in_memory(shared_view(std::move(scene->light_field))), maps);
}

std::vector<Image> exact_maps(const LightFieldSource& source) {
    std::vector<Image> maps;
    for (const ViewPosition position : source.index.positions())
        maps.push_back(read_disparity(source.index, position));
    return maps;
}

LightFieldSource degraded(const LightFieldSource& source, const Given& given,
                          const nb::object& callback) {
    const DegradeOptions options = with(DegradeOptions(), given, degrade_options());
    options.validate();
    require_one_psf(given);
    require_one_blur(is_given(given, "blur") || is_given(given, "psf-grid"), options);
    LightField low;
    Job(callback).run([&](const Progress& progress) {
        const auto views = read_views(source, {}, progress);
        low = degrade(views, options, progress,
                      options.camera.jitter > 0 ? exact_maps(source) : std::vector<Image>());
    });
    LightFieldSource result = in_memory(shared_view(std::move(low)));
    // A reconstruction learns scale, blur and phase, unless a camera hides them.
    if (!options.camera.active())
        result.index.degradation = DegradationRecord{options, source.index.path, {}, {}};
    return result;
}

nb::dict evaluate(const nb::object& a, const nb::object& b, int border, bool all_channels,
                  std::optional<double> white) {
    const Image estimate = picture_from(a, white, "The picture");
    const Image truth = picture_from(b, white, "The true picture");
    const Quality quality = compare(estimate, truth, {border, all_channels});
    nb::dict d;
    d["psnr"] = quality.psnr;
    d["ssim"] = quality.ssim;
    d["mse"] = quality.mse;
    return d;
}

Image map_or_file(const nb::object& given, const std::string& name) {
    if (nb::isinstance<nb::str>(given)) return read_disparity(nb::cast<std::string>(given));
    return map_from(nb::cast<Array>(given), name);
}

nb::dict evaluate_disparity(const nb::object& a, const nb::object& b, int border,
                            const nb::object& mask) {
    const Image known = picture_from(mask, 255.0, "The mask");
    const Image kept = known.empty() ? Image() : luma(known);
    const DisparityQuality q =
        compare_disparity(map_or_file(a, "The map"), map_or_file(b, "The true map"), border,
                          kept.empty() ? nullptr : &kept);
    nb::dict d;
    for (std::size_t i = 0; i < bad_pixel_limits.size(); ++i)
        d[nb::str(fmt::format("badpix_{}", bad_pixel_limits[i]).c_str())] = q.bad_pixels[i];
    d["mse100"] = q.mse100;
    d["q25"] = q.q25;
    d["pixels"] = q.pixels;
    return d;
}

std::string convert(LightFieldSource source, const std::string& output, const Given& given,
                    const Given& opened, const nb::object& callback) {
    ConvertReport report;
    report.input = source.index.path.string();
    report.output = output;
    report.options = with(ConvertOptions(), given, convert_options());
    report.options.validate();
    const OpenOptions open = with(OpenOptions(), opened, open_options());
    Job(callback).run(
        [&](const Progress& progress) { run_convert(source, open, progress, report); });
    return json_report(report);
}

std::string noise(LightFieldSource source, const Given& given, const Given& opened,
                  const std::string& views, const std::string& disparity_from, bool single,
                  const nb::object& callback) {
    NoiseJob job{
        source.index.path.string(), views, disparity_from, single, {}, 0, {}, {}, {}, 0, {}};
    job.options = solver_options(given, record_of(source.index), noise_options());
    const OpenOptions open = with(OpenOptions(), opened, open_options());
    Job(callback).run([&](const Progress& progress) { run_noise(source, open, progress, job); });
    return json_report(job);
}

}  // namespace

void bind_tools(nb::module_& m) {
    m.def("synth", &synth, nb::arg(), nb::arg(), nb::arg().none());
    m.def("degrade", &degraded, nb::arg(), nb::arg(), nb::arg().none());
    m.def("evaluate", &evaluate, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    m.def("evaluate_disparity", &evaluate_disparity, nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none());
    m.def("convert", &convert, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none());
    m.def("noise", &noise, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(),
          nb::arg().none());
    m.def(
        "info",
        [](const LightFieldSource& source, bool inspect, const nb::object& callback) {
            LightFieldDescription description;
            Job(callback).run([&](const Progress& progress) {
                description = describe(source, inspect, progress);
            });
            return json_report(description);
        },
        nb::arg(), nb::arg(), nb::arg().none());
    m.def("devices", [] { return json_report(devices()); });
    m.def("release_devices", &release_devices, nb::call_guard<nb::gil_scoped_release>());
    m.def("idle_devices", [] { return open_devices()->idle(); });
}

}  // namespace plenosr::python
