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

constexpr std::string_view survey_prefix = "survey:";
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

BatchTask survey_state(const BatchJob& job, std::size_t i) {
    BatchTask task{survey_task(i), TaskState::ready, job.plan.items[i].name, {}};
    if (const auto part = read_part(job, task.name)) {
        task.state = part->failed ? TaskState::failed : TaskState::done;
        task.error = part->error;
    }
    return task;
}

bool is_open(const BatchTask& task) {
    return task.state == TaskState::ready || task.state == TaskState::waiting;
}

// The number after a prefix; nothing if the text is not exactly that.
std::optional<std::size_t> number_after(std::string_view prefix, const std::string& text) {
    std::size_t number = 0;
    if (!text.starts_with(prefix)) return std::nullopt;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, number);
    const bool exact = error == std::errc() && stop == end &&
                       text.size() == prefix.size() + fmt::format("{}", number).size();
    return exact ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string solve_task(std::size_t item) {
    return fmt::format("{}{}", solve_prefix, item);
}

std::string survey_task(std::size_t item) {
    return fmt::format("{}{}", survey_prefix, item);
}

std::string text_of(TaskName task) {
    switch (task.kind) {
        case TaskKind::survey:
            return survey_task(task.item);
        case TaskKind::reduce:
            return reduce_task;
        case TaskKind::solve:
            return solve_task(task.item);
        case TaskKind::finish:
            break;
    }
    return finish_task;
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

TaskName parse_task(const BatchPlan& plan, const std::string& text) {
    if (text == finish_task) return {TaskKind::finish};
    if (const auto item = number_after(solve_prefix, text); item && *item < plan.items.size())
        return {TaskKind::solve, *item};
    const auto& sample = plan.sample;
    if (!sample.empty()) {
        if (text == reduce_task) return {TaskKind::reduce};
        const auto item = number_after(survey_prefix, text);
        if (item && std::find(sample.begin(), sample.end(), *item) != sample.end())
            return {TaskKind::survey, *item};
    }
    throw Error(ErrorKind::invalid_option,
                fmt::format("task = {} must be {}solve:0 to solve:{}, or {}", text,
                            sample.empty() ? "" : "a survey of the sample, reduce, ",
                            plan.items.size() - 1, finish_task));
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

std::optional<Part> reduced_part(const BatchJob& job) {
    auto part = read_part(job, reduce_task);
    const fs::path file = estimates_file(job);
    if (!part || !part->files || !io::is_file(file) ||
        sha256_text(io::read_bytes(file)) != part->files->sha256)
        return std::nullopt;
    return part;
}

std::vector<BatchTask> tasks_of(const BatchJob& job) {
    std::vector<BatchTask> tasks;
    const auto waits = [&] { return std::any_of(tasks.begin(), tasks.end(), is_open); };
    bool reduced = true;
    if (!job.plan.sample.empty()) {
        for (const std::size_t i : job.plan.sample)
            tasks.push_back(survey_state(job, i));
        reduced = reduced_part(job).has_value();
        tasks.push_back({reduce_task,
                         reduced   ? TaskState::done
                         : waits() ? TaskState::waiting
                                   : TaskState::ready,
                         {},
                         {}});
    }
    for (std::size_t i = 0; i < job.plan.items.size(); ++i) {
        tasks.push_back(solve_state(job, i));
        if (!reduced && tasks.back().state == TaskState::ready)
            tasks.back().state = TaskState::waiting;
    }
    BatchTask finish{finish_task, waits() ? TaskState::waiting : TaskState::ready, {}, {}};
    if (finish.state == TaskState::ready && finished_part(job)) finish.state = TaskState::done;
    tasks.push_back(std::move(finish));
    return tasks;
}

void require_done(const BatchJob& job, TaskKind before, const std::string& task) {
    for (const BatchTask& other : tasks_of(job)) {
        if (parse_task(job.plan, other.name).kind > before || !is_open(other)) continue;
        throw Error(
            ErrorKind::input,
            fmt::format("The task {} must wait for {}{}; plenosr tasks lists what is ready.", task,
                        other.name, other.item.empty() ? "" : " (" + other.item + ")"));
    }
}

}  // namespace plenosr
