#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace plenosr::app {

// Marks an option that --help leaves out and --help-all lists.
CLI::Option* advanced(CLI::Option* option);

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

// What `plenosr` alone prints: the commands and two examples.
std::string overview(const CLI::App& program);
// Of the program, or of the command that was chosen in the command line.
std::string help_text(CLI::App& program, bool all);
// Of one command. Error(invalid_option) if there is none of that name.
std::string help_text(CLI::App& program, const std::string& command, bool all);
// The options of a command as they stand in docs/cli.md.
std::string options_markdown(CLI::App& program, const std::string& command);

}  // namespace plenosr::app
