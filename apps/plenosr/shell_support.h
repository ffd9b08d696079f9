#pragma once

#include <string>

#include "flags.h"

namespace plenosr::app {

// The manual page of the program, or of one command, in the man(7) format.
std::string man_page(const CLI::App& program);
std::string man_page(const CLI::App& program, const CLI::App& command);

// A script that completes commands, options and the words of options: "bash", "zsh" or "fish".
std::string completion_script(const CLI::App& program, const std::string& shell);

}  // namespace plenosr::app
