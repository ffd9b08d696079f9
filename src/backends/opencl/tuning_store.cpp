#include "backends/opencl/tuning_store.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/cache.h"
#include "plenosr/error.h"

namespace plenosr::opencl {
namespace {

using Json = nlohmann::json;

std::string entry_name(const DeviceDescription& device) {
    return fmt::format("{}, driver {}", device.name, device.driver);
}

// The whole file; without entries if it is missing or damaged.
Json stored() {
    Json json = Json::parse(cache::read_text(tuning_file()), nullptr, false);
    return json.is_object() && json.contains("devices") && json["devices"].is_object()
               ? json
               : Json{{"devices", Json::object()}};
}

std::optional<Tuning> tuning_of(const Json& entry) {
    if (!entry.is_object() || !entry.contains("strategy") || !entry["strategy"].is_string())
        return std::nullopt;
    const auto strategy = parse_strategy(entry["strategy"].get<std::string>());
    if (!strategy) return std::nullopt;
    Tuning tuning;
    tuning.strategy = *strategy;
    for (const auto& [name, value] : tuning_numbers()) {
        if (!entry.contains(name) || !entry[name].is_number_integer()) return std::nullopt;
        tuning.*value = entry[name].get<int>();
    }
    return tuning;
}

}  // namespace

std::filesystem::path tuning_file() {
    const auto folder = cache::folder();
    return folder.empty() ? folder : folder / "tuning.json";
}

std::optional<Tuning> stored_tuning(const DeviceDescription& device) {
    if (tuning_file().empty()) return std::nullopt;
    const Json json = stored();
    const auto entry = json["devices"].find(entry_name(device));
    if (entry == json["devices"].end()) return std::nullopt;
    const auto tuning = tuning_of(*entry);
    return tuning && fits(*tuning, device) ? tuning : std::nullopt;
}

void store_tuning(const DeviceDescription& device, const Tuning& tuning) {
    if (tuning_file().empty())
        throw Error(
            ErrorKind::output,
            "the tuning cannot be stored: none of PLENOSR_CACHE, XDG_CACHE_HOME and HOME is "
            "set");
    Json json = stored();
    Json& entry = json["devices"][entry_name(device)];
    entry = {{"strategy", to_string(tuning.strategy)}};
    for (const auto& [name, value] : tuning_numbers())
        entry[name] = tuning.*value;
    cache::write_text(tuning_file(),
                      json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

Tuning tuning_for(const DeviceDescription& device) {
    return stored_tuning(device).value_or(default_tuning(device));
}

}  // namespace plenosr::opencl
