#include "io/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "io/input_file.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* version_key = "plenosr_light_field";
constexpr int version = 1;
constexpr std::string_view psf_prefix = "psf:";

template <class Value, std::size_t count>
using Names = std::array<std::pair<std::string_view, Value>, count>;

constexpr Names<PixelFormat, 3> pixel_names = {{{"8-bit", PixelFormat::bits8},
                                                {"16-bit", PixelFormat::bits16},
                                                {"float", PixelFormat::float32}}};
constexpr Names<Colour, 2> colour_names = {{{"luma", Colour::luma}, {"rgb", Colour::rgb}}};

template <class Value, std::size_t count>
std::string name_of(const Names<Value, count>& names, Value value) {
    for (const auto& [name, named] : names) {
        if (named == value) return std::string(name);
    }
    return {};
}

// ---- paths --------------------------------------------------------------------------------------

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

std::string blur_relative_to(const fs::path& folder, const std::string& blur) {
    if (!blur.starts_with(psf_prefix)) return blur;
    return std::string(psf_prefix) + relative_to(folder, blur.substr(psf_prefix.size()));
}

std::string resolved_blur(const fs::path& folder, const std::string& blur) {
    if (!blur.starts_with(psf_prefix)) return blur;
    return std::string(psf_prefix) + resolved(folder, blur.substr(psf_prefix.size())).string();
}

// ---- reading ------------------------------------------------------------------------------------

// Typed access that turns every surprise into a sentence with the file and the key.
class Reader {
public:
    Reader(const fs::path& file, const Json& json, std::string where = {})
        : file_(file), json_(json), where_(std::move(where)) {
        if (!json_.is_object()) refuse("{} must be an object", where_.empty() ? "it" : where_);
        if (!where_.empty()) where_ += ".";
    }

    template <class... Arguments>
    [[noreturn]] void refuse(fmt::format_string<Arguments...> why, Arguments&&... arguments) const {
        throw Error(ErrorKind::input,
                    fmt::format("The file {} is no valid manifest: {}.", file_.string(),
                                fmt::format(why, std::forward<Arguments>(arguments)...)));
    }

    bool has(const char* key) const { return json_.contains(key); }

    Reader object(const char* key) const { return {file_, value(key), where_ + key}; }

    std::string text(const char* key) const {
        const Json& found = value(key);
        if (!found.is_string()) refuse("\"{}{}\" must be a string", where_, key);
        return found.get<std::string>();
    }

    int integer(const char* key, int lowest, int highest) const {
        const Json& found = value(key);
        if (found.is_number_integer() && in_range(found, lowest, highest)) return found.get<int>();
        refuse("\"{}{}\" must be a whole number from {} to {}", where_, key, lowest, highest);
    }

    std::uint64_t unsigned_integer(const char* key) const {
        const Json& found = value(key);
        if (!found.is_number_unsigned()) {
            refuse("\"{}{}\" must be a whole number of at least 0", where_, key);
        }
        return found.get<std::uint64_t>();
    }

    double real(const char* key, double lowest, double highest) const {
        const Json& found = value(key);
        const double number = found.is_number() ? found.get<double>() : std::nan("");
        if (number >= lowest && number <= highest) return number;
        refuse("\"{}{}\" must be a number from {} to {}", where_, key, lowest, highest);
    }

    template <class Value, std::size_t count>
    Value choice(const char* key, const Names<Value, count>& names) const {
        const std::string chosen = text(key);
        std::string allowed;
        for (const auto& [name, named] : names) {
            if (name == chosen) return named;
            allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", name);
        }
        refuse("\"{}{}\" is \"{}\", but must be one of {}", where_, key, chosen, allowed);
    }

private:
    const Json& value(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) refuse("\"{}{}\" is missing", where_, key);
        return *found;
    }

    static bool in_range(const Json& number, int lowest, int highest) {
        if (number.is_number_unsigned()) {
            return number.get<std::uint64_t>() <= std::uint64_t(std::max(highest, 0)) &&
                   number.get<std::int64_t>() >= lowest;
        }
        return number.get<std::int64_t>() >= lowest && number.get<std::int64_t>() <= highest;
    }

    const fs::path& file_;
    const Json& json_;
    std::string where_;
};

DegradationRecord degradation_from(const Reader& reader, const fs::path& folder) {
    constexpr int largest_scale = 1024;
    DegradationRecord record;
    record.options.scale = reader.integer("scale", 1, largest_scale);
    record.options.blur.text = resolved_blur(folder, reader.text("blur"));
    record.options.gaussian = reader.real("gaussian", 0, std::numeric_limits<float>::max());
    record.options.impulse = reader.real("impulse", 0, 100);
    record.options.seed = reader.unsigned_integer("seed");
    record.options.colour = reader.choice("colour", colour_names);
    record.source = resolved(folder, reader.text("source"));
    record.full_disparity = resolved(folder, reader.text("full_disparity"));
    return record;
}

ViewGrid grid_from(const Reader& reader) {
    constexpr int most = 10000;
    return {reader.integer("first_row", -most, most), reader.integer("first_col", -most, most),
            reader.integer("rows", 1, most), reader.integer("cols", 1, most)};
}

}  // namespace

std::string format_manifest(const Manifest& manifest, const fs::path& folder) {
    Json json;
    json[version_key] = version;
    json["format"] = manifest.format;
    json["grid"] = {{"first_row", manifest.grid.first_row},
                    {"first_col", manifest.grid.first_col},
                    {"rows", manifest.grid.rows},
                    {"cols", manifest.grid.cols}};
    json["pixels"] = name_of(pixel_names, manifest.pixels);
    try {
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
        }
        return json.dump(2) + "\n";
    } catch (const std::exception& failure) {
        // Names that are not UTF-8 have no form in JSON; paths may lead through forbidden folders.
        throw Error(ErrorKind::output,
                    fmt::format("The file {} cannot be written: {}.",
                                (folder / manifest_name).string(), failure.what()));
    }
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
    const fs::path file = folder / manifest_name;
    std::error_code error;
    if (!fs::exists(file, error)) return std::nullopt;
    const Json json = Json::parse(read_small_text(file), nullptr, false);
    if (json.is_discarded()) {
        throw Error(
            ErrorKind::input,
            fmt::format("The file {} is no valid manifest: it is not JSON.", file.string()));
    }
    const Reader reader(file, json);
    const int found = reader.integer(version_key, 1, std::numeric_limits<int>::max());
    if (found > version) {
        reader.refuse(
            "its version is {}, but this program knows versions up to {}; a newer "
            "program wrote it",
            found, version);
    }
    Manifest manifest;
    manifest.format = reader.text("format");
    manifest.grid = grid_from(reader.object("grid"));
    manifest.pixels = reader.choice("pixels", pixel_names);
    if (reader.has("degradation")) {
        manifest.degradation = degradation_from(reader.object("degradation"), folder);
    }
    return manifest;
}

}  // namespace plenosr::io
