#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/atomic_file.h"
#include "base/file_errors.h"
#include "base/output_batch.h"
#include "base/sha256.h"
#include "batch/finish.h"
#include "batch/input_files.h"
#include "batch/solve_item.h"
#include "batch/tasks.h"
#include "devices/make_engines.h"
#include "io/estimates_file.h"
#include "io/image_file.h"
#include "io/input_file.h"
#include "plenosr/commit.h"
#include "plenosr/error.h"
#include "plenosr/outputs.h"
#include "plenosr/peak_memory.h"
#include "plenosr/version.h"
#include "solver/solve.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

using io::Json;

// ---- what must hold before a task is done
// --------------------------------------------------------
void require_same_version(const BatchJob& job) {
    const BatchPlan& plan = job.plan;
    if (plan.version == PLENOSR_VERSION && plan.commit == PLENOSR_COMMIT) return;
    throw Error(ErrorKind::input,
                fmt::format("The job {} was planned by plenosr {} (commit {}), and this is plenosr "
                            "{} (commit {}); use the same program, or plan the job anew.",
                            job.folder.string(), plan.version, plan.commit, PLENOSR_VERSION,
                            PLENOSR_COMMIT));
}

void require_unchanged(const FilesDigest& planned, const FilesDigest& now,
                       const std::string& input) {
    if (now == planned) return;
    throw Error(ErrorKind::input,
                fmt::format("The input {} changed after the job was planned ({} files of {} bytes "
                            "then, {} of {} now); plan the job anew.",
                            input, planned.files, planned.bytes, now.files, now.bytes));
}

void require_inputs(const BatchPlan& plan, const BatchItem& item, const ItemOptions& options,
                    const Progress& progress) {
    if (!plan.option_files.empty())
        require_unchanged(plan.option_digest, digest_of(plan.option_files, progress),
                          plan.option_files.front().string());
    require_unchanged(item.digest,
                      digest_of(files_of_item(item.inputs, plan.frames, options.open), progress),
                      item.inputs.front().string());
}

// ---- figures about this process
// ------------------------------------------------------------------
double cpu_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    constexpr double micro = 1e-6;
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           micro * double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

// ---- one item
// ------------------------------------------------------------------------------------
std::string thumbnail_of(const Image& image) {
    constexpr double side = 256;  // pixels, the longer one
    ImageEncoding encoding;
    encoding.quality = 80;  // about 10 KB
    const double factor = std::min(1.0, side / std::max(image.width, image.height));
    const Image small = resize(image, std::max(1, int(factor * image.width + 0.5)),
                               std::max(1, int(factor * image.height + 0.5)));
    return io::encode_image("thumbnail.jpg", small, encoding);
}

WorkResult record_failure(const BatchJob& job, const std::string& task, const std::string& why) {
    Part part;
    part.failed = true;
    part.error = why;
    write_file_atomically(part_file(job, task), format_part(job, task, part), FileUse::output);
    return {TaskState::failed, false, why};
}

ItemOptions options_for(const BatchJob& job, const WorkOptions& work, TaskKind kind) {
    const BatchPlan& plan = job.plan;
    BatchPlan changed;
    changed.frames = plan.frames;
    changed.extension = plan.extension;
    changed.options = plan.options;
    // Before the options are set, which reads these files.
    if (option_files(plan.options) != plan.option_files)
        throw Error(ErrorKind::input,
                    "The plan does not list the files that its options name; plan the job anew.");
    const auto replace = [&](const std::string& name, const std::string& text) {
        std::erase_if(changed.options, [&](const auto& entry) { return entry.first == name; });
        changed.options.emplace_back(name, text);
    };
    if (kind == TaskKind::solve && !job.plan.sample.empty())
        replace("estimates", estimates_file(job).string());
    if (work.threads) replace("threads", fmt::format("{}", *work.threads));
    if (!work.device.empty()) replace("device", work.device);
    return item_options(changed);
}

void write_item(const BatchJob& job, std::size_t item, const SolvedItem& solved,
                const Stopwatch& clock) {
    const fs::path file = result_file(job.plan, item);
    const std::string bytes = io::encode_image(file, solved.image, solved.encoding);
    Part part;
    part.files = FilesDigest{1, bytes.size(), sha256_text(bytes)};
    part.report = Json::parse(solved.report);
    part.report["task"] = {{"host", host_name()},
                           {"instructions", instruction_set()},
                           {"seconds", clock.seconds()},
                           {"cpu_seconds", cpu_seconds()},
                           {"peak_memory_bytes", peak_memory_bytes()}};
    OutputBatch outputs;  // the part last: where it is, the others are
    write_output_file(file, bytes);
    write_output_file(thumbnail_file(job, item), thumbnail_of(solved.image));
    write_output_file(part_file(job, solve_task(item)), format_part(job, solve_task(item), part));
    outputs.commit();
}

// The part of a task that was done before, if its result is still the same.
std::optional<WorkResult> done_before(const BatchJob& job, std::size_t item) {
    const auto part = read_part(job, solve_task(item));
    if (!part || !has_its_files(job, item, *part)) return std::nullopt;
    if (part->failed) return WorkResult{TaskState::failed, true, part->error};
    const fs::path file = result_file(job.plan, item);
    if (sha256_text(io::read_bytes(file)) != part->files->sha256) return std::nullopt;
    return WorkResult{TaskState::done, true, file.string()};
}

// Reconstructs the item and gives it to write(). An item that cannot be reconstructed is recorded.
template <class Write>
WorkResult reconstruct_item(const BatchJob& job, TaskName task, const WorkOptions& work,
                            const Progress& progress, const Write& write) {
    const ItemOptions options = options_for(job, work, task.kind);
    require_inputs(job.plan, job.plan.items[task.item], options, progress);
    SolvedItem solved;
    try {
        solved = solve_item(job.plan, task.item, options, progress);
    } catch (const Error& failure) {
        // The content of the input is what was planned, so every try would end in the same way.
        if (failure.kind() != ErrorKind::input && failure.kind() != ErrorKind::invalid_option)
            throw;
        return record_failure(job, text_of(task), failure.what());
    }
    return write(solved);
}

WorkResult solve(const BatchJob& job, TaskName task, const WorkOptions& work,
                 const Progress& progress) {
    if (!work.again)
        if (auto before = done_before(job, task.item)) return *before;
    if (!work.give_up.empty()) return record_failure(job, text_of(task), work.give_up);
    require_same_version(job);
    if (!job.plan.sample.empty()) require_done(job, TaskKind::reduce, text_of(task));
    const Stopwatch clock;
    return reconstruct_item(job, task, work, progress, [&](const SolvedItem& solved) {
        // Another process may have done the same task meanwhile; its bytes are the same.
        if (!work.again)
            if (auto before = done_before(job, task.item)) return *before;
        write_item(job, task.item, solved, clock);
        return WorkResult{TaskState::done, false, result_file(job.plan, task.item).string()};
    });
}

WorkResult survey(const BatchJob& job, TaskName task, const WorkOptions& work,
                  const Progress& progress) {
    const auto before = read_part(job, text_of(task));
    if (before && !work.again)
        return {before->failed ? TaskState::failed : TaskState::done, true, before->error};
    if (!work.give_up.empty()) return record_failure(job, text_of(task), work.give_up);
    require_same_version(job);
    return reconstruct_item(job, task, work, progress, [&](const SolvedItem& solved) {
        Part part;
        part.report["estimates"] = io::json_of(solved.estimates);
        write_output_file(part_file(job, text_of(task)), format_part(job, text_of(task), part));
        return WorkResult{TaskState::done, false, part_file(job, text_of(task)).string()};
    });
}

WorkResult reduce(const BatchJob& job, const WorkOptions& work) {
    const std::string file = estimates_file(job).string();
    if (!work.again && reduced_part(job)) return {TaskState::done, true, file};
    require_same_version(job);
    require_done(job, TaskKind::survey, reduce_task);
    std::vector<Estimates> all;
    for (const std::size_t i : job.plan.sample) {
        const auto part = read_part(job, survey_task(i));
        if (part && !part->failed)
            all.push_back(parse_estimates(part_file(job, survey_task(i)), part->report.dump()));
    }
    if (all.empty())
        throw Error(ErrorKind::input,
                    fmt::format("None of the {} items of the sample of {} could be reconstructed, "
                                "so there are no estimates; plan the job with another --sample.",
                                job.plan.sample.size(), job.folder.string()));
    const std::string bytes = format_estimates(median_of(std::move(all)));
    Part part;
    part.files = FilesDigest{1, bytes.size(), sha256_text(bytes)};
    OutputBatch outputs;  // the part last
    write_output_file(file, bytes);
    write_output_file(part_file(job, reduce_task), format_part(job, reduce_task, part));
    outputs.commit();
    return {TaskState::done, false, file};
}

WorkResult finish_or_skip(const BatchJob& job, const WorkOptions& work, const Progress& progress) {
    require_same_version(job);
    if (!work.again && finished_part(job))
        return {TaskState::done, true, (job.plan.output / page_name).string()};
    return finish(job, progress);
}

}  // namespace

WorkResult work_on(const BatchJob& job, const std::string& text, const WorkOptions& work,
                   const Progress& progress) {
    const TaskName task = parse_task(job.plan, text);
    const bool of_item = task.kind == TaskKind::solve || task.kind == TaskKind::survey;
    if (!of_item && !work.give_up.empty())
        throw Error(ErrorKind::invalid_option,
                    fmt::format("--give-up is for the tasks of items, not for {}", text));
    if (of_item && !job.plan.items[task.item].error.empty())
        return {TaskState::failed, true, job.plan.items[task.item].error};
    switch (task.kind) {
        case TaskKind::survey:
            return survey(job, task, work, progress);
        case TaskKind::reduce:
            return reduce(job, work);
        case TaskKind::solve:
            return solve(job, task, work, progress);
        case TaskKind::finish:
            break;
    }
    return finish_or_skip(job, work, progress);
}

}  // namespace plenosr
