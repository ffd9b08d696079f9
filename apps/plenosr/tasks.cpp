#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "plenosr/batch.h"
#include "printable.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string job;
    bool all = false;
};

constexpr const char* footer =
    "Prints nothing if the job is complete.\n"
    "\n"
    "Examples:\n"
    "  plenosr tasks job\n"
    "  plenosr tasks job --all | grep failed\n";

// "solve:17 failed NAME: why"
std::string line_of(const BatchTask& task) {
    std::string line = fmt::format("{} {}", task.name, name_of(task.state));
    if (!task.item.empty()) line += " " + printable(task.item);
    if (!task.error.empty()) line += ": " + printable(task.error);
    return line + "\n";
}

void run(const Arguments& a) {
    std::string text;
    for (const BatchTask& task : tasks_of(open_batch(a.job))) {
        if (a.all)
            text += line_of(task);
        else if (task.state == TaskState::ready)
            text += task.name + "\n";
    }
    print(text);
}

}  // namespace

Command add_tasks(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("tasks",
                                       "lists the tasks of a job that are ready now, one per line");
    app.add_option("JOB", a->job, "the folder that plenosr plan made").required();
    app.add_flag("--all", a->all,
                 "list all tasks with their state (waiting, ready, done, failed) and item");
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
