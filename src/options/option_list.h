#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/byte_count.h"
#include "plenosr/error.h"
#include "plenosr/options.h"

namespace plenosr {

[[noreturn]] inline void refuse(const std::string& name, const std::string& value,
                                const std::string& rule) {
    throw Error(ErrorKind::invalid_option, fmt::format("{} = {} must be {}", name, value, rule));
}

// The values that a number may have, and their description for error messages.
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

// Marks an option for --help; see Option::basic.
template <class O>
Option<O> basic(Option<O> option) {
    option.basic = true;
    return option;
}

// Marks an option that has no meaning for frames; see Option::views_only.
template <class O>
Option<O> views_only(Option<O> option) {
    option.views_only = true;
    return option;
}

template <class O, class T>
Option<O> number(std::string name, std::string values, T O::*field, Range<T> range,
                 std::string description) {
    return {name, std::move(values), std::move(description),
            [=](O& o, const std::string& text) { o.*field = parse_number(name, text, range); },
            [=](const O& o) { return fmt::format("{}", o.*field); }};
}

// A number that the job chooses itself unless it is given: std::nullopt is shown as auto.
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

// The words that stand for values, e.g. {{"on", true}, {"off", false}}.
template <class E>
using Words = std::vector<std::pair<std::string, E>>;

template <class E>
std::string joined(const Words<E>& names) {
    std::string values;
    for (const auto& entry : names)
        values += (values.empty() ? "" : "|") + entry.first;
    return values;
}

template <class E>
E parse_word(const std::string& name, const std::string& text, const Words<E>& names,
             const std::string& values) {
    for (const auto& [word, value] : names)
        if (word == text) return value;
    refuse(name, text, "one of " + values);
}

template <class E>
std::string word_for(const E& value, const Words<E>& names) {
    for (const auto& [word, known] : names)
        if (known == value) return word;
    return "?";
}

template <class O, class E>
Option<O> choice(std::string name, E O::*field, Words<E> names, std::string description) {
    const std::string values = joined(names);
    return {
        name, values, std::move(description),
        [=](O& o, const std::string& text) { o.*field = parse_word(name, text, names, values); },
        [=](const O& o) { return word_for(o.*field, names); }};
}

// A choice that may be left open: std::nullopt is written as `open_word`.
template <class O, class E>
Option<O> optional_choice(std::string name, std::string open_word, std::optional<E> O::*field,
                          Words<E> names, std::string description) {
    const std::string values = open_word + "|" + joined(names);
    return {name, values, std::move(description),
            [=](O& o, const std::string& text) {
                if (text == open_word)
                    (o.*field).reset();
                else
                    o.*field = parse_word(name, text, names, values);
            },
            [=](const O& o) { return o.*field ? word_for(*(o.*field), names) : open_word; }};
}

template <class O>
Option<O> words(std::string name, std::string values, std::string O::*field,
                std::string description) {
    return {name, std::move(values), std::move(description),
            [=](O& o, const std::string& text) { o.*field = text; },
            [=](const O& o) { return o.*field; }};
}

// An option of a struct that is a member of another one.
template <class O, class Part>
Option<O> part_of(const Option<Part>& option, Part O::*part) {
    return {option.name,
            option.values,
            option.description,
            [=](O& o, const std::string& text) { option.set(o.*part, text); },
            [=](const O& o) { return option.show(o.*part); },
            option.basic,
            option.views_only};
}

// Bytes as N, NK, NM or NG (powers of 1024); 0 is written as none.
template <class O>
Option<O> byte_count(std::string name, std::size_t O::*field, std::string description) {
    return {name, "none|N[K|M|G]", std::move(description),
            [=](O& o, const std::string& text) {
                o.*field = text == "none" ? 0 : std::size_t(parse_bytes(name, text));
            },
            [=](const O& o) {
                return o.*field == 0 ? std::string("none") : show_bytes(std::uint64_t(o.*field));
            }};
}

template <class O>
Option<O> blur_option(BlurSpec O::*field, bool can_be_estimated = false) {
    return {
        "blur",
        std::string(can_be_estimated ? "auto|" : "") +
            "gaussian|gaussian:SIGMA|box:SIGMA|bicubic|motion:LENGTH,ANGLE|disc:RADIUS|psf:FILE|"
            "none",
        "blur of the camera before the decimation, in high-resolution pixels and degrees; "
        "gaussian without SIGMA uses sigma = 1/4 sqrt(scale^2 - 1); box is a square pixel "
        "behind a lens of that Gaussian blur; bicubic is the anti-aliased reduction of "
        "MATLAB's imresize, and implies --phase centre" +
            std::string(can_be_estimated ? "; auto estimates its width from the pictures" : ""),
        [=](O& o, const std::string& text) { (o.*field).text = text; },
        [=](const O& o) { return (o.*field).text; }};
}

// Empty is written as auto.
template <class O>
Option<O> phase_option(PhaseSpec O::*field) {
    return {
        "phase", "auto|corner|centre|X",
        "where a low-resolution pixel lies in its block of high-resolution pixels: on the "
        "top-left pixel (corner), on the centre of the block, or X high-resolution pixels right "
        "of and below the corner (docs/formats.md has a picture); auto is centre for --blur "
        "bicubic, otherwise corner",
        [=](O& o, const std::string& text) { (o.*field).text = text == "auto" ? "" : text; },
        [=](const O& o) { return (o.*field).text.empty() ? "auto" : (o.*field).text; }};
}

// Sets the same field as blur_option(): --psf-grid FILE is --blur psf-grid:FILE.
template <class O>
Option<O> psf_grid_option(BlurSpec O::*field) {
    static const std::string prefix = "psf-grid:";
    return {"psf-grid", "none|FILE",
            "replaces --blur by a grid of PSFs that vary over the image (docs/formats.md)",
            [=](O& o, const std::string& text) {
                if (text != "none") (o.*field).text = prefix + text;
            },
            [=](const O& o) {
                const std::string& text = (o.*field).text;
                return text.starts_with(prefix) ? text.substr(prefix.size()) : std::string("none");
            }};
}

template <class O>
Option<O> force_option(bool O::*field) {
    return choice("force", field, {{"on", true}, {"off", false}},
                  "go on if more than two thirds of the views do not fit the others, which is an "
                  "error otherwise");
}

// Checks a struct that was filled in by hand: throws where set() of an option would.
template <class O>
void validate_all(const O& options, const std::vector<Option<O>>& list) {
    O copy = options;
    for (const Option<O>& option : list)
        option.set(copy, option.show(options));
}

}  // namespace plenosr
