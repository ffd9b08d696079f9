#include <memory>

#include "command.h"
#include "help.h"
#include "report.h"
#include "shell_support.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string command;
    bool all = false;
    bool markdown = false;
    bool man = false;
    std::string shell;
};

std::string text_for(CLI::App& program, const Arguments& a) {
    if (!a.shell.empty()) return completion_script(program, a.shell);
    if (a.man)
        return a.command.empty() ? man_page(program)
                                 : man_page(program, find_command(program, a.command));
    if (a.command.empty()) return overview(program);
    return a.markdown ? options_markdown(program, a.command) : help_text(program, a.command, a.all);
}

}  // namespace

Command add_help(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("help", "describe a command and its options");
    app.add_option("COMMAND", a->command, "the command to describe; without it all are listed");
    app.add_flag("--all", a->all, "list all options, as COMMAND --help-all does");
    advanced(
        app.add_flag("--markdown", a->markdown, "print the options as docs/cli.md contains them"));
    advanced(app.add_flag("--man", a->man, "print a manual page of the program or the command"));
    advanced(app.add_option("--completion", a->shell,
                            "print a script that completes commands and options")
                 .type_name("bash|zsh|fish"));
    app.footer("Examples:\n  plenosr help frames\n  plenosr help reconstruct --all\n");
    return {app, [a, program] { print(text_for(program.app(), *a)); }};
}

}  // namespace plenosr::app
