#include "batch/item_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "io/psf_file.h"
#include "plenosr/error.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

const std::string* text_of(const GivenOptions& given, const std::string& name) {
    const auto found = std::find_if(given.begin(), given.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == given.end() ? nullptr : &found->second;
}

std::string text_or(const GivenOptions& given, const std::string& name, std::string other) {
    const std::string* text = text_of(given, name);
    return text != nullptr ? *text : std::move(other);
}

// `options` with the given values, in the order of the list: as the flags of a command are applied.
template <class O>
O with_given(O options, const std::vector<Option<O>>& list, const GivenOptions& given) {
    for (const Option<O>& option : list)
        if (const std::string* text = text_of(given, option.name)) option.set(options, *text);
    return options;
}

template <class O>
bool has_option(const std::vector<Option<O>>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Option<O>& option) { return option.name == name; });
}

bool is_shared(const std::string& name) {
    return name == "bits" || name == "quality";
}

bool is_for_light_fields(const std::string& name) {
    return name == "view" || name == "views" || name == "disparity-from" ||
           has_option(open_options(), name) || has_option(reconstruct_options(), name);
}

bool is_for_frames(const std::string& name) {
    return name == "single" || has_option(frames_options(), name) ||
           has_option(frames_solver_options(), name);
}

void require_known(const std::string& name, bool frames) {
    if (is_shared(name) || (frames ? is_for_frames(name) : is_for_light_fields(name))) return;
    if (frames && is_for_light_fields(name))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("--{} is for light fields, not for bursts (--frames)", name));
    if (!frames && is_for_frames(name))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("--{} is for bursts, so it needs --frames", name));
    throw Error(ErrorKind::invalid_option, fmt::format("there is no option --{}", name));
}

std::optional<int> quality_of(const GivenOptions& given) {
    const std::string* text = text_of(given, "quality");
    if (text == nullptr) return std::nullopt;
    int value = 0;
    const char* end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc() || stop != end)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("quality = {} must be a number from 1 to 100", *text));
    return value;
}

// The part of an option's text that names a file; empty: there is none.
std::string_view file_in(const std::string& name, const std::string& text) {
    if ((name == "psf-grid" || name == "estimates") && text != "none") return text;
    if (name == "blur")
        for (const std::string_view prefix : {psf_grid_prefix, psf_file_prefix})
            if (text.starts_with(prefix)) return std::string_view(text).substr(prefix.size());
    return {};
}

}  // namespace

ReconstructOptions ItemOptions::solve(const std::optional<DegradeOptions>& record) const {
    ReconstructOptions options = with_given(with_record({}, record), reconstruct_options(), given);
    options.validate();
    return options;
}

ItemOptions item_options(const BatchPlan& plan) {
    const GivenOptions& given = plan.options;
    for (const auto& entry : given)
        require_known(entry.first, plan.frames);
    ItemOptions options;
    options.given = given;
    options.open = with_given(OpenOptions(), open_options(), given);
    options.choice.view = text_or(given, "view", "");
    options.choice.views = text_or(given, "views", "all");
    options.choice.disparity_from = text_or(given, "disparity-from", "auto");
    if (options.choice.view == "all")
        throw Error(ErrorKind::invalid_option,
                    "--view all is not done by a job of tasks; plenosr reconstruct --view all does "
                    "one light field");
    require_one_of("disparity-from", options.choice.disparity_from, "auto|lowres|full|estimate");
    options.frames = with_given(FramesOptions(), frames_options(), given);
    options.frames.validate();
    options.reference_given = text_of(given, "reference") != nullptr;
    options.single = text_or(given, "single", "off") == "on";
    options.encoding =
        chosen_encoding("x" + plan.extension, text_or(given, "bits", ""), quality_of(given));
    options.solve({});
    return options;
}

std::vector<fs::path> option_files(const GivenOptions& options) {
    std::vector<fs::path> files;
    for (const auto& [name, text] : options)
        if (const std::string_view file = file_in(name, text); !file.empty())
            files.emplace_back(file);
    return files;
}

GivenOptions with_absolute_files(GivenOptions options) {
    for (auto& [name, text] : options) {
        const std::string_view file = file_in(name, text);
        if (file.empty()) continue;
        const fs::path whole = fs::absolute(file).lexically_normal();
        text = text.substr(0, text.size() - file.size()) + whole.string();
    }
    return options;
}

}  // namespace plenosr
