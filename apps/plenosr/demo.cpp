#include "command.h"
namespace plenosr::app {
Command add_demo(CLI::App& program) {
    return {program.add_subcommand("demo", ""), [] {}};
}
}  // namespace plenosr::app
