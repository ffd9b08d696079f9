#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_errors.h"

namespace plenosr::io {

using Json = nlohmann::ordered_json;

// Names of the values of an enumeration.
template <class Value, std::size_t count>
using Names = std::array<std::pair<std::string_view, Value>, count>;

template <class Value, std::size_t count>
std::string name_of(const Names<Value, count>& names, Value value) {
    for (const auto& [name, named] : names) {
        if (named == value) return std::string(name);
    }
    return {};
}

// Typed access to JSON. Every mistake becomes an Error(input) that names the file and the key.
class JsonReader {
public:
    // `path` is the key of this object within the file, `kind` the kind of file for errors.
    JsonReader(const std::filesystem::path& file, const Json& json, std::string path = {},
               const char* kind = "manifest")
        : file_(file), json_(json), prefix_(std::move(path)), kind_(kind) {
        if (!json_.is_object())
            refuse("{} must be an object", prefix_.empty() ? "it" : "\"" + prefix_ + "\"");
        if (!prefix_.empty()) prefix_ += ".";
    }

    template <class... Arguments>
    [[noreturn]] void refuse(fmt::format_string<Arguments...> reason,
                             Arguments&&... arguments) const {
        refuse_file(file_, fmt::format(reason, std::forward<Arguments>(arguments)...), kind_);
    }

    bool has(const char* key) const { return json_.contains(key); }

    JsonReader object(const char* key) const { return {file_, value(key), prefix_ + key, kind_}; }

    // Calls visit(JsonReader) for every object of the array.
    template <class Visit>
    void each(const char* key, Visit visit) const {
        const Json& found = value(key);
        if (!found.is_array() || found.empty())
            refuse("\"{}{}\" must be an array of at least one object", prefix_, key);
        for (std::size_t i = 0; i < found.size(); ++i)
            visit(JsonReader(file_, found[i], fmt::format("{}{}[{}]", prefix_, key, i), kind_));
    }

    std::vector<std::string> texts(const char* key, std::size_t count) const {
        const Json& found = value(key);
        std::vector<std::string> list;
        if (found.is_array() && found.size() == count)
            for (const Json& entry : found)
                if (entry.is_string()) list.push_back(entry.get<std::string>());
        if (list.size() != count)
            refuse("\"{}{}\" must be an array of {} strings", prefix_, key, count);
        return list;
    }

    // Strings, of any number.
    std::vector<std::string> texts(const char* key) const {
        const Json& found = value(key);
        if (!found.is_array()) refuse("\"{}{}\" must be an array of strings", prefix_, key);
        return texts(key, found.size());
    }

    // The names and strings of an object, in order.
    std::vector<std::pair<std::string, std::string>> all_texts(const char* key) const {
        const Json& found = value(key);
        std::vector<std::pair<std::string, std::string>> list;
        if (!found.is_object()) refuse("\"{}{}\" must be an object", prefix_, key);
        for (const auto& [name, entry] : found.items()) {
            if (!entry.is_string())
                refuse("\"{}{}\" must have strings as its values", prefix_, key);
            list.emplace_back(name, entry.template get<std::string>());
        }
        return list;
    }

    // A file inside the light field's folder: a manifest must not make the program open other
    // files.
    std::string inner_file(const char* key) const {
        std::string stored = text(key);
        require_inner_file(key, stored);
        return stored;
    }

    // The same for a file that is a part of the text at `key`.
    void require_inner_file(const std::string& key, const std::string& stored) const {
        const std::filesystem::path path(stored);
        const bool leaves_folder =
            std::any_of(path.begin(), path.end(),
                        [](const std::filesystem::path& part) { return part == ".."; });
        std::string printable = stored;
        std::replace(printable.begin(), printable.end(), '\0', '?');
        if (stored.empty() || path.is_absolute() || leaves_folder || !path.has_filename() ||
            printable != stored)
            refuse("\"{}{}\" names the file \"{}\", which must be inside the folder", prefix_, key,
                   printable);
    }

    template <std::size_t count>
    std::array<double, count> numbers(const char* key, double lowest, double highest) const {
        const Json& found = value(key);
        std::array<double, count> list{};
        bool good = found.is_array() && found.size() == count;
        for (std::size_t i = 0; good && i < count; ++i) {
            list[i] = found[i].is_number() ? found[i].get<double>() : std::nan("");
            good = list[i] >= lowest && list[i] <= highest;
        }
        if (!good)
            refuse("\"{}{}\" must be {} numbers from {} to {}", prefix_, key, count, lowest,
                   highest);
        return list;
    }

    std::string text(const char* key) const {
        const Json& found = value(key);
        if (!found.is_string()) refuse("\"{}{}\" must be a string", prefix_, key);
        return found.get<std::string>();
    }

    // Whole numbers, of any count.
    std::vector<int> integers(const char* key, int lowest, int highest) const {
        const Json& found = value(key);
        std::vector<int> list;
        if (!found.is_array()) refuse("\"{}{}\" must be an array of numbers", prefix_, key);
        for (const Json& entry : found) {
            if (!entry.is_number_integer() || !in_range(entry, lowest, highest))
                refuse("\"{}{}\" must have whole numbers from {} to {}", prefix_, key, lowest,
                       highest);
            list.push_back(entry.get<int>());
        }
        return list;
    }

    int integer(const char* key, int lowest, int highest) const {
        const Json& found = value(key);
        if (found.is_number_integer() && in_range(found, lowest, highest)) return found.get<int>();
        refuse("\"{}{}\" must be a whole number from {} to {}", prefix_, key, lowest, highest);
    }

    std::uint64_t unsigned_integer(const char* key) const {
        const Json& found = value(key);
        if (!found.is_number_unsigned()) {
            refuse("\"{}{}\" must be a whole number of at least 0", prefix_, key);
        }
        return found.get<std::uint64_t>();
    }

    double real(const char* key, double lowest, double highest) const {
        const Json& found = value(key);
        const double number = found.is_number() ? found.get<double>() : std::nan("");
        if (number >= lowest && number <= highest) return number;
        refuse("\"{}{}\" must be a number from {} to {}", prefix_, key, lowest, highest);
    }

    template <class Value, std::size_t count>
    Value choice(const char* key, const Names<Value, count>& names) const {
        const std::string chosen = text(key);
        std::string allowed;
        for (const auto& [name, named] : names) {
            if (name == chosen) return named;
            allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", name);
        }
        refuse("\"{}{}\" is \"{}\", but must be one of {}", prefix_, key, chosen, allowed);
    }

private:
    const Json& value(const char* key) const {
        const auto found = json_.find(key);
        if (found == json_.end()) refuse("\"{}{}\" is missing", prefix_, key);
        return *found;
    }

    static bool in_range(const Json& number, int lowest, int highest) {
        if (number.is_number_unsigned()) {
            return number.get<std::uint64_t>() <= std::uint64_t(std::max(highest, 0)) &&
                   number.get<std::int64_t>() >= lowest;
        }
        return number.get<std::int64_t>() >= lowest && number.get<std::int64_t>() <= highest;
    }

    const std::filesystem::path& file_;
    const Json& json_;
    std::string prefix_;
    const char* kind_;
};

}  // namespace plenosr::io
