#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace plenosr::app {

// One subcommand. Its flags are bound when it is added; `run` is called if it was chosen. `run`
// throws on failure, and main.cpp prints the sentence and returns the exit code.
struct Command {
    CLI::App* flags = nullptr;
    std::function<void()> run;
};

Command add_synth(CLI::App& program);
Command add_degrade(CLI::App& program);
Command add_disparity(CLI::App& program);
Command add_noise(CLI::App& program);
Command add_reconstruct(CLI::App& program);
Command add_frames(CLI::App& program);
Command add_evaluate(CLI::App& program);
Command add_convert(CLI::App& program);
Command add_info(CLI::App& program);
Command add_devices(CLI::App& program);
Command add_tune(CLI::App& program);
Command add_experiment(CLI::App& program);
Command add_demo(CLI::App& program);
Command add_help(CLI::App& program);

// The solver ended without a usable image: exit code 5.
struct Diverged : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace plenosr::app
