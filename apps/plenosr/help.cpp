#include "help.h"

#include <fmt/format.h>

#include <sstream>

namespace plenosr::app {

std::string wrapped(const std::string& text, int indent) {
    constexpr std::size_t columns = 88;
    const std::string margin(std::size_t(indent), ' ');
    std::istringstream words(text);
    std::string result;
    std::string line;
    for (std::string word; words >> word;) {
        if (!line.empty() && margin.size() + line.size() + 1 + word.size() > columns) {
            result += margin + line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return line.empty() ? result : result + margin + line + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    const std::string values = option->get_type_name();
    std::string head = "  " + option->get_name(is_positional, !is_positional);
    if (!is_positional && option->get_type_size() > 0 && !values.empty()) head += " " + values;
    std::string text = option->get_description();
    if (option->get_required()) text += " (required)";
    if (!option->get_default_str().empty())
        text += fmt::format(" (default: {})", option->get_default_str());
    return head + "\n" + wrapped(text, 8);
}

std::string HelpFormatter::make_subcommand(const CLI::App* sub) const {
    return fmt::format("  {:<12} {}\n", sub->get_name(), sub->get_description());
}

}  // namespace plenosr::app
