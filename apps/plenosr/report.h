#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flags.h"
#include "plenosr/light_field.h"
#include "plenosr/options.h"

namespace plenosr::app {

using Json = nlohmann::ordered_json;  // keys stay in the order of docs/cli.md

// Numbers that are not finite become null, because JSON has none.
Json json_number(double value);
// The text of an option: a number if it is one, else a string.
Json json_value(const std::string& shown);
Json json_position(ViewPosition position);  // [row, col]

template <class O>
Json json_options(const O& options, const std::vector<Option<O>>& list) {
    Json object = Json::object();
    for (const Option<O>& option : list)
        object[option.name] = json_value(option.show(options));
    return object;
}

// Peak resident memory of the process since its start or the last restart_peak_memory().
std::size_t peak_memory_bytes();
void restart_peak_memory();  // returns free memory to the system first

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
    void summary(const std::string& text) const;
    void notes(const std::vector<std::string>& notes) const;  // lines of the summary
};

}  // namespace plenosr::app
