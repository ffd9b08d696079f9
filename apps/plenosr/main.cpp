#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <new>

#include "command.h"
#include "help.h"
#include "plenosr/error.h"
#include "plenosr/progress.h"
#include "plenosr/version.h"
#include "progress_bar.h"
#include "report.h"

namespace plenosr::app {
namespace {

// docs/cli.md
enum ExitCode {
    ok = 0,
    internal_error = 1,
    invalid_usage = 2,
    bad_input = 3,
    bad_output = 4,
    solver_diverged = 5,
    device_failed = 6,
    was_interrupted = 130,
};

constexpr const char* footer =
    "Examples:\n"
    "  plenosr synth -o scene --scene planes --grid 5\n"
    "  plenosr degrade scene -o lr --scale 2 --gaussian 2 --seed 1\n"
    "  plenosr reconstruct lr -o out.png --truth scene/input_Cam012.png\n"
    "  plenosr demo -o demo\n"
    "\n"
    "Exit codes:\n"
    "  0 done, 1 unexpected error, 2 invalid option, 3 input missing or unusable,\n"
    "  4 output cannot be written, 5 the solver diverged, 6 no such device or it\n"
    "  failed, 130 interrupted\n"
    "\n"
    "plenosr COMMAND --help tells a command's options with their units and defaults.\n";

ExitCode exit_code(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_option:
            return invalid_usage;
        case ErrorKind::input:
            return bad_input;
        case ErrorKind::output:
            return bad_output;
        case ErrorKind::device:
            return device_failed;
        case ErrorKind::memory:
            return internal_error;
    }
    return internal_error;
}

// One line, whatever names and values it quotes.
ExitCode complain(ExitCode code, std::string sentence) noexcept {
    std::replace_if(
        sentence.begin(), sentence.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    while (!sentence.empty() && (sentence.back() == '.' || sentence.back() == ' '))
        sentence.pop_back();
    std::fprintf(stderr, "plenosr: %s\n", sentence.c_str());
    return code;
}

template <class Body>
ExitCode guarded(Body body) {
    try {
        body();
        return ok;
    } catch (const Error& error) {
        return complain(exit_code(error.kind()), error.what());
    } catch (const Cancelled&) {
        return complain(was_interrupted, "interrupted; no result was written");
    } catch (const Diverged& error) {
        return complain(solver_diverged, error.what());
    } catch (const std::bad_alloc&) {
        return complain(internal_error,
                        "there is not enough memory; use fewer views (--views) or smaller ones");
    } catch (const std::exception& error) {
        return complain(internal_error, fmt::format("unexpected error: {}", error.what()));
    } catch (...) {
        return complain(internal_error, "unexpected error");
    }
}

// An argument that nobody knows explains more than what is missing because of it.
ExitCode refuse_usage(const CLI::App& program, const CLI::ParseError& error) {
    const auto chosen = program.get_subcommands();
    const auto unknown = program.remaining(true);
    const std::string name = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    if (unknown.empty())
        return complain(invalid_usage, fmt::format("{}; see plenosr {}--help", error.what(), name));
    const bool option = unknown.front().starts_with("-");
    const char* kind = option ? "option" : chosen.empty() ? "command" : "argument";
    return complain(invalid_usage, fmt::format("there is no {} {}; see plenosr {}--help", kind,
                                               unknown.front(), name));
}

ExitCode run(int argc, char** argv) {
    CLI::App program("Light-field super-resolution: one sharp view from many coarse, noisy ones.",
                     "plenosr");
    program.formatter(std::make_shared<HelpFormatter>());
    program.set_version_flag("--version", "plenosr " PLENOSR_VERSION);
    program.require_subcommand(1);
    program.footer(footer);
    const std::array commands = {
        add_synth(program),    add_degrade(program),     add_disparity(program),
        add_noise(program),    add_reconstruct(program), add_frames(program),
        add_evaluate(program), add_convert(program),     add_info(program),
        add_devices(program),  add_tune(program),        add_experiment(program),
        add_demo(program)};
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForVersion& version) {
        return guarded([&] { print(std::string(version.what()) + "\n"); });
    } catch (const CLI::Success&) {
        return guarded([&] { print(program.help()); });
    } catch (const CLI::ParseError& error) {
        return refuse_usage(program, error);
    }
    for (const Command& command : commands)
        if (command.flags->parsed()) return guarded(command.run);
    return internal_error;
}

}  // namespace
}  // namespace plenosr::app

int main(int argc, char** argv) {
    // A full disk and a closed pipe are errors like others, not deaths.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    plenosr::app::catch_interrupts();
    int code = 1;
    const int failed = plenosr::app::guarded([&] { code = plenosr::app::run(argc, argv); });
    return failed != 0 ? failed : code;
}
