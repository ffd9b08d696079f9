#include "usage_error.h"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "plenosr/options.h"

namespace plenosr::app {
namespace {

std::vector<std::string> names_of_options(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back(name);
    return names;
}

bool has_option(const CLI::App& command, const std::string& name) {
    for (const std::string& known : names_of_options(command))
        if (known == name) return true;
    return false;
}

// "--lambda=2" and "-lambda" are both meant as lambda.
std::string bare_name(const std::string& option) {
    const std::string text = option.substr(0, option.find('='));
    const std::size_t begin = text.find_first_not_of('-');
    return begin == std::string::npos ? "" : text.substr(begin);
}

std::string unknown_option(const CLI::App& program, const CLI::App* command,
                           const std::string& typed) {
    const std::string name = bare_name(typed);
    const std::string flag = typed.substr(0, typed.find('='));
    if (command == nullptr) {
        const std::string similar = similar_word(name, names_of_options(program));
        return fmt::format("there is no option {}; {}", flag,
                           similar.empty() ? "plenosr --help lists all"
                                           : fmt::format("did you mean --{}?", similar));
    }
    const std::string similar = similar_word(name, names_of_options(*command));
    const std::string text = fmt::format("{} has no option {}", command->get_name(), flag);
    if (!similar.empty()) return fmt::format("{}; did you mean --{}?", text, similar);
    const std::string all = fmt::format("plenosr {} --help-all lists all", command->get_name());
    for (const CLI::App* other : program.get_subcommands({}))
        if (has_option(*other, name))
            return fmt::format("{}, which belongs to {}; {}", text, other->get_name(), all);
    return fmt::format("{}; {}", text, all);
}

// "IN and -o OUT": the required arguments that were not given; empty if there are none.
std::string missing_arguments(const CLI::App& command) {
    std::string text;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_required() || option->count() > 0) continue;
        const auto& short_names = option->get_snames();
        const std::string flag =
            short_names.empty() ? option->get_name() : "-" + short_names.front();
        text +=
            (text.empty() ? "" : " and ") +
            (option->get_positional() ? option->get_name() : flag + " " + option->get_type_name());
    }
    return text;
}

}  // namespace

std::string unknown_command(const CLI::App& program, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({}))
        names.push_back(command->get_name());
    const std::string similar = similar_word(word, names);
    if (!similar.empty())
        return fmt::format("there is no command {}; did you mean plenosr {}?", word, similar);
    std::error_code error;
    if (std::filesystem::exists(word, error))
        return fmt::format(
            "{} is a file or folder, but the first word must be a command, e.g. plenosr "
            "reconstruct {} -o out.png; plenosr help lists the commands",
            word, word);
    return fmt::format("there is no command {}; plenosr help lists the commands", word);
}

std::string usage_error(const CLI::App& program, const CLI::ParseError& error) {
    const auto chosen = program.get_subcommands();
    const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
    const std::string name = command == nullptr ? "" : command->get_name() + " ";
    const bool lacks = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const std::string missing = command == nullptr || !lacks ? "" : missing_arguments(*command);
    // A word that nothing knows explains more than what is missing because of it.
    const std::vector<std::string> unknown = program.remaining(true);
    if (unknown.empty())
        return fmt::format("{}; see plenosr {}--help",
                           missing.empty() ? error.what() : name + "needs " + missing, name);
    const std::string& first = unknown.front();
    if (first.size() > 1 && first.starts_with("-")) return unknown_option(program, command, first);
    if (command == nullptr) return unknown_command(program, first);
    return fmt::format("{}does not expect the argument {}; see plenosr {}--help", name, first,
                       name);
}

}  // namespace plenosr::app
