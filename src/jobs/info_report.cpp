#include <algorithm>
#include <cmath>
#include <set>

#include "jobs/json.h"
#include "plenosr/version.h"

namespace plenosr {
namespace {

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

Json json_of(const std::optional<std::vector<Finding>>& findings) {
    if (!findings) return nullptr;
    Json list = Json::array();
    for (const Finding& finding : *findings)
        list.push_back(
            {{"kind", finding.kind}, {"views", positions(finding.views)}, {"text", finding.text}});
    return list;
}

}  // namespace

const char* name_of(PixelFormat format) {
    if (format == PixelFormat::float32) return "float";
    return format == PixelFormat::bits16 ? "16" : "8";
}

const char* name_of(ColourSpace space) {
    return space == ColourSpace::linear ? "linear" : "srgb";
}

void for_each_place(const LightFieldIndex& index,
                    const std::function<void(ViewPosition, bool)>& visit) {
    for (int row = 0; row < index.grid.rows; ++row)
        for (int col = 0; col < index.grid.cols; ++col) {
            const ViewPosition place{double(index.grid.first_row + row),
                                     double(index.grid.first_col + col)};
            visit(place, index.find(place) != nullptr);
        }
}

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

LightFieldDescription describe(const LightFieldSource& source, bool inspect,
                               const Progress& progress) {
    LightFieldDescription description;
    description.index = source.index;
    const ViewPosition centre = source.index.grid.centre();
    if (!source.index.disparity_of(centre).empty())
        description.map = range_of(read_disparity(source.index, centre));
    if (inspect && !source.in_memory)
        description.findings = inspect_light_field(source.index, progress);
    return description;
}

std::string json_report(const LightFieldDescription& description) {
    const auto& [index, map, findings] = description;
    Json json;
    json["path"] = index.path.string();
    json["format"] = index.format;
    json["grid"] = {{"first_row", index.grid.first_row},
                    {"first_col", index.grid.first_col},
                    {"rows", index.grid.rows},
                    {"cols", index.grid.cols}};
    json["centre"] = position(index.grid.centre());
    json["views"] = Json::array();
    for (const auto& view : index.views)
        json["views"].push_back(
            {{"position", position(view.position)}, {"file", view.file.string()}});
    json["missing"] = Json::array();
    for_each_place(index, [&](ViewPosition place, bool there) {
        if (!there) json["missing"].push_back(position(place));
    });
    json["width"] = index.image.width;
    json["height"] = index.image.height;
    json["channels"] = index.image.channels;
    json["bits"] = json_value<Json>(name_of(index.image.format));
    json["colour_space"] = name_of(index.colour_space);
    json["crop"] = json_of(index.used_part());
    json["disparity"] = nullptr;
    if (map)
        json["disparity"] = {{"file", index.disparity.string()},
                             {"width", map->width},
                             {"height", map->height},
                             {"min", number(double(map->low))},
                             {"max", number(double(map->high))},
                             {"not_finite", map->not_finite}};
    json["degradation"] = nullptr;
    if (index.degradation) {
        Json record = json_options<Json>(index.degradation->options, recorded_options(index));
        record["source"] = index.degradation->source.string();
        record["full_disparity"] = index.degradation->full_disparity.string();
        json["degradation"] = record;
    }
    json["parameters"] = Json::object();
    for (const auto& [key, value] : index.parameters)
        json["parameters"][key] = value;
    json["findings"] = json_of(findings);
    json["version"] = PLENOSR_VERSION;
    return text_of(json);
}

}  // namespace plenosr
