#include <fmt/format.h>

#include <memory>

#include "command.h"
#include "plenosr/batch.h"
#include "plenosr/error.h"
#include "printable.h"
#include "progress_bar.h"
#include "report.h"

namespace plenosr::app {
namespace {

struct Arguments {
    std::string job;
    std::string task;
    std::optional<int> threads;
    WorkOptions work;
    Report report;
};

constexpr const char* footer =
    "A task that was done before is not done again. An item that cannot be reconstructed is\n"
    "recorded as failed and does not keep the job from ending: the exit code is 0. After other\n"
    "errors, such as a full disk, the task is as ready as before.\n"
    "\n"
    "Examples:\n"
    "  plenosr work job --task solve:17\n"
    "  plenosr work job --task finish\n";

std::string summary_of(const std::string& task, const WorkResult& result) {
    std::string text =
        fmt::format("{}: {}{}\n", task, name_of(result.state), result.before ? " before" : "");
    if (result.state == TaskState::failed)
        return text + "warning: " + printable(result.text) + "\n";
    return text + printable(result.text) + "\n";
}

void run(Arguments& a) {
    if (a.threads && *a.threads < 0)
        throw Error(ErrorKind::invalid_option,
                    fmt::format("threads = {} must be at least 0", *a.threads));
    a.work.threads = a.threads;
    const BatchJob job = open_batch(a.job);
    ProgressBar bar(a.report.quiet);
    const WorkResult result = work_on(job, a.task, a.work, bar.callback());
    bar.clear();
    a.report.summary(summary_of(a.task, result));
}

}  // namespace

Command add_work(Flags program) {
    auto a = std::make_shared<Arguments>();
    Flags app = program.add_subcommand("work", "does one task of a job");
    app.add_option("JOB", a->job, "the folder that plenosr plan made").required();
    app.add_option("--task", a->task,
                   "the task, as plenosr tasks prints it: survey:N, reduce, solve:N or finish")
        .type_name("NAME")
        .required();
    app.add_option("--threads", a->threads,
                   "number of CPU threads, instead of the plan's; it changes no result")
        .type_name("N");
    app.add_option("--device", a->work.device,
                   "where to compute, instead of the plan's device; the bits of results differ "
                   "between devices")
        .type_name("NAME");
    app.add_flag("--again", a->work.again, "do the task even if it was done before");
    advanced(app.add_option("--give-up", a->work.give_up,
                            "record the item as failed for this reason, so that the job can end "
                            "without it")
                 .type_name("REASON"));
    app.add_flag("--quiet", a->report.quiet, "print nothing but errors");
    app.footer(footer);
    return {app, [a] { run(*a); }};
}

}  // namespace plenosr::app
