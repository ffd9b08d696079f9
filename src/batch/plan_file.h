#pragma once

#include "plenosr/batch.h"

namespace plenosr {

inline constexpr const char* plan_name = "plan.json";

// The text of plan.json. The same plan has the same bytes.
std::string format_plan(const BatchPlan& plan);
// The inverse. The text may come from anybody: Error(input) unless every path is absolute and
// without "..", every name of an item is one part of a path, and no two are equal. `file` is for
// errors.
BatchPlan parse_plan(const std::filesystem::path& file, const std::string& text);

}  // namespace plenosr
