#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plenosr/export.h"
#include "plenosr/progress.h"

namespace plenosr PLENOSR_EXPORT {

// Many light fields or bursts as a job of files, done task by task by any number of processes that
// share a file system. docs/distributed.md describes it for users.
//
//   JOB/plan.json            what is to be done: inputs and their hashes, options, version
//   JOB/parts/solve-17.json  what the task solve:17 did; it carries the hash of plan.json
//   JOB/estimates.json       what all items share, by the task reduce
//   JOB/thumbnails/17.jpg
//   OUT/NAME.png             the result of an item
//   OUT/results.csv, results.json, index.html    by the last task, finish
//
// A part appears complete or not at all, so a task may be done by several processes at once, or
// again after a crash.

// Options by their names in plenosr/options.h, and their texts as they were given.
using GivenOptions = std::vector<std::pair<std::string, std::string>>;

// The content of some files.
struct FilesDigest {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::string sha256;  // of names, sizes and contents
    bool operator==(const FilesDigest&) const = default;
};

struct BatchItem {
    std::string name;                           // of its result: OUT/<name>.png
    std::vector<std::filesystem::path> inputs;  // absolute: a light field, or the paths of a burst
    std::optional<int> reference;               // of a step: the frame that is super-resolved
    FilesDigest digest;                         // of the files that are read
    std::string error;                          // why it cannot be done; empty: it can
};

struct BatchPlan {
    std::string version;  // of the program that made the plan, and that must do its tasks
    std::string commit;
    std::filesystem::path output;  // the folder OUT, absolute
    bool frames = false;           // the items are bursts
    std::string extension = ".png";
    GivenOptions options;  // of `plenosr reconstruct` or `plenosr frames`
    // The files that options name, and their content.
    std::vector<std::filesystem::path> option_files;
    FilesDigest option_digest;
    std::vector<BatchItem> items;
    // Items that are measured first, so that all are reconstructed with the same estimates
    // (plenosr/estimates.h); empty: each with its own.
    std::vector<std::size_t> sample;
};

// What the user asks for.
struct BatchRequest {
    // Light fields or bursts, or folders of them. Folders whose name begins with a dot are left
    // out.
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path list;  // a text file with more inputs, one per line; empty: none
    std::filesystem::path job;   // where the plan is going to be written; it must not be an input
    std::filesystem::path output;
    bool frames = false;
    std::string extension = ".png";
    GivenOptions options;
    int sample = 0;  // number of items for BatchPlan::sample, spread evenly; 0: none
    // The steps of a video: every frame of each input becomes an item, with the frames around it,
    // so many together; 0: each input is one burst.
    int group = 0;
};

// Finds the items and hashes what they read. An item of a folder that cannot be read gets an error
// and is part of the plan; a path that was given and cannot be read is an Error(input).
BatchPlan plan_batch(const BatchRequest& request, const Progress& progress = {});
// Writes JOB/plan.json. False if it exists and is the same; Error(output) if it is another one.
bool write_plan(const std::filesystem::path& job, const BatchPlan& plan);

struct BatchJob {
    std::filesystem::path folder;
    BatchPlan plan;
    std::string hash;  // SHA-256 of plan.json
};
// Error(input) if the folder holds no plan, or one that is damaged.
BatchJob open_batch(const std::filesystem::path& job);

enum class TaskState { waiting, ready, done, failed };
const char* name_of(TaskState state);
struct BatchTask {
    std::string name;  // "survey:17" and "solve:17" for the item 17, "reduce", "finish"
    TaskState state = TaskState::waiting;
    std::string item;   // its name; empty: none
    std::string error;  // why it failed
};
// All tasks, in the order in which they can be done. Sizes of results are checked, not their bytes.
std::vector<BatchTask> tasks_of(const BatchJob& job);

// What the items that are left will take, from those that are done: seconds per byte of input.
struct BatchEstimate {
    std::size_t done = 0;  // items that were measured
    std::size_t left = 0;
    double seconds = 0;            // for that many workers, each as fast as those that measured
    double cpu_seconds = 0;        // of all workers together
    std::uint64_t memory = 0;      // the largest peak of a task, bytes
    std::uint64_t bytes_read = 0;  // by all tasks: inputs are read to check them, then decoded
    std::uint64_t bytes_written = 0;
};
// Error(input) if items are left and none is done.
BatchEstimate estimate_batch(const BatchJob& job, int workers);

struct WorkOptions {
    // These replace the options of the plan. The number of threads changes no result.
    std::optional<int> threads;
    std::string device;
    bool again = false;   // also if the task was done
    std::string give_up;  // record the item as failed for this reason instead of doing it
};
struct WorkResult {
    TaskState state = TaskState::done;  // done or failed
    bool before = false;                // it was done earlier, and nothing was computed
    std::string text;                   // for people: what was written, or why the item failed
};
// Does one task. Error(invalid_option) if there is no such task; Error(input) if it must wait for
// others, if the version of the plan is another one, or if an input changed. An item that cannot be
// reconstructed is recorded as failed. Everything else throws and records nothing: the task can be
// tried again.
WorkResult work_on(const BatchJob& job, const std::string& task, const WorkOptions& options = {},
                   const Progress& progress = {});

}  // namespace PLENOSR_EXPORT
