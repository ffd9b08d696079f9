#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bind_options.h"
#include "command.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/jobs.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string input;
    bool formats = false;
    bool fast = false;
    BoundOptions<OpenOptions> open;
    Report report;
};

// # is a view, @ the centre view, . a missing view
std::string grid_map(const LightFieldIndex& index) {
    constexpr int widest = 40;
    if (index.grid.cols > widest || index.grid.rows > widest) return {};
    std::string text;
    for_each_place(index, [&](ViewPosition position, bool there) {
        if (position.col == index.grid.first_col) text += "             ";
        const bool centre = position == index.grid.centre();
        text += there ? (centre ? '@' : '#') : '.';
        text += position.col + 1 == index.grid.first_col + index.grid.cols ? '\n' : ' ';
    });
    return text;
}

bool is_on_grid(const LightFieldIndex& index) {
    return std::all_of(index.views.begin(), index.views.end(), [](const auto& view) {
        return view.position.row == std::floor(view.position.row) &&
               view.position.col == std::floor(view.position.col);
    });
}

std::string table_of(const LightFieldDescription& description) {
    const auto& [index, map, findings] = description;
    const auto line = [](const std::string& name, const std::string& value) {
        return fmt::format("{:<12} {}\n", name, printable(value));
    };
    const ViewGrid& grid = index.grid;
    std::string text = line("light field", index.path.string());
    text += line("format", index.format);
    text += line("views", fmt::format("{} of {} x {}, rows {} to {}, columns {} to {}, centre {}",
                                      index.views.size(), grid.rows, grid.cols, grid.first_row,
                                      grid.first_row + grid.rows - 1, grid.first_col,
                                      grid.first_col + grid.cols - 1, to_string(grid.centre())));
    text += is_on_grid(index) ? grid_map(index)
                              : line("", "not on a grid (--json - lists the positions)");
    text += line("size", fmt::format("{} x {} pixels, {} channels, {}", index.image.width,
                                     index.image.height, index.image.channels,
                                     index.image.format == PixelFormat::float32
                                         ? std::string("float")
                                         : fmt::format("{} bit", name_of(index.image.format))));
    text += line("colours", fmt::format("{}{}", name_of(index.colour_space),
                                        index.image.channels % 2 == 0 ? ", alpha is dropped" : ""));
    if (const Box used = index.used_part(); used.width > 0)
        text += line("crop",
                     fmt::format("{} x {} at {},{}", used.width, used.height, used.x0, used.y0));
    text += line("disparity",
                 map ? fmt::format("{} ({} x {}, {:.3f} to {:.3f} pixels per view step{})",
                                   index.disparity.filename().string(), map->width, map->height,
                                   map->low, map->high,
                                   map->not_finite > 0
                                       ? fmt::format(", {} values not finite", map->not_finite)
                                       : std::string())
                     : "none");
    if (index.degradation) {
        std::string words;
        for (const auto& option : recorded_options(index))
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", option.name,
                                 option.show(index.degradation->options));
        if (!index.degradation->simulated_camera.empty()) words += ", by a simulated camera";
        text += line("degradation", words);
        text += line("source", index.degradation->source.string());
        const std::string full = index.degradation->full_disparity.string();
        text += line("full map", full.empty() ? "none" : full);
    }
    std::string name = "parameters";
    for (const auto& [key, value] : index.parameters) {
        text += line(name, key + " = " + value);
        name.clear();
    }
    for (const std::string& note : unread_file_notes(index.path))
        text += line("note", note);
    if (!findings) return text;
    if (findings->empty()) return text + line("inspected", "all views: nothing suspicious");
    constexpr std::size_t most_findings = 100;
    for (std::size_t i = 0; i < std::min(most_findings, findings->size()); ++i)
        text += line("suspicious", (*findings)[i].text);
    if (findings->size() > most_findings)
        text += line(
            "", fmt::format("and {} more (--json - lists all)", findings->size() - most_findings));
    return text;
}

void run(const Arguments& arguments) {
    if (arguments.formats) return print(format_table());
    if (arguments.input.empty())
        throw Error(ErrorKind::invalid_option,
                    "the light field is missing: plenosr info LF, or plenosr info --formats");
    arguments.report.require_writable();
    const LightFieldSource source =
        open_light_field(arguments.input, arguments.open.apply(OpenOptions()));
    require_no_input(arguments.report.json, files_of(source.index));
    ProgressBar bar(arguments.report.quiet);
    const LightFieldDescription description = describe(source, !arguments.fast, bar.callback());
    bar.clear();
    arguments.report.write(json_report(description));
    if (arguments.report.json != "-") arguments.report.summary(table_of(description));
}

constexpr const char* footer =
    "Every view is read once, to find views that are black, vignetted, equal, swapped or of "
    "another\n"
    "size; --fast skips this.\n"
    "\n"
    "Examples:\n"
    "  plenosr info hci/dishes\n"
    "  plenosr info lytro.png --grid 14x14\n"
    "  plenosr info --formats\n";

}  // namespace

Command add_info(Flags program) {
    auto arguments = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("info", "describe a light field and find faults in it");
    app.add_option("LF", arguments->input, "the light field: a folder or a file");
    app.add_flag("--formats", arguments->formats,
                 "print a table of the formats that are read and written");
    app.add_flag("--fast", arguments->fast, "do not read the pixels");
    arguments->open.bind(app, open_options(), OpenOptions());
    arguments->report.add_flags(app, true);
    app.footer(footer);
    return {app, [arguments] { run(*arguments); }};
}

}  // namespace plenosr::app
