#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "plenosr/error.h"
#include "plenosr/options.h"

namespace plenosr {

[[noreturn]] inline void refuse(const std::string& name, const std::string& value,
                                const std::string& rule) {
    throw Error(ErrorKind::invalid_option, fmt::format("{} = {} must be {}", name, value, rule));
}

// The rule that a number has to keep, and its words.
template <class T>
struct Range {
    T low = std::numeric_limits<T>::lowest();
    T high = std::numeric_limits<T>::max();
    std::string words = "a number";
    bool holds(T value) const {
        if constexpr (std::is_floating_point_v<T>)
            if (!std::isfinite(value)) return false;
        return value >= low && value <= high;
    }
};

template <class T>
Range<T> at_least(T low) {
    return {low, std::numeric_limits<T>::max(), fmt::format("at least {}", low)};
}
template <class T>
Range<T> between(T low, T high) {
    return {low, high, fmt::format("between {} and {}", low, high)};
}

template <class T>
T parse_number(const std::string& name, const std::string& text, const Range<T>& range) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || !range.holds(value))
        refuse(name, text,
               fmt::format("{}{}", std::is_integral_v<T> ? "a whole number, " : "a number, ",
                           range.words));
    return value;
}

template <class O, class T>
Option<O> number(std::string name, std::string values, T O::*field, Range<T> range,
                 std::string description) {
    return {name, std::move(values), std::move(description),
            [=](O& o, const std::string& text) { o.*field = parse_number(name, text, range); },
            [=](const O& o) { return fmt::format("{}", o.*field); }};
}

// A number that the job finds itself unless it is given.
template <class O, class T>
Option<O> automatic_number(std::string name, std::string values, std::optional<T> O::*field,
                           Range<T> range, std::string description) {
    range.words += ", or auto";
    return {name, "auto|" + std::move(values), std::move(description),
            [=](O& o, const std::string& text) {
                if (text == "auto")
                    (o.*field).reset();
                else
                    o.*field = parse_number(name, text, range);
            },
            [=](const O& o) { return o.*field ? fmt::format("{}", *(o.*field)) : "auto"; }};
}

template <class O, class E>
Option<O> choice(std::string name, E O::*field, std::vector<std::pair<std::string, E>> names,
                 std::string description) {
    std::string values;
    for (const auto& entry : names)
        values += (values.empty() ? "" : "|") + entry.first;
    return {name, values, std::move(description),
            [=](O& o, const std::string& text) {
                for (const auto& [word, value] : names)
                    if (word == text) {
                        o.*field = value;
                        return;
                    }
                refuse(name, text, "one of " + values);
            },
            [=](const O& o) {
                for (const auto& [word, value] : names)
                    if (value == o.*field) return word;
                return std::string("?");
            }};
}

template <class O>
Option<O> words(std::string name, std::string values, std::string O::*field,
                std::string description) {
    return {name, std::move(values), std::move(description),
            [=](O& o, const std::string& text) { o.*field = text; },
            [=](const O& o) { return o.*field; }};
}

// Bytes as N, NK, NM or NG (powers of 1024); 0 is shown and given as none.
template <class O>
Option<O> byte_count(std::string name, std::size_t O::*field, std::string description) {
    static const std::string units = "KMG";
    return {name, "none|N[K|M|G]", std::move(description),
            [=](O& o, const std::string& text) {
                if (text == "none") {
                    o.*field = 0;
                    return;
                }
                const std::size_t unit = text.empty() ? std::string::npos : units.find(text.back());
                const int shift = unit == std::string::npos ? 0 : 10 * int(unit + 1);
                const std::string digits = text.substr(0, text.size() - (shift > 0 ? 1 : 0));
                std::uint64_t value = 0;
                const char* end = digits.data() + digits.size();
                const auto [stop, error] = std::from_chars(digits.data(), end, value);
                constexpr std::uint64_t most = std::uint64_t(1) << 60;
                if (error != std::errc() || stop != end || value == 0 || value > (most >> shift))
                    refuse(name, text, "a number of bytes such as 800000000, 512M or 2G, or none");
                o.*field = std::size_t(value << shift);
            },
            [=](const O& o) {
                const std::size_t bytes = o.*field;
                for (int i = 3; i > 0; --i)
                    if (bytes > 0 && bytes % (std::size_t(1) << (10 * i)) == 0)
                        return fmt::format("{}{}", bytes >> (10 * i), units[std::size_t(i - 1)]);
                return bytes == 0 ? std::string("none") : fmt::format("{}", bytes);
            }};
}

template <class O>
Option<O> blur_option(BlurSpec O::*field) {
    return {"blur", "gaussian|gaussian:SIGMA|motion:LENGTH,ANGLE|disc:RADIUS|psf:FILE|none",
            "the camera's blur before the decimation, in high-resolution pixels and degrees; "
            "gaussian alone has sigma = 1/4 sqrt(scale^2 - 1)",
            [=](O& o, const std::string& text) { (o.*field).text = text; },
            [=](const O& o) { return (o.*field).text; }};
}

// The same field: --psf-grid FILE is --blur psf-grid:FILE.
template <class O>
Option<O> psf_grid_option(BlurSpec O::*field) {
    static const std::string prefix = "psf-grid:";
    return {"psf-grid", "none|FILE",
            "in the place of blur: PSFs that change over the image, a grid of them "
            "(docs/formats.md)",
            [=](O& o, const std::string& text) {
                if (text != "none") (o.*field).text = prefix + text;
            },
            [=](const O& o) {
                const std::string& text = (o.*field).text;
                return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string("none");
            }};
}

// Checks every option of a struct that was filled in by hand: what set() would refuse is refused.
template <class O>
void validate_all(const O& options, const std::vector<Option<O>>& list) {
    O copy = options;
    for (const Option<O>& option : list)
        option.set(copy, option.show(options));
}

}  // namespace plenosr
