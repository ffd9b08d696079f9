#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/light_field.h"
#include "plenosr/options.h"

namespace plenosr PLENOSR_EXPORT {

// The values of JSON reports, for any type that is made and filled as nlohmann::json is. The public
// headers include no JSON library.

// Numbers that are not finite become null, because JSON has none.
template <class Json>
Json json_number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

// The text of an option: a number if it is one, else a string.
template <class Json>
Json json_value(const std::string& shown) {
    const auto is_all = [&](auto& value) {
        const char* end = shown.data() + shown.size();
        const auto [stop, error] = std::from_chars(shown.data(), end, value);
        return error == std::errc() && stop == end;
    };
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    double real = 0;
    if (is_all(whole)) return whole;
    if (is_all(large)) return large;
    if (is_all(real) && std::isfinite(real)) return real;
    return shown;
}

// [row, col]
template <class Json>
Json json_position(ViewPosition position) {
    const auto coordinate = [](double value) {
        return value == std::floor(value) ? Json(std::int64_t(value)) : Json(value);
    };
    return Json::array({coordinate(position.row), coordinate(position.col)});
}

template <class Json, class O>
Json json_options(const O& options, const std::vector<Option<O>>& list) {
    Json object = Json::object();
    for (const Option<O>& option : list)
        object[option.name] = json_value<Json>(option.show(options));
    return object;
}

}  // namespace PLENOSR_EXPORT
