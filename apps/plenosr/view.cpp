#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "command.h"
#include "page_server.h"
#include "plenosr/error.h"
#include "progress_bar.h"
#include "report.h"
#include "viewer_input.h"

namespace plenosr::app {
namespace {

struct Arguments {
    ViewerInput input;
    int port = 0;
    bool no_browser = false;
    Report report;
};

constexpr const char* footer =
    "The page is served on 127.0.0.1, and its address has a random token: keep it to yourself.\n"
    "Pictures are read when the page needs them. Ctrl-C ends the program.\n"
    "\n"
    "Examples:\n"
    "  plenosr view my_light_field\n"
    "  plenosr view lr out.json --lossless --no-browser --port 8080\n";

bool has_screen() {
    const auto is_set = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
}

// Returns false if there is no browser, or none can be started.
bool open_browser(const std::string& address) {
    if (!has_screen()) return false;
    std::string program = "xdg-open";
    std::string argument = address;
    const std::array<char*, 3> arguments = {program.data(), argument.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0)
        return false;
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void run(const Arguments& a) {
    constexpr int largest_port = 65535;
    if (a.port < 0 || a.port > largest_port)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("port = {} must be from 0 to {}", a.port, largest_port));
    ProgressBar bar(false);
    ViewerContent content = a.input.content(bar.callback());
    bar.clear();
    a.report.notes(content.notes);
    PageServer server(std::move(content), {a.input.lossless}, a.port);
    print(server.address() + "\n");
    if (!a.no_browser && !open_browser(server.address()))
        a.report.summary("no browser could be opened; open the address above in one\n");
    server.run_until_interrupted();
}

}  // namespace

Command add_view(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand(
        "view", "show a light field and results in the browser, for large inputs as well");
    a->input.add_flags(app);
    app.add_option("--port", a->port, "port of 127.0.0.1 to serve the page on; 0: any free one")
        .type_name("N")
        .capture_default_str();
    app.add_flag("--no-browser", a->no_browser, "only print the address");
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
