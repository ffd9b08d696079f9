#include "plenosr/degrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "bind_options.h"
#include "command.h"
#include "output_checks.h"
#include "plenosr/disparity.h"
#include "plenosr/error.h"
#include "plenosr/frames.h"
#include "plenosr/io.h"
#include "plenosr/version.h"
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
    "\n"
    "Examples:\n"
    "  plenosr degrade hci/dishes -o lr --scale 4 --gaussian 1 --impulse 1 --seed 1\n"
    "  plenosr degrade photo.png -o lr --frames 9 --shifts grid --scale 3 --gaussian 1\n";

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

// Reads a few views at a time: the originals together may be larger than memory.
LightField degrade_in_batches(const LightFieldIndex& index, const DegradeOptions& options,
                              const Progress& progress) {
    constexpr std::size_t batch = 8;
    const std::vector<ViewPosition> positions = index.positions();
    const auto tell = [&](std::size_t done) {
        if (!report(progress, {"degrading", int(done), int(positions.size()), 0}))
            throw Cancelled();
    };
    LightField result;
    result.grid = index.grid;
    int channels = 0;
    for (std::size_t begin = 0; begin < positions.size(); begin += batch) {
        tell(begin);
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
        for (const View& view : part.views)
            result.views.push_back({view.position, degrade(view.image, view.position, options)});
    }
    tell(positions.size());
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
std::vector<Image> reduced_view_maps(const LightFieldIndex& index, const SamplingGrid& sampling) {
    std::vector<Image> maps;
    const auto& views = index.views;
    if (std::any_of(views.begin(), views.end(),
                    [](const LightFieldIndex::Entry& view) { return view.disparity.empty(); }))
        return maps;
    for (const LightFieldIndex::Entry& view : views)
        maps.push_back(reduce_disparity(read_map(index, view.position), sampling));
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

void run_frames(const Arguments& arguments, const DegradeOptions& options) {
    const std::vector<Place> shifts = shifts_for(arguments, options.scale);
    require_no_input(arguments.output, {arguments.input});
    require_folder_name(arguments.output, "here");
    require_writable_folder(arguments.output);
    arguments.report.require_writable();
    require_no_input(arguments.report.json, {arguments.input});
    ProgressBar bar(arguments.report.quiet);
    const Stopwatch clock;
    const Image photo = read_image(arguments.input);
    const LightField low = degrade_frames(photo, shifts, options, bar.callback());
    WriteLightField layout;
    layout.format = "list";
    layout.degradation = DegradationRecord{options, fs::absolute(arguments.input), {}};
    write_light_field(arguments.output, low, layout, bar.callback());
    bar.clear();
    const double seconds = clock.seconds();
    arguments.report.write(json_of(arguments, LightFieldIndex(), low, options, seconds));
    arguments.report.summary(fmt::format("{} frames of {} x {} pixels in {:.1f} s -> {}\n",
                                         low.views.size(), low.width(), low.height(), seconds,
                                         arguments.output));
}

void run(const Arguments& arguments) {
    const DegradeOptions options = arguments.options.apply(DegradeOptions());
    options.validate();
    const SamplingGrid sampling = sampling_grid(options.blur, options.phase, options.scale);
    make_psf_grid(options.blur, sampling);
    if (arguments.frames != 0 || !arguments.shifts.empty()) return run_frames(arguments, options);
    const LightFieldIndex index =
        index_light_field(arguments.input, arguments.open.apply(OpenOptions()));
    require_no_input(arguments.output, files_of(index));
    require_folder_name(arguments.output, "here");
    require_writable_folder(arguments.output);
    arguments.report.require_writable();
    require_no_input(arguments.report.json, files_of(index));
    if (index.image.width < options.scale || index.image.height < options.scale)
        throw Error(
            ErrorKind::input,
            fmt::format("The views of {} have {}x{} pixels, too few for scale = {}.",
                        arguments.input, index.image.width, index.image.height, options.scale));

    WriteLightField layout;
    layout.format = folder_layout_of(index, "list");  // a list can hold any light field
    layout.degradation = DegradationRecord{options, fs::absolute(index.path), {}};
    if (!index.disparity.empty()) {
        layout.disparity = reduce_disparity(read_map(index, index.grid.centre()), sampling);
        layout.degradation->full_disparity = fs::absolute(index.disparity);
    }
    layout.view_disparity = reduced_view_maps(index, sampling);

    ProgressBar bar(arguments.report.quiet);
    const Stopwatch clock;
    const LightField low = degrade_in_batches(index, options, bar.callback());
    layout.parameters = reduced_parameters(index, low);
    write_light_field(arguments.output, low, layout, bar.callback());
    bar.clear();

    const double seconds = clock.seconds();
    arguments.report.write(json_of(arguments, index, low, options, seconds));
    std::vector<std::string> notes = unread_file_notes(arguments.input);
    if (index.disparity.empty())
        notes.push_back(fmt::format(
            "{} has no disparity map of the centre view, so none was written", arguments.input));
    arguments.report.notes(notes);
    arguments.report.summary(
        fmt::format("{} views of {} x {} pixels -> {} x {} in {:.1f} s -> {}\n", low.views.size(),
                    index.image.width, index.image.height, low.width(), low.height(), seconds,
                    arguments.output));
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
    app.footer(footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
