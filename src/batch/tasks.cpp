#include "batch/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/file_errors.h"
#include "base/sha256.h"
#include "batch/plan_file.h"
#include "io/input_file.h"
#include "plenosr/error.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view solve_prefix = "solve:";
constexpr std::size_t largest_plan_bytes = 1U << 28U;

BatchTask solve_state(const BatchJob& job, std::size_t i) {
    const BatchItem& item = job.plan.items[i];
    BatchTask task{solve_task(i), TaskState::ready, item.name, item.error};
    if (!item.error.empty()) {
        task.state = TaskState::failed;
        return task;
    }
    const auto part = read_part(job, task.name);
    if (!part || !has_its_files(job, i, *part)) return task;
    task.state = part->failed ? TaskState::failed : TaskState::done;
    task.error = part->error;
    return task;
}

}  // namespace

std::string solve_task(std::size_t item) {
    return fmt::format("{}{}", solve_prefix, item);
}

const char* name_of(TaskState state) {
    switch (state) {
        case TaskState::waiting:
            return "waiting";
        case TaskState::ready:
            return "ready";
        case TaskState::done:
            return "done";
        case TaskState::failed:
            return "failed";
    }
    return "";
}

BatchJob open_batch(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) refuse_file(folder, "it does not exist", "job");
    const fs::path file = folder / plan_name;
    if (!io::is_file(file))
        refuse_file(folder,
                    fmt::format("it has no {}; plenosr plan makes the folder of a job", plan_name),
                    "job");
    const std::string text = io::read_bytes(file, largest_plan_bytes + 1);
    if (text.size() > largest_plan_bytes)
        refuse_file(file, fmt::format("it is larger than {} bytes", largest_plan_bytes), "plan");
    BatchJob job{fs::absolute(folder).lexically_normal(), parse_plan(file, text),
                 sha256_text(text)};
    if (!job.folder.has_filename()) job.folder = job.folder.parent_path();
    return job;
}

std::optional<std::size_t> item_of_task(const BatchPlan& plan, const std::string& task) {
    if (task == finish_task) return std::nullopt;
    std::size_t item = 0;
    const char* begin = task.data() + std::min(task.size(), solve_prefix.size());
    const char* end = task.data() + task.size();
    const auto [stop, error] = std::from_chars(begin, end, item);
    if (!task.starts_with(solve_prefix) || error != std::errc() || stop != end ||
        item >= plan.items.size() || task != solve_task(item))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("task = {} must be {} or solve:0 to solve:{}", task, finish_task,
                                plan.items.size() - 1));
    return item;
}

bool has_its_files(const BatchJob& job, std::size_t item, const Part& part) {
    if (!part.files) return true;
    std::error_code error;
    return fs::file_size(result_file(job.plan, item), error) == part.files->bytes && !error;
}

std::string hash_of_parts(const BatchJob& job) {
    Sha256 hash;
    for (std::size_t i = 0; i < job.plan.items.size(); ++i) {
        const fs::path file = part_file(job, solve_task(i));
        hash.update(io::is_file(file) ? sha256_text(io::read_bytes(file)) : "none");
    }
    return hex_text(hash.digest());
}

std::optional<Part> finished_part(const BatchJob& job) {
    const auto part = read_part(job, finish_task);
    if (!part || !part->report.contains("parts") || part->report["parts"] != hash_of_parts(job))
        return std::nullopt;
    for (const char* name : {table_name, results_name, page_name})
        if (!io::is_file(job.plan.output / name)) return std::nullopt;
    return part;
}

std::vector<BatchTask> tasks_of(const BatchJob& job) {
    std::vector<BatchTask> tasks;
    for (std::size_t i = 0; i < job.plan.items.size(); ++i)
        tasks.push_back(solve_state(job, i));
    const bool waits = std::any_of(tasks.begin(), tasks.end(), [](const BatchTask& task) {
        return task.state == TaskState::ready;
    });
    BatchTask finish{finish_task, waits ? TaskState::waiting : TaskState::ready, {}, {}};
    if (!waits && finished_part(job)) finish.state = TaskState::done;
    tasks.push_back(std::move(finish));
    return tasks;
}

}  // namespace plenosr
