#include "io/manifest.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "base/file_errors.h"
#include "io/input_file.h"
#include "io/json_reader.h"
#include "io/limits.h"
#include "io/name_pattern.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* version_key = "plenosr_light_field";
constexpr int newest_version = 3;

constexpr Names<PixelFormat, 3> pixel_names = {{{"8-bit", PixelFormat::bits8},
                                                {"16-bit", PixelFormat::bits16},
                                                {"float", PixelFormat::float32}}};
constexpr Names<ColourSpace, 2> space_names = {
    {{"srgb", ColourSpace::srgb}, {"linear", ColourSpace::linear}}};
constexpr Names<bool, 2> unit_names = {{{"pixel", false}, {"width", true}}};
constexpr Names<Colour, 2> colour_names = {{{"luma", Colour::luma}, {"rgb", Colour::rgb}}};

// Manifests store paths relative to their folder.

std::string relative_to(const fs::path& folder, const fs::path& path) {
    if (path.empty()) return {};
    const fs::path whole = fs::weakly_canonical(fs::absolute(path));
    const fs::path relative = whole.lexically_relative(fs::weakly_canonical(fs::absolute(folder)));
    return (relative.empty() ? whole : relative).generic_string();
}

fs::path resolved(const fs::path& folder, const std::string& stored) {
    if (stored.empty()) return {};
    const fs::path path = fs::absolute(folder) / stored;
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(path, error);
    return error ? path.lexically_normal() : whole;
}

// psf:FILE and psf-grid:FILE with change(FILE) instead of FILE.
template <class Change>
std::string with_file(const std::string& blur, const Change& change) {
    const std::string file = psf_file({blur});
    if (file.empty()) return blur;
    return blur.substr(0, blur.size() - file.size()) + change(file);
}

std::string blur_relative_to(const fs::path& folder, const std::string& blur) {
    return with_file(blur, [&](const auto& file) { return relative_to(folder, file); });
}

std::string blur_from(const JsonReader& reader, const fs::path& folder) {
    return with_file(reader.text("blur"), [&](const auto& file) {
        reader.require_inner_file("blur", file);
        return resolved(folder, file).string();
    });
}

// The record of a simulated camera has neither blur nor noise.
DegradationRecord degradation_from(const JsonReader& reader, const fs::path& folder,
                                   bool of_camera) {
    constexpr int largest_scale = 1024;
    DegradationRecord record;
    record.options.scale = reader.integer("scale", 1, largest_scale);
    record.options.colour = reader.choice("colour", colour_names);
    record.source = resolved(folder, reader.text("source"));
    record.full_disparity = resolved(folder, reader.text("full_disparity"));
    record.options.blur.text.clear();
    if (!of_camera) record.options.blur.text = blur_from(reader, folder);
    if (reader.has("phase")) {
        record.options.phase.text = reader.text("phase");
        try {
            sampling_grid(record.options.blur, record.options.phase, record.options.scale);
        } catch (const Error& error) {
            reader.refuse("\"degradation\": {}", as_reason(error));
        }
    }
    if (of_camera) return record;
    record.options.gaussian = reader.real("gaussian", 0, std::numeric_limits<float>::max());
    if (reader.has("poisson")) {
        record.options.poisson = reader.real("poisson", 0, std::numeric_limits<float>::max());
        record.options.read_noise = reader.real("read_noise", 0, std::numeric_limits<float>::max());
    }
    record.options.impulse = reader.real("impulse", 0, 100);
    record.options.seed = reader.unsigned_integer("seed");
    return record;
}

ViewGrid grid_from(const JsonReader& reader) {
    const ViewGrid grid = {reader.integer("first_row", -farthest_position, farthest_position),
                           reader.integer("first_col", -farthest_position, farthest_position),
                           reader.integer("rows", 1, most_views_per_side),
                           reader.integer("cols", 1, most_views_per_side)};
    if (std::int64_t(grid.rows) * grid.cols > most_places)
        reader.refuse("\"grid\" has {}x{} places; at most {} are supported", grid.rows, grid.cols,
                      most_places);
    return grid;
}

// Every view has a position and a file of its own.
void require_different_views(const JsonReader& reader, const std::vector<Manifest::View>& views) {
    std::map<std::pair<double, double>, std::size_t> positions;
    std::map<std::string, std::size_t> files;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const ViewPosition at = views[i].position;
        const auto [same_place, free] = positions.insert({{at.row, at.col}, i});
        if (!free)
            reader.refuse("\"views[{}]\" and \"views[{}]\" have the same position {}",
                          same_place->second, i, to_string(at));
        const auto [same_file, unused] = files.insert({views[i].file, i});
        if (!unused)
            reader.refuse("\"views[{}]\" and \"views[{}]\" have the same file {}",
                          same_file->second, i, views[i].file);
    }
}

Manifest::View view_from(const JsonReader& reader) {
    const auto position = reader.numbers<2>("position", -farthest_position, farthest_position);
    return {{position[0], position[1]},
            reader.inner_file("file"),
            reader.has("disparity") ? reader.inner_file("disparity") : ""};
}

Box crop_from(const JsonReader& reader) {
    constexpr int longest = int(longest_side_px);
    return {reader.integer("x", 0, longest), reader.integer("y", 0, longest),
            reader.integer("width", 1, longest), reader.integer("height", 1, longest)};
}

// True if versions 1 and 2, which require blur and noise, cannot express the manifest.
bool needs_version_3(const Manifest& manifest) {
    return manifest.degradation && !manifest.degradation->simulated_camera.empty();
}

// True if version 1 cannot express the rest of the manifest.
bool needs_version_2(const Manifest& manifest) {
    return !manifest.views.empty() || !manifest.pattern.empty() || manifest.crop.width > 0 ||
           manifest.colour_space != ColourSpace::srgb || manifest.disparity_sign != 1 ||
           manifest.disparity_per_width;
}

void add_version_2(Json& json, const Manifest& manifest) {
    if (!manifest.pattern.empty()) json["pattern"] = manifest.pattern;
    json["colour_space"] = name_of(space_names, manifest.colour_space);
    json["disparity"] = {{"sign", manifest.disparity_sign},
                         {"unit", name_of(unit_names, manifest.disparity_per_width)}};
    if (const auto& crop = manifest.crop; crop.width > 0) {
        json["crop"] = {
            {"x", crop.x0}, {"y", crop.y0}, {"width", crop.width}, {"height", crop.height}};
    }
    for (const Manifest::View& view : manifest.views) {
        Json entry = {{"file", view.file}, {"position", {view.position.row, view.position.col}}};
        if (!view.disparity.empty()) entry["disparity"] = view.disparity;
        json["views"].push_back(entry);
    }
}

void add_degradation(Json& json, const DegradationRecord& record, const fs::path& folder) {
    const DegradeOptions& options = record.options;
    Json& made = json["degradation"];
    made["scale"] = options.scale;
    if (record.simulated_camera.empty()) {
        made["blur"] = blur_relative_to(folder, options.blur.text);
        made["gaussian"] = options.gaussian;
        made["impulse"] = options.impulse;
        made["seed"] = options.seed;
    }
    made["colour"] = name_of(colour_names, options.colour);
    made["source"] = relative_to(folder, record.source);
    made["full_disparity"] = relative_to(folder, record.full_disparity);
    const SamplingGrid sampling = sampling_grid(options.blur, options.phase, options.scale);
    if (sampling != sampling_grid({}, {}, options.scale))  // older manifests have no phase
        made["phase"] = phase_spec(sampling).text;
    if (!record.simulated_camera.empty()) {
        json["simulated_camera"] = Json::parse(record.simulated_camera);
    } else if (options.poisson > 0) {
        made["poisson"] = options.poisson;
        made["read_noise"] = options.read_noise;
    }
}

void read_version_2(const JsonReader& reader, Manifest& manifest) {
    if (reader.has("pattern")) {
        manifest.pattern = reader.text("pattern");
        try {
            if (!manifest.pattern.empty()) NamePattern{manifest.pattern};
        } catch (const Error& failure) {
            reader.refuse("{}", as_reason(failure));
        }
    }
    if (reader.has("colour_space"))
        manifest.colour_space = reader.choice("colour_space", space_names);
    if (reader.has("crop")) manifest.crop = crop_from(reader.object("crop"));
    if (reader.has("views"))
        reader.each("views",
                    [&](const JsonReader& view) { manifest.views.push_back(view_from(view)); });
    require_different_views(reader, manifest.views);
    if (reader.has("disparity")) {
        const JsonReader disparity = reader.object("disparity");
        if (disparity.has("sign")) {
            manifest.disparity_sign = disparity.integer("sign", -1, 1);
            if (manifest.disparity_sign == 0)
                disparity.refuse("\"disparity.sign\" must be 1 or -1");
        }
        if (disparity.has("unit"))
            manifest.disparity_per_width = disparity.choice("unit", unit_names);
    }
}

}  // namespace

std::string format_manifest(const Manifest& manifest, const fs::path& folder) {
    Json json;
    json[version_key] = needs_version_3(manifest) ? 3 : needs_version_2(manifest) ? 2 : 1;
    json["format"] = manifest.format;
    json["grid"] = {{"first_row", manifest.grid.first_row},
                    {"first_col", manifest.grid.first_col},
                    {"rows", manifest.grid.rows},
                    {"cols", manifest.grid.cols}};
    json["pixels"] = name_of(pixel_names, manifest.pixels);
    try {
        if (needs_version_2(manifest)) add_version_2(json, manifest);
        if (manifest.degradation) add_degradation(json, *manifest.degradation, folder);
        return json.dump(2) + "\n";
    } catch (const std::exception& failure) {
        // JSON cannot hold names that are not UTF-8, and folders of a path may be inaccessible.
        refuse_output(folder / manifest_name, failure.what());
    }
}

Manifest parse_manifest(const fs::path& folder, const std::string& text) {
    const fs::path file = folder / manifest_name;
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) refuse_file(file, "it is not JSON", "manifest");
    const JsonReader reader(file, json);
    const int version = reader.integer(version_key, 1, std::numeric_limits<int>::max());
    if (version > newest_version) {
        reader.refuse(
            "its version is {}, but this program reads versions up to {}; a newer program wrote "
            "it",
            version, newest_version);
    }
    Manifest manifest;
    if (version >= 2) read_version_2(reader, manifest);
    // With a list of views the other keys are optional.
    const bool listed = !manifest.views.empty();
    manifest.format = listed && !reader.has("format") ? "list" : reader.text("format");
    if (listed && manifest.format != "list")
        reader.refuse("\"views\" require the format \"list\", but \"format\" is \"{}\"",
                      manifest.format);
    if (!listed || reader.has("grid")) manifest.grid = grid_from(reader.object("grid"));
    if (!listed || reader.has("pixels")) manifest.pixels = reader.choice("pixels", pixel_names);
    if (reader.has("degradation")) {
        const bool of_camera = version >= 3 && reader.has("simulated_camera");
        manifest.degradation = degradation_from(reader.object("degradation"), folder, of_camera);
        if (of_camera) {
            reader.object("simulated_camera");  // refuses anything else
            manifest.degradation->simulated_camera = json["simulated_camera"].dump();
        }
    }
    return manifest;
}

void require_listed_files(const fs::path& folder, const Manifest& manifest) {
    const auto require = [&](std::size_t view, const char* key, const std::string& file) {
        std::error_code error;
        if (file.empty() || fs::is_regular_file(folder / file, error)) return;
        refuse_file(
            folder / manifest_name,
            fmt::format("\"views[{}].{}\" is \"{}\", but there is no such file", view, key, file),
            "manifest");
    };
    for (std::size_t i = 0; i < manifest.views.size(); ++i) {
        require(i, "file", manifest.views[i].file);
        require(i, "disparity", manifest.views[i].disparity);
    }
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
    const fs::path file = folder / manifest_name;
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    return parse_manifest(folder, read_small_text(file));
}

}  // namespace plenosr::io
