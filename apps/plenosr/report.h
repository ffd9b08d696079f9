#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flags.h"
#include "plenosr/json_values.h"
#include "plenosr/light_field.h"
#include "plenosr/options.h"
#include "plenosr/peak_memory.h"

namespace plenosr::app {

using Json = nlohmann::ordered_json;  // keys stay in the order of docs/cli.md

inline Json json_number(double value) {
    return plenosr::json_number<Json>(value);
}
inline Json json_value(const std::string& shown) {
    return plenosr::json_value<Json>(shown);
}
inline Json json_position(ViewPosition position) {
    return plenosr::json_position<Json>(position);
}
template <class O>
Json json_options(const O& options, const std::vector<Option<O>>& list) {
    return plenosr::json_options<Json>(options, list);
}

// Writes to standard output; Error(output) if that fails.
void print(const std::string& text);

// Where a command prints. With --json - standard output has the JSON only, and the summary goes to
// standard error. The same holds for a picture that is written there.
struct Report {
    std::string json;  // --json FILE, "-" for standard output, empty for none
    bool quiet = false;
    bool stdout_taken = false;  // by a picture: the summary goes to standard error

    void add_flags(Flags app, bool with_quiet);
    void require_writable() const;  // before the long work
    void write(const Json& document) const;
    void write(const std::string& text) const;  // JSON
    void summary(const std::string& text) const;
    void notes(const std::vector<std::string>& notes) const;  // lines of the summary
};

}  // namespace plenosr::app
