#pragma once

#include <functional>
#include <stdexcept>

#include "flags.h"

namespace plenosr::app {

// One subcommand. Its flags are bound when it is added; `run` is called if it was chosen. `run`
// throws on failure, and main.cpp prints the sentence and returns the exit code.
struct Command {
    Flags flags;
    std::function<void()> run;
};

Command add_synth(Flags program);
Command add_degrade(Flags program);
Command add_disparity(Flags program);
Command add_noise(Flags program);
Command add_reconstruct(Flags program);
Command add_frames(Flags program);
Command add_evaluate(Flags program);
Command add_report(Flags program);
Command add_view(Flags program);
Command add_convert(Flags program);
Command add_info(Flags program);
Command add_devices(Flags program);
Command add_tune(Flags program);
Command add_plan(Flags program);
Command add_tasks(Flags program);
Command add_work(Flags program);
Command add_experiment(Flags program);
Command add_demo(Flags program);
Command add_help(Flags program);

// The solver ended without a usable image: exit code 5.
struct Diverged : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace plenosr::app
