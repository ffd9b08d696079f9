#include <fmt/format.h>
#include <signal.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdio>
#include <exception>
#include <new>

#include "command.h"
#include "help.h"
#include "interrupts.h"
#include "library_messages.h"
#include "plenosr/error.h"
#include "plenosr/progress.h"
#include "plenosr/version.h"
#include "printable.h"
#include "report.h"
#include "usage_error.h"

namespace plenosr::app {
namespace {

// The meaning of each code is in docs/cli.md.
enum ExitCode {
    ok = 0,
    internal_error = 1,
    invalid_usage = 2,
    bad_input = 3,
    bad_output = 4,
    solver_diverged = 5,
    device_failed = 6,
    was_interrupted = interrupted_exit_code,
};

constexpr const char* footer =
    "Examples:\n"
    "  plenosr reconstruct views -o sharp.png\n"
    "  plenosr frames burst/*.png -o sharp.png --scale 3\n"
    "  plenosr demo -o demo\n"
    "\n"
    "A test with known truth:\n"
    "  plenosr synth -o scene --scene planes --grid 5\n"
    "  plenosr degrade scene -o lr --scale 2 --gaussian 2 --seed 1\n"
    "  plenosr reconstruct lr -o out.png --truth scene/input_Cam012.png\n"
    "\n"
    "Exit codes:\n"
    "  0 done, 1 unexpected error, 2 invalid option, 3 input missing or unusable,\n"
    "  4 output cannot be written, 5 the solver diverged, 6 a device is missing or\n"
    "  failed, 130 interrupted\n"
    "\n"
    "plenosr help COMMAND describes a command and its options.\n";

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
        case ErrorKind::cancelled:
            return was_interrupted;
        case ErrorKind::memory:
            return internal_error;
    }
    return internal_error;
}

// Prints the sentence as one line, even if a name or value in it contains line breaks.
ExitCode complain(ExitCode code, std::string sentence) noexcept {
    while (!sentence.empty() &&
           (sentence.back() == '.' || sentence.back() == ' ' || sentence.back() == '\n'))
        sentence.pop_back();
    std::fprintf(stderr, "plenosr: %s\n", printable(sentence).c_str());
    return code;
}

ExitCode end_interrupted() noexcept {
    if (claim_interrupt_message())
        return complain(was_interrupted, "interrupted; no result was written");
    return was_interrupted;  // another thread prints the message and ends the process
}

ExitCode describe_failure(const std::exception_ptr& failure) noexcept {
    // The job may fail in any way when its temporary files are removed.
    if (interrupted()) return end_interrupted();
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::cancelled) return end_interrupted();
        return complain(exit_code(error.kind()), error.what());
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

template <class Body>
ExitCode guarded(Body body) {
    try {
        body();
        return ok;
    } catch (...) {
        return describe_failure(std::current_exception());
    }
}

ExitCode run(int argc, char** argv) {
    CLI::App program("super-resolution of light fields and of bursts of frames", "plenosr");
    program.set_version_flag("--version", "plenosr " PLENOSR_VERSION);
    program.set_help_flag("-h,--help", "print this help");
    program.set_help_all_flag("--help-all", "print this help with all options");
    program.require_subcommand(0, 1);
    program.footer(footer);
    const Flags flags(program);
    // In the order of the help: what most people need comes first.
    const std::array commands = {
        add_reconstruct(flags), add_frames(flags),     add_disparity(flags), add_noise(flags),
        add_info(flags),        add_report(flags),     add_view(flags),      add_convert(flags),
        add_evaluate(flags),    add_synth(flags),      add_degrade(flags),   add_demo(flags),
        add_devices(flags),     add_tune(flags),       add_plan(flags),      add_tasks(flags),
        add_work(flags),        add_experiment(flags), add_help(flags)};
    for (const Command& command : commands)
        command.flags.app().group("Commands");
    try {
        program.parse(argc, argv);
    } catch (const CLI::CallForVersion& version) {
        return guarded([&] { print(std::string(version.what()) + "\n"); });
    } catch (const CLI::CallForAllHelp&) {
        return guarded([&] { print(help_text(program, true)); });
    } catch (const CLI::Success&) {
        return guarded([&] { print(help_text(program, false)); });
    } catch (const CLI::ParseError& error) {
        return complain(invalid_usage, usage_error(program, error));
    }
    for (const Command& command : commands)
        if (command.flags.app().parsed()) return guarded(command.run);
    return guarded([&] { print(overview(program)); });
}

}  // namespace
}  // namespace plenosr::app

int main(int argc, char** argv) {
    plenosr::app::catch_interrupts();
    // Writing to a full disk or a closed pipe then fails with an error instead of a signal.
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    plenosr::app::drop_library_messages();
    int code = 1;
    const int failed = plenosr::app::guarded([&] { code = plenosr::app::run(argc, argv); });
    return failed != 0 ? failed : code;
}
