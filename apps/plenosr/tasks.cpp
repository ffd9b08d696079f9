#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "plenosr/batch.h"
#include "plenosr/error.h"
#include "printable.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string job;
    bool all = false;
    std::optional<int> estimate;
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

std::string text_of(const BatchEstimate& e, int workers) {
    if (e.left == 0) return "no item is left\n";
    constexpr double megabyte = 1e6;
    return fmt::format(
        "{} items left, about {:.4g} s with {} workers ({:.4g} s of processors), {:.0f} MB of "
        "memory for each worker, {:.4g} MB to read, {:.4g} MB to write; from {} items that are "
        "done\n",
        e.left, e.seconds, workers, e.cpu_seconds, double(e.memory) / megabyte,
        double(e.bytes_read) / megabyte, double(e.bytes_written) / megabyte, e.done);
}

void run(const Arguments& a) {
    if (a.estimate) {
        if (*a.estimate < 1)
            throw Error(ErrorKind::invalid_option,
                        fmt::format("estimate = {} must be at least 1 worker", *a.estimate));
        return print(text_of(estimate_batch(open_batch(a.job), *a.estimate), *a.estimate));
    }
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
    app.add_option("--estimate", a->estimate,
                   "print the time, memory and traffic that the items that are left will take "
                   "with N workers, from those that are done")
        .type_name("N");
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
