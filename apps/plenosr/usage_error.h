#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace plenosr::app {

// One sentence on what is wrong with the command line, with a suggestion for misspelt words.
std::string usage_error(const CLI::App& program, const CLI::ParseError& error);

// The sentence on a command that does not exist.
std::string unknown_command(const CLI::App& program, const std::string& word);

}  // namespace plenosr::app
