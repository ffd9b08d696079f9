#pragma once

#include "batch/parts.h"

namespace plenosr {

//   survey:N  of each item of the sample: a draft of it tells its estimates
//   reduce    their median: JOB/estimates.json
//   solve:N   of each item: its result
//   finish    the tables and the page
// Without a sample there are no surveys and no reduce.
enum class TaskKind { survey, reduce, solve, finish };
struct TaskName {
    TaskKind kind = TaskKind::finish;
    std::size_t item = 0;  // of survey and solve
};
std::string text_of(TaskName task);
// Error(invalid_option) if the plan has no such task.
TaskName parse_task(const BatchPlan& plan, const std::string& text);

std::string solve_task(std::size_t item);
std::string survey_task(std::size_t item);
inline constexpr const char* reduce_task = "reduce";
inline constexpr const char* finish_task = "finish";

// Whether the result has the size that the part tells.
bool has_its_files(const BatchJob& job, std::size_t item, const Part& part);
// The hash of the parts that finish reads.
std::string hash_of_parts(const BatchJob& job);
// The part of finish, if it was made from the parts that are there now.
std::optional<Part> finished_part(const BatchJob& job);
// The part of reduce, if its file is undamaged.
std::optional<Part> reduced_part(const BatchJob& job);

// Error(input) with the first task of these that is not done.
void require_done(const BatchJob& job, TaskKind before, const std::string& task);

}  // namespace plenosr
