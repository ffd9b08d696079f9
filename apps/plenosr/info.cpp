#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "bind_options.h"
#include "command.h"
#include "output_checks.h"
#include "plenosr/error.h"
#include "plenosr/inspect.h"
#include "plenosr/io.h"
#include "plenosr/options.h"
#include "plenosr/version.h"
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

struct MapRange {
    int width = 0;
    int height = 0;
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
    std::size_t not_finite = 0;
};

MapRange range_of(const Image& map) {
    MapRange range;
    range.width = map.width;
    range.height = map.height;
    for (const float d : map.values) {
        if (!std::isfinite(d)) {
            ++range.not_finite;
            continue;
        }
        range.low = std::min(range.low, d);
        range.high = std::max(range.high, d);
    }
    return range;
}

const char* name_of(PixelFormat format) {
    if (format == PixelFormat::float32) return "float";
    return format == PixelFormat::bits16 ? "16" : "8";
}

template <class Visit>  // visit(position, whether the view exists)
void for_each_place(const LightFieldIndex& index, Visit visit) {
    for (int row = 0; row < index.grid.rows; ++row)
        for (int col = 0; col < index.grid.cols; ++col) {
            const ViewPosition position{double(index.grid.first_row + row),
                                        double(index.grid.first_col + col)};
            visit(position, index.find(position) != nullptr);
        }
}

const char* name_of(ColourSpace space) {
    return space == ColourSpace::linear ? "linear" : "srgb";
}

using Findings = std::optional<std::vector<Finding>>;  // std::nullopt: not inspected

Json json_of(const Findings& findings) {
    if (!findings) return nullptr;
    Json list = Json::array();
    for (const Finding& finding : *findings) {
        Json views = Json::array();
        for (const ViewPosition view : finding.views)
            views.push_back(json_position(view));
        list.push_back({{"kind", finding.kind}, {"views", views}, {"text", finding.text}});
    }
    return list;
}

// The options that a record holds. That of a simulated camera tells neither blur nor noise.
std::vector<Option<DegradeOptions>> recorded_options(const LightFieldIndex& index) {
    const bool camera = !index.degradation->simulated_camera.empty();
    const std::set<std::string> always{"scale", "colour"};
    const std::set<std::string> without_camera{"blur",       "psf-grid", "gaussian", "poisson",
                                               "read-noise", "impulse",  "seed"};
    std::vector<Option<DegradeOptions>> some;
    for (const auto& option : degrade_options())
        if (always.contains(option.name) || (!camera && without_camera.contains(option.name)))
            some.push_back(option);
    return some;
}

Json json_of(const LightFieldIndex& index, const std::optional<MapRange>& map,
             const Findings& findings) {
    Json json;
    json["path"] = index.path.string();
    json["format"] = index.format;
    json["grid"] = {{"first_row", index.grid.first_row},
                    {"first_col", index.grid.first_col},
                    {"rows", index.grid.rows},
                    {"cols", index.grid.cols}};
    json["centre"] = json_position(index.grid.centre());
    json["views"] = Json::array();
    for (const auto& view : index.views)
        json["views"].push_back(
            {{"position", json_position(view.position)}, {"file", view.file.string()}});
    json["missing"] = Json::array();
    for_each_place(index, [&](ViewPosition position, bool there) {
        if (!there) json["missing"].push_back(json_position(position));
    });
    json["width"] = index.image.width;
    json["height"] = index.image.height;
    json["channels"] = index.image.channels;
    json["bits"] = json_value(name_of(index.image.format));
    json["colour_space"] = name_of(index.colour_space);
    json["crop"] = nullptr;
    if (const auto& crop = index.crop; crop.width > 0)
        json["crop"] = {
            {"x", crop.x}, {"y", crop.y}, {"width", crop.width}, {"height", crop.height}};
    json["disparity"] = nullptr;
    if (map)
        json["disparity"] = {{"file", index.disparity.string()},
                             {"width", map->width},
                             {"height", map->height},
                             {"min", json_number(double(map->low))},
                             {"max", json_number(double(map->high))},
                             {"not_finite", map->not_finite}};
    json["degradation"] = nullptr;
    if (index.degradation) {
        Json record = json_options(index.degradation->options, recorded_options(index));
        record["source"] = index.degradation->source.string();
        record["full_disparity"] = index.degradation->full_disparity.string();
        json["degradation"] = record;
    }
    json["parameters"] = Json::object();
    for (const auto& [key, value] : index.parameters)
        json["parameters"][key] = value;
    json["findings"] = json_of(findings);
    json["version"] = PLENOSR_VERSION;
    return json;
}

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

std::string table_of(const LightFieldIndex& index, const std::optional<MapRange>& map,
                     const Findings& findings) {
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
    if (index.crop.width > 0)
        text += line("crop", fmt::format("{} x {} at {},{}", index.crop.width, index.crop.height,
                                         index.crop.x, index.crop.y));
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
    const LightFieldIndex index =
        index_light_field(arguments.input, arguments.open.apply(OpenOptions()));
    require_no_input(arguments.report.json, files_of(index));
    std::optional<MapRange> map;
    const ViewPosition centre = index.grid.centre();
    if (!index.disparity_of(centre).empty()) map = range_of(read_disparity(index, centre));
    Findings findings;
    if (!arguments.fast) {
        ProgressBar bar(arguments.report.quiet);
        findings = inspect_light_field(index, bar.callback());
        bar.clear();
    }
    arguments.report.write(json_of(index, map, findings));
    if (arguments.report.json != "-") arguments.report.summary(table_of(index, map, findings));
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
