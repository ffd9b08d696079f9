#pragma once

#include <optional>

#include "io/json_reader.h"
#include "plenosr/batch.h"

namespace plenosr {

// What a task left behind: JOB/parts/<task>.json.
//
//   {"sha256": S, "part": P}
//
// S is the SHA-256 of the text of P, which names the task and the hash of the plan that it belongs
// to. A file that was damaged, that belongs to another plan or that somebody renamed is no part.
// Moving JSON does not throw, though its library does not say so.
// NOLINTNEXTLINE(bugprone-exception-escape)
struct Part {
    bool failed = false;
    std::string error;                 // why it failed
    std::optional<FilesDigest> files;  // that it wrote
    io::Json report;                   // of what was done, for people and for later tasks
};

std::filesystem::path part_file(const BatchJob& job, const std::string& task);
std::string format_part(const BatchJob& job, const std::string& task, const Part& part);
// Nothing if the task has no valid part.
std::optional<Part> read_part(const BatchJob& job, const std::string& task);

// ---- where the results of an item are ----------------------------------------------------------
std::filesystem::path result_file(const BatchPlan& plan, std::size_t item);
std::filesystem::path thumbnail_file(const BatchJob& job, std::size_t item);
std::filesystem::path estimates_file(const BatchJob& job);  // of the task reduce
// The files that finish writes into OUT.
inline constexpr const char* table_name = "results.csv";
inline constexpr const char* results_name = "results.json";
inline constexpr const char* page_name = "index.html";

}  // namespace plenosr
