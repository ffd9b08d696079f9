#pragma once

#include <string>
#include <string_view>

namespace plenosr::app {

// File names, manifests and the messages of libraries may contain control characters, which a
// terminal obeys, and characters that change the direction of text.

// One line with every such character escaped, as \n, \x1b or \u202e, and every byte that is not
// UTF-8 as \xff.
std::string printable(std::string_view text);
// The same with line ends as they are.
std::string printable_lines(std::string_view text);
// JSON that means the same: line ends are kept, other such characters become \u0085.
std::string printable_json(std::string_view json);

}  // namespace plenosr::app
