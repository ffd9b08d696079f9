#include "help.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <memory>
#include <sstream>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/version.h"
#include "usage_error.h"

namespace plenosr::app {
namespace {

// Options as paragraphs: the flag with its values, below it the description and the default.
// `all` includes the advanced ones.
class HelpFormatter : public CLI::Formatter {
public:
    explicit HelpFormatter(bool all) : all_(all) {
        label("Positionals", "Arguments");
        label("OPTIONS", "options");
        label("SUBCOMMAND", "COMMAND");
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* sub) const override;
    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;

private:
    std::string make_options(const CLI::App* app, const std::string& name) const;

    bool all_;
};

constexpr std::size_t help_columns = 88;
constexpr std::size_t document_columns = 100;

// Breaks the words of `text` into lines. The first line begins with `first`, the others with as
// many spaces as `margin` says.
std::string wrapped(const std::string& first, const std::string& text, std::size_t margin,
                    std::size_t columns) {
    std::istringstream words(text);
    std::string result;
    std::string line = first;
    bool has_word = false;
    for (std::string word; words >> word;) {
        if (has_word && line.size() + 1 + word.size() > columns) {
            result += line + "\n";
            line = std::string(margin, ' ');
            has_word = false;
        }
        line += (has_word ? " " : "") + word;
        has_word = true;
    }
    return result + line + "\n";
}

// "--scale Z", or "IN" for a positional.
std::string head_of(const CLI::Option* option, bool is_positional) {
    std::string head = option->get_name(is_positional, !is_positional);
    const std::string values = option->get_type_name();
    if (!is_positional && option->get_type_size() > 0 && !values.empty()) head += " " + values;
    return head;
}

// "required", "default: 2", or nothing.
std::string condition_of(const CLI::Option* option) {
    if (option->get_required()) return "required";
    const std::string value = option->get_default_str();
    return value.empty() ? "" : "default: " + value;
}

bool is_help_flag(const CLI::App& app, const CLI::Option* option) {
    return option == app.get_help_ptr() || option == app.get_help_all_ptr();
}

bool is_advanced(const CLI::Option* option) {
    return option->get_group() == advanced_group;
}

void use_formatter(CLI::App& program, bool all) {
    const auto formatter = std::make_shared<HelpFormatter>(all);
    program.formatter(formatter);
    for (CLI::App* command : program.get_subcommands({}))
        command->formatter(formatter);
}

std::string markdown_of(const CLI::Option* option) {
    const bool is_positional = option->get_positional();
    const std::string condition = condition_of(option);
    return wrapped(
        "- ",
        fmt::format("`{}`{}: {}", head_of(option, is_positional),
                    condition.empty() ? "" : " (" + condition + ")", option->get_description()),
        2, document_columns);
}

}  // namespace

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    std::string text = option->get_description();
    const std::string condition = condition_of(option);
    if (!condition.empty()) text += fmt::format(" ({})", condition);
    constexpr std::size_t margin = 8;
    return "  " + head_of(option, is_positional) + "\n" +
           wrapped(std::string(margin, ' '), text, margin, help_columns);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
    return fmt::format("  {:<12} {}\n", sub->get_name(), sub->get_description());
}

std::string HelpFormatter::make_options(const CLI::App* app, const std::string& name) const {
    std::string text;
    for (const std::string& group : app->get_groups()) {
        if (group.empty() || (group == advanced_group && !all_)) continue;
        auto options = app->get_options([&](const CLI::Option* option) {
            return option->get_group() == group && option->nonpositional();
        });
        std::stable_partition(options.begin(), options.end(), [&](const CLI::Option* option) {
            return !is_help_flag(*app, option);
        });
        if (!options.empty()) text += make_group(group, false, options);
    }
    const std::size_t hidden = all_ ? 0 : app->get_options(is_advanced).size();
    if (hidden > 0) text += fmt::format("\n{} --help-all lists {} more options.\n", name, hidden);
    return text;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
    std::string description = app->get_description();
    if (!description.empty())
        description[0] = char(std::toupper(static_cast<unsigned char>(description[0])));
    return description + ".\n\n" + make_usage(app, name) + make_positionals(app) +
           make_options(app, name) + make_subcommands(app, mode) + "\n" + make_footer(app);
}

CLI::App& find_command(CLI::App& program, const std::string& name) {
    for (CLI::App* command : program.get_subcommands({}))
        if (command->get_name() == name) return *command;
    throw Error(ErrorKind::invalid_option, unknown_command(program, name));
}

std::string overview(const CLI::App& program) {
    std::string text = "plenosr " PLENOSR_VERSION ": " + program.get_description() +
                       "\n\nUsage: plenosr COMMAND [options]\n\nCommands:\n";
    for (const CLI::App* command : program.get_subcommands({}))
        text += fmt::format("  {:<12} {}\n", command->get_name(), command->get_description());
    return text +
           "\nExamples:\n"
           "  plenosr reconstruct views -o sharp.png\n"
           "  plenosr frames burst/*.png -o sharp.png\n"
           "\n"
           "plenosr help COMMAND describes a command. plenosr demo -o demo shows a result.\n";
}

std::string help_text(CLI::App& program, bool all) {
    use_formatter(program, all);
    return program.help();
}

std::string help_text(CLI::App& program, const std::string& command, bool all) {
    use_formatter(program, all);
    return find_command(program, command).help(program.get_name());
}

std::string options_markdown(CLI::App& program, const std::string& command) {
    const CLI::App& app = find_command(program, command);
    std::string basic;
    std::string more;
    for (const CLI::Option* option : app.get_options())
        if (!is_help_flag(app, option)) (is_advanced(option) ? more : basic) += markdown_of(option);
    return more.empty() ? basic : basic + "\nMore options, listed by `--help-all`:\n\n" + more;
}

}  // namespace plenosr::app
