#pragma once

#include "batch/parts.h"

namespace plenosr {

inline constexpr const char* finish_task = "finish";
std::string solve_task(std::size_t item);

// Error(invalid_option) if the plan has no such task. Nothing for finish.
std::optional<std::size_t> item_of_task(const BatchPlan& plan, const std::string& task);

// Whether the files have the size that the part tells.
bool has_its_files(const BatchJob& job, std::size_t item, const Part& part);
// The hash of the parts that finish reads.
std::string hash_of_parts(const BatchJob& job);
// The part of finish, if it was made from the parts that are there now.
std::optional<Part> finished_part(const BatchJob& job);

}  // namespace plenosr
