#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace plenosr::app {

// Options as paragraphs: the flag with its values, below it the description and the default.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* sub) const override;
};

// The text in lines of at most 88 columns, each begun with `indent` spaces.
std::string wrapped(const std::string& text, int indent);

}  // namespace plenosr::app
