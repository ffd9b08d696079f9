#include "plenosr/degrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bind_options.h"
#include "camera_list.h"
#include "command.h"
#include "interrupts.h"
#include "output_checks.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"
#include "plenosr/jobs.h"
#include "plenosr/outputs.h"
#include "plenosr/version.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"
#include "stopwatch.h"

namespace plenosr::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
    std::string input;
    std::string output;
    int frames = 0;
    std::string shifts;
    BoundOptions<OpenOptions> open;
    BoundOptions<DegradeOptions> options;
    Report report;
};

constexpr const char* footer =
    "The noise of a view depends only on the seed and on the position of the view. The disparity\n"
    "map of the input is reduced with the views; lightfield.json records the options.\n"
    "With --frames, IN is a photo and OUT becomes a set of frames for `plenosr frames`;\n"
    "lightfield.json lists their shifts as positions (row, column).\n"
    "With a camera, lightfield.json describes it under simulated_camera, which only\n"
    "`plenosr evaluate` reads: the reconstruction gets the scale alone. The centre view (or "
    "the\n"
    "first frame) keeps its place, gain and offset, so that its original is the ground truth.\n"
    "\n"
    "Examples:\n"
    "  plenosr degrade hci/dishes -o lr --scale 4 --gaussian 1 --impulse 1 --seed 1\n"
    "  plenosr degrade photo.png -o lr --frames 9 --shifts grid --scale 3 --gaussian 1\n"
    "  plenosr degrade hci/dishes -o lr --camera lytro --colour rgb --seed 1\n"
    "  plenosr degrade hci/dishes -o lr --lens 0.7 --jitter 0.02 --jpeg 90\n";

Image read_map(const LightFieldIndex& index, ViewPosition position) {
    Image map = read_disparity(index, position);
    if (map.channels != 1 || map.width != index.image.width || map.height != index.image.height)
        throw Error(ErrorKind::input,
                    fmt::format("The disparity map {} has {}x{} pixels and {} channels; the size "
                                "of the views, {}x{}, and one channel are expected.",
                                index.disparity_of(position).string(), map.width, map.height,
                                map.channels, index.image.width, index.image.height));
    return map;
}

// The map of a view. Without one of its own, the map of the centre is projected to the view; what
// the centre does not see gets the disparity of the background beside it.
Image map_of_view(const LightFieldIndex& index, const Image& centre_map, ViewPosition position) {
    if (!index.disparity_of(position).empty()) return read_map(index, position);
    const ViewPosition centre = index.grid.centre();
    return disparity_of_view(centre_map, position.col - centre.col, position.row - centre.row)
        .disparity;
}

// The map of the centre, if jitter needs it for a view without a map.
Image map_for_jitter(const LightFieldIndex& index, const DegradeOptions& options) {
    if (options.camera.jitter == 0 ||
        std::none_of(index.views.begin(), index.views.end(),
                     [](const auto& view) { return view.disparity.empty(); }))
        return {};
    if (index.disparity.empty())
        throw Error(ErrorKind::input,
                    fmt::format("jitter = {} needs to know the disparity, but {} has neither maps "
                                "of its views nor one of the centre view; use --jitter 0, or put a "
                                "map into the folder (docs/formats.md).",
                                options.camera.jitter, index.path.string()));
    return read_map(index, index.grid.centre());
}

// Reads a few views at a time: the originals together may be larger than memory.
LightField degrade_in_batches(const LightFieldIndex& index, const DegradeOptions& options,
                              const Progress& progress) {
    // A file that holds all views is read once per batch, so small views come in larger batches.
    constexpr std::size_t fewest_views = 8;
    constexpr std::size_t batch_pixels = 1U << 24U;
    const std::size_t view_pixels =
        std::size_t(index.image.width) * std::size_t(index.image.height);
    const std::size_t batch =
        std::max(fewest_views, batch_pixels / std::max<std::size_t>(1, view_pixels));
    const std::vector<ViewPosition> positions = index.positions();
    const auto report_done = [&](std::size_t done) {
        if (!report(progress, {"degrading", int(done), int(positions.size()), 0})) end_cancelled();
    };
    LightField result;
    result.grid = index.grid;
    const CameraRig rig = rig_of(index.grid);
    const Image centre_map = map_for_jitter(index, options);
    int channels = 0;
    for (std::size_t begin = 0; begin < positions.size(); begin += batch) {
        report_done(begin);
        const std::size_t end = std::min(begin + batch, positions.size());
        const LightField part = read_light_field(index, {positions.begin() + std::ptrdiff_t(begin),
                                                         positions.begin() + std::ptrdiff_t(end)});
        if (channels == 0) channels = part.channels();
        if (part.width() != index.image.width || part.height() != index.image.height ||
            part.channels() != channels)
            throw Error(ErrorKind::input,
                        fmt::format("The view {} has {}x{} pixels and {} channels, but {} has "
                                    "{}x{} and {}; all views must be alike.",
                                    index.views[begin].file.string(), part.width(), part.height(),
                                    part.channels(), index.views.front().file.filename().string(),
                                    index.image.width, index.image.height, channels));
        for (const View& view : part.views) {
            const Image map =
                options.camera.jitter > 0 ? map_of_view(index, centre_map, view.position) : Image();
            result.views.push_back(
                {view.position, degrade(view.image, view.position, options, rig, map)});
        }
    }
    report_done(positions.size());
    return result;
}

std::map<std::string, std::string> reduced_parameters(const LightFieldIndex& index,
                                                      const LightField& low) {
    auto parameters = index.parameters;
    for (auto& [key, value] : parameters) {
        if (key.ends_with("image_resolution_x_px")) value = std::to_string(low.width());
        if (key.ends_with("image_resolution_y_px")) value = std::to_string(low.height());
    }
    return parameters;
}

// The maps of all views; empty if one of them has none.
std::vector<Image> reduced_view_maps(const LightFieldIndex& index, const DegradeOptions& options,
                                     const SamplingGrid& sampling) {
    std::vector<Image> maps;
    const auto& views = index.views;
    if (std::any_of(views.begin(), views.end(),
                    [](const LightFieldIndex::Entry& view) { return view.disparity.empty(); }))
        return maps;
    const CameraRig rig = rig_of(index.grid);
    for (const LightFieldIndex::Entry& view : views) {
        const ViewDeviation at = view_deviation(view.position, options, rig);
        const Image map = displaced_disparity(read_map(index, view.position), at.du, at.dv);
        maps.push_back(reduce_disparity(map, sampling));
    }
    return maps;
}

Json json_of(const Arguments& arguments, const LightFieldIndex& index, const LightField& low,
             const DegradeOptions& options, double seconds) {
    Json json;
    json["source"] = arguments.input;
    json["output"] = arguments.output;
    json["views"] = low.views.size();
    json["width"] = low.width();
    json["height"] = low.height();
    json["channels"] = low.channels();
    json["disparity"] = index.disparity.empty() ? Json(nullptr) : Json(index.disparity.string());
    json["seconds"] = json_number(seconds);
    json["peak_memory_bytes"] = peak_memory_bytes();
    json["options"] = json_options(options, degrade_options());
    json["version"] = PLENOSR_VERSION;
    return json;
}

std::vector<Place> shifts_for(const Arguments& arguments, int scale) {
    const bool grid = arguments.shifts.empty() || arguments.shifts == "grid";
    std::vector<Place> shifts = grid ? grid_shifts(scale) : read_shifts(arguments.shifts);
    const int frames = arguments.frames;
    if (frames == 0) return shifts;
    if (frames < 1 || std::size_t(frames) > shifts.size())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("frames = {} must be between 1 and {}, the number of shifts",
                                frames, shifts.size()));
    shifts.resize(std::size_t(frames));
    return shifts;
}

std::vector<ViewPosition> positions_of(const LightField& light_field) {
    std::vector<ViewPosition> positions;
    for (const View& view : light_field.views)
        positions.push_back(view.position);
    return positions;
}

void run_frames(const Arguments& arguments, DegradeOptions options) {
    if (arguments.options.given("vignetting") && options.camera.vignetting > 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("vignetting = {} must be 0 for frames, which all have the same",
                                options.camera.vignetting));
    options.camera.vignetting = 0;  // of a preset
    const std::vector<Place> shifts = shifts_for(arguments, options.scale);
    require_outputs({arguments.output, arguments.report.json}, {arguments.input});
    require_folder_name(arguments.output, "here");
    require_writable_folder(arguments.output);
    arguments.report.require_writable();
    ProgressBar bar(arguments.report.quiet);
    const Stopwatch clock;
    const Image photo = read_image(arguments.input);
    const LightField low = degrade_frames(photo, shifts, options, bar.callback());
    WriteLightField layout;
    layout.format = "list";
    layout.degradation = DegradationRecord{options, fs::absolute(arguments.input), {}};
    layout.metadata.assign(low.views.size(), read_metadata(arguments.input));
    if (options.camera.active())
        layout.degradation->simulated_camera = describe_camera(
            options, positions_of(low), {low.views.front().position, CameraRig().reach});
    OutputBatch outputs;
    write_light_field(arguments.output, low, layout, bar.callback());
    bar.clear();
    const double seconds = clock.seconds();
    arguments.report.write(json_of(arguments, LightFieldIndex(), low, options, seconds));
    outputs.commit();
    arguments.report.summary(fmt::format("{} frames of {} x {} pixels in {:.1f} s -> {}\n",
                                         low.views.size(), low.width(), low.height(), seconds,
                                         printable(arguments.output)));
}

void run(const Arguments& arguments) {
    const DegradeOptions options = arguments.options.apply(DegradeOptions());
    options.validate();
    const bool blur = arguments.options.given("blur") || arguments.options.given("psf-grid");
    require_one_blur(blur, options);
    const SamplingGrid sampling = sampling_grid(options.blur, options.phase, options.scale);
    make_psf_grid(options.blur, sampling);
    if (arguments.frames != 0 || !arguments.shifts.empty()) return run_frames(arguments, options);
    const LightFieldIndex index =
        index_light_field(arguments.input, arguments.open.apply(OpenOptions()));
    require_outputs({arguments.output, arguments.report.json}, files_of(index));
    require_folder_name(arguments.output, "here");
    require_writable_folder(arguments.output);
    arguments.report.require_writable();
    if (index.image.width < options.scale || index.image.height < options.scale)
        throw Error(
            ErrorKind::input,
            fmt::format("The views of {} have {}x{} pixels, too few for scale = {}.",
                        arguments.input, index.image.width, index.image.height, options.scale));

    WriteLightField layout;
    layout.format = folder_layout_of(index, "list");  // a list can hold any light field
    layout.degradation = DegradationRecord{options, fs::absolute(index.path), {}};
    if (options.camera.active())
        layout.degradation->simulated_camera =
            describe_camera(options, index.positions(), rig_of(index.grid));
    if (!index.disparity.empty()) {
        layout.disparity = reduce_disparity(read_map(index, index.grid.centre()), sampling);
        if (index.part.width == 0)  // the map belongs to whole views
            layout.degradation->full_disparity = fs::absolute(index.disparity);
    }
    layout.view_disparity = reduced_view_maps(index, options, sampling);

    ProgressBar bar(arguments.report.quiet);
    const Stopwatch clock;
    const LightField low = degrade_in_batches(index, options, bar.callback());
    layout.parameters = reduced_parameters(index, low);
    layout.metadata = metadata_of_views(index);
    OutputBatch outputs;
    write_light_field(arguments.output, low, layout, bar.callback());
    bar.clear();

    const double seconds = clock.seconds();
    arguments.report.write(json_of(arguments, index, low, options, seconds));
    outputs.commit();
    std::vector<std::string> notes = unread_file_notes(arguments.input);
    if (index.disparity.empty())
        notes.push_back(fmt::format(
            "{} has no disparity map of the centre view, so none was written", arguments.input));
    arguments.report.notes(notes);
    arguments.report.summary(
        fmt::format("{} views of {} x {} pixels -> {} x {} in {:.1f} s -> {}\n", low.views.size(),
                    index.image.width, index.image.height, low.width(), low.height(), seconds,
                    printable(arguments.output)));
}

}  // namespace

Command add_degrade(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("degrade", "make test data: blur, decimate and add noise");
    app.add_option("IN", arguments->input, "the light field, or a photo for --frames").required();
    app.add_option("-o,--output", arguments->output,
                   "folder for the low-resolution views (8 bit), in the layout of IN or as a list")
        .type_name("OUT")
        .required();
    app.add_option("--frames", arguments->frames,
                   "IN is a photo: write this many shifted frames of it (with --shifts but without "
                   "--frames: one for each shift)")
        .type_name("N");
    advanced(app.add_option("--shifts", arguments->shifts,
                            "shifts of the frames: grid is Z x Z shifts of 1/Z pixel; a text file "
                            "has a line \"dx dy\" for each frame, in pixels of the frames")
                 .type_name("grid|FILE")
                 .default_str("grid"));
    arguments->open.bind(app, open_options(), OpenOptions());
    arguments->options.bind(app, degrade_options(), DegradeOptions());
    app.option("--psf-grid").excludes(app.option("--blur"));
    arguments->report.add_flags(app, true);
    app.footer(camera_list() + "\n" + footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
