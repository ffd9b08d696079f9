#include "shell_support.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <functional>
#include <vector>

#include "plenosr/error.h"
#include "plenosr/version.h"

namespace plenosr::app {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

// ---- man pages ----------------------------------------------------------------------------------
// Text without meaning to roff: '-' is a minus that can be copied, and no line begins with a dot.
std::string roff(std::string text) {
    replace_all(text, "\\", "\\e");
    replace_all(text, "-", "\\-");
    replace_all(text, "\n.", "\n\\&.");
    replace_all(text, "\n'", "\n\\&'");
    if (!text.empty() && (text[0] == '.' || text[0] == '\'')) text.insert(0, "\\&");
    return text;
}

std::string heading(const std::string& name, const std::string& description) {
    return fmt::format(".TH {} 1 \"\" \"plenosr {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       name, PLENOSR_VERSION, roff(name), roff(description));
}

std::string entry(const CLI::Option* option) {
    const bool positional = option->get_positional();
    std::string head = "\\fB" + roff(option->get_name(positional, !positional)) + "\\fR";
    const std::string values = option->get_type_name();
    if (!positional && option->get_type_size() > 0 && !values.empty())
        head += " \\fI" + roff(values) + "\\fR";
    const std::string value = option->get_default_str();
    std::string text = option->get_description();
    if (!value.empty()) text += " (default: " + value + ")";
    return ".TP\n" + head + "\n" + roff(text) + "\n";
}

std::string footer_of(const CLI::App& app) {
    const std::string footer = app.get_footer();
    return footer.empty() ? "" : ".SH NOTES\n.nf\n" + roff(footer) + "\n.fi\n";
}

// ---- completion ---------------------------------------------------------------------------------
// "a|b|c" as words; values of other forms have none.
std::vector<std::string> words_of(const std::string& values) {
    std::vector<std::string> words;
    if (values.find('|') == std::string::npos) return words;
    for (std::size_t begin = 0; begin <= values.size();) {
        const std::size_t end = std::min(values.find('|', begin), values.size());
        const std::string word = values.substr(begin, end - begin);
        const bool literal =
            !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
                return std::islower(c) || std::isdigit(c) || c == '-' || c == '_' || c == '+';
            });
        if (literal) words.push_back(word);
        begin = end + 1;
    }
    return words;
}

std::vector<std::string> flags_of(const CLI::Option* option) {
    std::vector<std::string> flags;
    for (const std::string& name : option->get_snames())
        flags.push_back("-" + name);
    for (const std::string& name : option->get_lnames())
        flags.push_back("--" + name);
    return flags;
}

void for_each_option(const CLI::App& command,
                     const std::function<void(const CLI::Option*)>& visit) {
    for (const CLI::Option* option : command.get_options())
        if (!option->get_group().empty() && option->nonpositional()) visit(option);
}

std::string names_of_commands(const CLI::App& program) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands({}))
        names.push_back(command->get_name());
    return fmt::format("{}", fmt::join(names, " "));
}

std::string bash(const CLI::App& program) {
    std::string options;
    std::string values;
    for (const CLI::App* command : program.get_subcommands({})) {
        std::vector<std::string> flags;
        for_each_option(*command, [&](const CLI::Option* option) {
            const auto own = flags_of(option);
            flags.insert(flags.end(), own.begin(), own.end());
            const auto words = words_of(option->get_type_name());
            if (!words.empty())
                values += fmt::format(
                    "        {}) words=\"{}\" ;;\n",
                    fmt::format("{} {}", command->get_name(),
                                fmt::join(own, fmt::format("|{} ", command->get_name()))),
                    fmt::join(words, " "));
        });
        options += fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(),
                               fmt::join(flags, " "));
    }
    // "a b|a c)" needs quotes around each pattern.
    std::string quoted;
    for (std::size_t begin = 0; begin < values.size();) {
        const std::size_t end = values.find('\n', begin);
        std::string line = values.substr(begin, end - begin);
        const std::size_t close = line.find(')');
        std::string patterns = line.substr(8, close - 8);
        replace_all(patterns, "|", "\"|\"");
        quoted += "        \"" + patterns + "\"" + line.substr(close) + "\n";
        begin = end + 1;
    }
    return "# bash completion for plenosr; made from the program's list of options\n"
           "_plenosr() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
           "words=\n"
           "    COMPREPLY=()\n"
           "    if ((COMP_CWORD == 1)); then\n"
           "        COMPREPLY=($(compgen -W \"" +
           names_of_commands(program) +
           " --help --help-all --version\" -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    case \"${COMP_WORDS[1]} $previous\" in\n" +
           quoted +
           "    esac\n"
           "    if [[ -z $words && $current == -* ]]; then\n"
           "        case \"${COMP_WORDS[1]}\" in\n" +
           options +
           "        esac\n"
           "    fi\n"
           "    [[ -z $words ]] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "    # Options that take words may take files, too.\n"
           "    ((${#COMPREPLY[@]})) || COMPREPLY=($(compgen -f -- \"$current\"))\n"
           "}\n"
           "complete -o filenames -F _plenosr plenosr\n";
}

// The description as one line in single quotes.
std::string quoted(std::string text, bool for_zsh) {
    replace_all(text, "\n", " ");
    if (for_zsh) {
        replace_all(text, "\\", "\\\\");
        replace_all(text, "[", "\\[");
        replace_all(text, "]", "\\]");
        replace_all(text, ":", "\\:");
        replace_all(text, "'", "'\\''");
    } else {
        replace_all(text, "\\", "\\\\");
        replace_all(text, "'", "\\'");
    }
    return text;
}

std::string zsh(const CLI::App& program) {
    std::string commands;
    std::string cases;
    for (const CLI::App* command : program.get_subcommands({})) {
        commands += fmt::format("        '{}:{}'\n", command->get_name(),
                                quoted(command->get_description(), true));
        std::string arguments;
        for_each_option(*command, [&](const CLI::Option* option) {
            const auto words = words_of(option->get_type_name());
            const std::string values = option->get_type_size() == 0 ? ""
                                       : words.empty()
                                           ? ":value:_files"
                                           : fmt::format(":value:({})", fmt::join(words, " "));
            for (const std::string& flag : flags_of(option))
                arguments += fmt::format(" \\\n                '{}[{}]{}'", flag,
                                         quoted(option->get_description(), true), values);
        });
        cases += fmt::format(
            "            {})\n            _arguments{} \\\n                "
            "'*:file:_files' ;;\n",
            command->get_name(), arguments);
    }
    return "#compdef plenosr\n"
           "# zsh completion for plenosr; made from the program's list of options\n"
           "_plenosr() {\n"
           "    local -a commands\n"
           "    commands=(\n" +
           commands +
           "    )\n"
           "    if ((CURRENT == 2)); then\n"
           "        _describe command commands\n"
           "    else\n"
           "        local command=$words[2]\n"
           "        shift words\n"
           "        ((CURRENT--))\n"
           "        case $command in\n" +
           cases +
           "        esac\n"
           "    fi\n"
           "}\n"
           "_plenosr \"$@\"\n";
}

std::string fish(const CLI::App& program) {
    std::string text = "# fish completion for plenosr; made from the program's list of options\n";
    for (const CLI::App* command : program.get_subcommands({}))
        text += fmt::format("complete -c plenosr -n __fish_use_subcommand -f -a {} -d '{}'\n",
                            command->get_name(), quoted(command->get_description(), false));
    for (const CLI::App* command : program.get_subcommands({}))
        for_each_option(*command, [&](const CLI::Option* option) {
            std::string line = fmt::format(
                "complete -c plenosr -n '__fish_seen_subcommand_from {}'", command->get_name());
            for (const std::string& name : option->get_snames())
                line += " -s " + name;
            for (const std::string& name : option->get_lnames())
                line += " -l " + name;
            if (option->get_type_size() > 0) {
                const auto words = words_of(option->get_type_name());
                line += words.empty() ? " -r" : fmt::format(" -r -a '{}'", fmt::join(words, " "));
            }
            text += line + fmt::format(" -d '{}'\n", quoted(option->get_description(), false));
        });
    return text;
}

}  // namespace

std::string man_page(const CLI::App& program) {
    std::string text = heading("plenosr", program.get_description()) +
                       ".SH SYNOPSIS\n\\fBplenosr\\fR \\fICOMMAND\\fR [\\fIoptions\\fR]\n"
                       ".SH COMMANDS\n";
    for (const CLI::App* command : program.get_subcommands({}))
        text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff("plenosr-" + command->get_name()),
                            roff(command->get_description()));
    text += ".SH OPTIONS\n";
    for (const CLI::Option* option : program.get_options())
        text += entry(option);
    return text + footer_of(program);
}

std::string man_page(const CLI::App& program, const CLI::App& command) {
    std::string arguments;
    std::string options;
    for (const CLI::Option* option : command.get_options())
        (option->get_positional() ? arguments : options) += entry(option);
    return heading("plenosr-" + command.get_name(), command.get_description()) +
           fmt::format(".SH SYNOPSIS\n\\fB{} {}\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]\n",
                       program.get_name(), command.get_name()) +
           (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + ".SH OPTIONS\n" + options +
           footer_of(command) + ".SH SEE ALSO\n\\fBplenosr\\fR(1)\n";
}

std::string completion_script(const CLI::App& program, const std::string& shell) {
    if (shell == "bash") return bash(program);
    if (shell == "zsh") return zsh(program);
    if (shell == "fish") return fish(program);
    throw Error(ErrorKind::invalid_option,
                fmt::format("completion = {} must be one of bash|zsh|fish", shell));
}

}  // namespace plenosr::app
