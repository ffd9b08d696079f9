#include <fmt/format.h>

#include <algorithm>

#include "batch/tasks.h"
#include "plenosr/error.h"

namespace plenosr {
namespace {

double number_in(const io::Json& report, const char* key) {
    if (!report.contains("task") || !report["task"].contains(key)) return 0;
    const io::Json& value = report["task"][key];
    return value.is_number() ? value.get<double>() : 0;
}

}  // namespace

BatchEstimate estimate_batch(const BatchJob& job, int workers) {
    BatchEstimate e;
    double seconds = 0;
    double cpu_seconds = 0;
    double measured_bytes = 0;
    double written = 0;
    double left_bytes = 0;
    double largest = 0;
    for (const BatchTask& task : tasks_of(job)) {
        const TaskName name = parse_task(job.plan, task.name);
        if (name.kind != TaskKind::solve || task.state == TaskState::failed) continue;
        const auto bytes = double(job.plan.items[name.item].digest.bytes);
        const auto part = task.state == TaskState::done ? read_part(job, task.name) : std::nullopt;
        if (!part || !part->files) {
            ++e.left;
            left_bytes += bytes;
            largest = std::max(largest, bytes);
            continue;
        }
        ++e.done;
        measured_bytes += bytes;
        seconds += number_in(part->report, "seconds");
        cpu_seconds += number_in(part->report, "cpu_seconds");
        written += double(part->files->bytes);
        e.memory = std::max(e.memory, std::uint64_t(number_in(part->report, "peak_memory_bytes")));
    }
    if (e.left == 0) return e;
    if (e.done == 0 || measured_bytes <= 0)
        throw Error(ErrorKind::input,
                    fmt::format("The job {} has no item that is done, so nothing is measured; do "
                                "one first with plenosr work.",
                                job.folder.string()));
    const double per_byte = seconds / measured_bytes;
    // No worker ends before the longest item.
    e.seconds = per_byte * std::max(left_bytes / std::max(1, workers), largest);
    e.cpu_seconds = cpu_seconds / measured_bytes * left_bytes;
    e.bytes_read = std::uint64_t(2 * left_bytes);
    e.bytes_written = std::uint64_t(written / measured_bytes * left_bytes);
    return e;
}

}  // namespace plenosr
