#include "batch/finish.h"

#include <fmt/format.h>

#include <set>

#include "base/cancelled.h"
#include "base/file_errors.h"
#include "base/output_batch.h"
#include "base/sha256.h"
#include "base/temporary.h"
#include "io/input_file.h"
#include "plenosr/error.h"
#include "plenosr/outputs.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

void require_undamaged(const BatchJob& job, std::size_t item, const Part& part) {
    if (!part.files) return;
    const fs::path file = result_file(job.plan, item);
    if (sha256_text(io::read_bytes(file)) == part.files->sha256) return;
    std::error_code ignored;
    fs::remove(part_file(job, solve_task(item)), ignored);
    throw Error(ErrorKind::input,
                fmt::format("The result {} is damaged or was changed; the task {} has to be done "
                            "again, and plenosr tasks lists it.",
                            file.string(), solve_task(item)));
}

ItemRow row_of(const BatchJob& job, std::size_t i) {
    const BatchItem& item = job.plan.items[i];
    ItemRow row{item.name, item.inputs.front().string(), {}, item.error, {}, {}};
    if (!row.error.empty()) return row;
    Part part = read_part(job, solve_task(i)).value_or(Part());
    require_undamaged(job, i, part);
    row.error = part.error;
    row.report = std::move(part.report);
    if (part.failed) return row;
    row.file = result_file(job.plan, i).filename().string();
    row.thumbnail = thumbnail_file(job, i);
    return row;
}

// Temporary files of processes that were killed, on any machine. All results are written.
void remove_leftovers(const BatchJob& job) {
    std::set<std::string> results = {table_name, results_name, page_name};
    for (std::size_t i = 0; i < job.plan.items.size(); ++i)
        results.insert(result_file(job.plan, i).filename().string());
    remove_temporaries_of(job.plan.output,
                          [&](const std::string& name) { return results.contains(name); });
    for (const fs::path& folder : {job.folder / "parts", job.folder / "thumbnails", job.folder})
        remove_temporaries_of(folder, [](const std::string&) { return true; });
}

}  // namespace

WorkResult finish(const BatchJob& job, const Progress& progress) {
    require_done(job, TaskKind::solve, finish_task);
    const std::string parts = hash_of_parts(job);
    std::vector<ItemRow> rows;
    const int count = int(job.plan.items.size());
    for (int i = 0; i < count; ++i) {
        rows.push_back(row_of(job, std::size_t(i)));
        if (!report(progress, {"collecting", i + 1, count, 0})) throw Cancelled();
    }
    Part part;
    part.report["parts"] = parts;
    OutputBatch outputs;  // the part last
    write_output_file(job.plan.output / table_name, batch_csv(rows));
    write_output_file(job.plan.output / results_name, batch_json(job, rows));
    write_output_file(job.plan.output / page_name, batch_page(job, rows));
    write_output_file(part_file(job, finish_task), format_part(job, finish_task, part));
    outputs.commit();
    remove_leftovers(job);
    return {TaskState::done, false, (job.plan.output / page_name).string()};
}

}  // namespace plenosr
