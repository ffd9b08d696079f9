#pragma once

#include <string>

#include "flags.h"

namespace plenosr::app {

// The group of the options that --help leaves out and --help-all lists.
inline constexpr const char* advanced_group = "More options";

// What `plenosr` alone prints: the commands and two examples.
std::string overview(const CLI::App& program);
// Of the program, or of the command that was chosen in the command line.
std::string help_text(CLI::App& program, bool all);
// Of one command. Error(invalid_option) if there is none of that name.
std::string help_text(CLI::App& program, const std::string& command, bool all);
// The command of that name; Error(invalid_option) if there is none.
CLI::App& find_command(CLI::App& program, const std::string& name);
// The options of a command as they stand in docs/cli.md.
std::string options_markdown(CLI::App& program, const std::string& command);

}  // namespace plenosr::app
