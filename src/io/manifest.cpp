#include "io/manifest.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "base/file_errors.h"
#include "io/input_file.h"
#include "io/json_reader.h"
#include "io/limits.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* version_key = "plenosr_light_field";
constexpr int newest_version = 2;

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

std::string resolved_blur(const fs::path& folder, const std::string& blur) {
    return with_file(blur, [&](const auto& file) { return resolved(folder, file).string(); });
}

DegradationRecord degradation_from(const JsonReader& reader, const fs::path& folder) {
    constexpr int largest_scale = 1024;
    DegradationRecord record;
    record.options.scale = reader.integer("scale", 1, largest_scale);
    record.options.blur.text = resolved_blur(folder, reader.text("blur"));
    if (reader.has("phase")) {
        record.options.phase.text = reader.text("phase");
        try {
            sampling_grid(record.options.blur, record.options.phase, record.options.scale);
        } catch (const Error& error) {
            reader.refuse("\"degradation\": {}", as_reason(error));
        }
    }
    record.options.gaussian = reader.real("gaussian", 0, std::numeric_limits<float>::max());
    if (reader.has("poisson")) {
        record.options.poisson = reader.real("poisson", 0, std::numeric_limits<float>::max());
        record.options.read_noise = reader.real("read_noise", 0, std::numeric_limits<float>::max());
    }
    record.options.impulse = reader.real("impulse", 0, 100);
    record.options.seed = reader.unsigned_integer("seed");
    record.options.colour = reader.choice("colour", colour_names);
    record.source = resolved(folder, reader.text("source"));
    record.full_disparity = resolved(folder, reader.text("full_disparity"));
    return record;
}

ViewGrid grid_from(const JsonReader& reader) {
    return {reader.integer("first_row", -farthest_position, farthest_position),
            reader.integer("first_col", -farthest_position, farthest_position),
            reader.integer("rows", 1, most_views_per_side),
            reader.integer("cols", 1, most_views_per_side)};
}

Manifest::View view_from(const JsonReader& reader) {
    const auto position = reader.numbers<2>("position", -farthest_position, farthest_position);
    return {{position[0], position[1]},
            reader.inner_file("file"),
            reader.has("disparity") ? reader.inner_file("disparity") : ""};
}

LightFieldIndex::Crop crop_from(const JsonReader& reader) {
    constexpr int longest = int(longest_side_px);
    return {reader.integer("x", 0, longest), reader.integer("y", 0, longest),
            reader.integer("width", 1, longest), reader.integer("height", 1, longest)};
}

// True if version 1 cannot express the manifest.
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
            {"x", crop.x}, {"y", crop.y}, {"width", crop.width}, {"height", crop.height}};
    }
    for (const Manifest::View& view : manifest.views) {
        Json entry = {{"file", view.file}, {"position", {view.position.row, view.position.col}}};
        if (!view.disparity.empty()) entry["disparity"] = view.disparity;
        json["views"].push_back(entry);
    }
}

void read_version_2(const JsonReader& reader, Manifest& manifest) {
    if (reader.has("pattern")) manifest.pattern = reader.text("pattern");
    if (reader.has("colour_space"))
        manifest.colour_space = reader.choice("colour_space", space_names);
    if (reader.has("crop")) manifest.crop = crop_from(reader.object("crop"));
    if (reader.has("views"))
        reader.each("views",
                    [&](const JsonReader& view) { manifest.views.push_back(view_from(view)); });
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
    json[version_key] = needs_version_2(manifest) ? 2 : 1;
    json["format"] = manifest.format;
    json["grid"] = {{"first_row", manifest.grid.first_row},
                    {"first_col", manifest.grid.first_col},
                    {"rows", manifest.grid.rows},
                    {"cols", manifest.grid.cols}};
    json["pixels"] = name_of(pixel_names, manifest.pixels);
    try {
        if (needs_version_2(manifest)) add_version_2(json, manifest);
        if (manifest.degradation) {
            const DegradeOptions& options = manifest.degradation->options;
            json["degradation"] = {
                {"scale", options.scale},
                {"blur", blur_relative_to(folder, options.blur.text)},
                {"gaussian", options.gaussian},
                {"impulse", options.impulse},
                {"seed", options.seed},
                {"colour", name_of(colour_names, options.colour)},
                {"source", relative_to(folder, manifest.degradation->source)},
                {"full_disparity", relative_to(folder, manifest.degradation->full_disparity)},
            };
            const SamplingGrid sampling = sampling_grid(options.blur, options.phase, options.scale);
            if (sampling != sampling_grid({}, {}, options.scale))  // older manifests have no phase
                json["degradation"]["phase"] = phase_spec(sampling).text;
            if (options.poisson > 0) {
                json["degradation"]["poisson"] = options.poisson;
                json["degradation"]["read_noise"] = options.read_noise;
            }
        }
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
        manifest.degradation = degradation_from(reader.object("degradation"), folder);
    }
    return manifest;
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
    const fs::path file = folder / manifest_name;
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    return parse_manifest(folder, read_small_text(file));
}

}  // namespace plenosr::io
