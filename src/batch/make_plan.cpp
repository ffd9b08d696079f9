#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/atomic_file.h"
#include "base/cancelled.h"
#include "base/file_errors.h"
#include "base/output_batch.h"
#include "batch/input_files.h"
#include "batch/item_names.h"
#include "batch/plan_file.h"
#include "io/folder_layout.h"
#include "io/input_file.h"
#include "io/natural_order.h"
#include "plenosr/commit.h"
#include "plenosr/error.h"
#include "plenosr/frames.h"
#include "plenosr/version.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

fs::path whole_path(const fs::path& path) {
    fs::path whole = fs::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

// The lines of a text file as paths; those that are relative begin at the file's folder.
std::vector<fs::path> listed(const fs::path& list) {
    std::vector<fs::path> paths;
    if (list.empty()) return paths;
    std::istringstream lines(io::read_small_text(list));
    for (std::string line; std::getline(lines, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' '))
            line.pop_back();
        if (!line.empty() && line.front() != '#') paths.push_back(list.parent_path() / line);
    }
    return paths;
}

// By name, without hidden ones.
std::vector<fs::path> folders_in(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().filename().string().starts_with(".")) continue;
        if (entry.is_directory(error)) found.push_back(entry.path());
    }
    if (error) refuse_file(folder, error.message(), "folder");
    std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
        return io::natural_order_less(a.filename().string(), b.filename().string());
    });
    return found;
}

class ItemFinder {
public:
    ItemFinder(const BatchRequest& request, const ItemOptions& options, const Progress& progress)
        : frames_(request.frames),
          group_(request.group),
          open_(options.open),
          progress_(progress) {}

    // The path itself, if it can be read, else every folder in it.
    void add(const fs::path& input) {
        std::error_code error;
        if (!fs::exists(input, error)) refuse_file(input, "it does not exist", "input");
        try {
            return add_readable(input);
        } catch (const Error& failure) {
            if (failure.kind() != ErrorKind::input || !fs::is_directory(input, error)) throw;
            const std::vector<fs::path> folders = folders_in(input);
            if (folders.empty()) throw;
            for (const fs::path& folder : folders)
                add_part(folder);
        }
    }

    std::vector<BatchItem> items;

private:
    // A folder that cannot be read must not keep the others from being done.
    void add_part(const fs::path& folder) {
        try {
            add_readable(folder);
        } catch (const Error& failure) {
            if (failure.kind() != ErrorKind::input) throw;
            BatchItem item = item_of(folder);
            item.error = printable_name(failure.what());
            items.push_back(std::move(item));
        }
    }

    void add_readable(const fs::path& input) {
        if (group_ > 0) return add_steps(input);
        const FilesDigest digest = digest_of(files_of_item({input}, frames_, open_), progress_);
        BatchItem item = item_of(input);  // takes a name, which an unreadable input must not
        item.digest = digest;
        add_item(std::move(item));
    }

    // Each frame of a video, with the frames around it.
    void add_steps(const fs::path& input) {
        const std::vector<FrameFiles::Entry> frames = list_frames({input}).frames;
        if (int(frames.size()) < group_)
            refuse_file(input,
                        fmt::format("it has {} frames, and --group {} needs at least as many",
                                    frames.size(), group_),
                        "video");
        for (int i = 0; i < int(frames.size()); ++i) {
            if (frames[std::size_t(i)].page > 0)
                refuse_file(input,
                            "--group needs a file for each frame; plenosr convert writes the pages "
                            "of a TIFF as files",
                            "video");
            const int first = std::clamp(i - group_ / 2, 0, int(frames.size()) - group_);
            BatchItem item = item_of(frames[std::size_t(i)].file);
            item.inputs.clear();
            for (int k = first; k < first + group_; ++k)
                item.inputs.push_back(frames[std::size_t(k)].file);
            item.reference = i - first;
            item.digest = digest_of(files_of_item(item.inputs, frames_, open_), progress_);
            add_item(std::move(item));
        }
    }

    void add_item(BatchItem item) {
        items.push_back(std::move(item));
        if (!report(progress_, {"finding items", int(items.size()), 0, 0})) throw Cancelled();
    }

    BatchItem item_of(const fs::path& input) {
        BatchItem item;
        if (printable_name(input.string()) != input.string())
            refuse_file(input, "a plan needs names in UTF-8 without control characters; rename it",
                        "input");
        item.name = new_item_name(input, names_);
        item.inputs = {input};
        return item;
    }

    bool frames_;
    int group_;
    OpenOptions open_;
    const Progress& progress_;
    std::set<std::string> names_;
};

bool lies_in(const fs::path& path, const fs::path& folder) {
    const fs::path inner = resolved_target(path);
    const fs::path outer = resolved_target(folder);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first ==
           outer.end();
}

// So many of the items that can be done, spread evenly from the first to the last one.
std::vector<std::size_t> sample_of(const std::vector<BatchItem>& items, int count) {
    std::vector<std::size_t> possible;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].error.empty()) possible.push_back(i);
    const std::size_t all = possible.size();
    const std::size_t wanted = std::min(all, std::size_t(std::max(0, count)));
    std::vector<std::size_t> sample;
    for (std::size_t k = 0; k < wanted; ++k)
        sample.push_back(possible[wanted == 1 ? all / 2 : k * (all - 1) / (wanted - 1)]);
    return sample;
}

void require_numbers(const BatchRequest& request) {
    const auto refuse = [](const std::string& sentence) {
        throw Error(ErrorKind::invalid_option, sentence);
    };
    if (request.sample < 0) refuse(fmt::format("sample = {} must be at least 0", request.sample));
    if (request.group < 0 || request.group == 1)
        refuse(fmt::format("group = {} must be 0 or at least 2", request.group));
    if (request.group > 0 && !request.frames)
        refuse("--group is for the frames of a video, so it needs --frames");
    const auto given = [&](const std::string& name) {
        return std::any_of(request.options.begin(), request.options.end(),
                           [&](const auto& option) { return option.first == name; });
    };
    if (request.group > 0 && given("reference"))
        refuse("--group makes every frame the reference once, so --reference cannot be given");
    if (request.sample > 0 && given("estimates"))
        refuse("--sample makes the estimates, so --estimates cannot be given");
}

// What is written into an input would be an item, or a part of one, when the job is planned again.
void require_outside(const fs::path& output, const fs::path& input, const char* kind) {
    if (!output.empty() && lies_in(output, input))
        refuse_output(output, "it lies within the input " + input.string(), kind);
}

}  // namespace

BatchPlan plan_batch(const BatchRequest& request, const Progress& progress) {
    BatchPlan plan;
    plan.version = PLENOSR_VERSION;
    plan.commit = PLENOSR_COMMIT;
    plan.frames = request.frames;
    plan.extension = request.extension;
    plan.options = with_absolute_files(request.options);
    plan.output = whole_path(request.output);
    if (!is_extension(plan.extension))
        throw Error(ErrorKind::invalid_option,
                    fmt::format("extension = {} must be one of pictures, such as .png or .tif",
                                plan.extension));
    require_numbers(request);
    const ItemOptions options = item_options(plan);
    plan.option_files = option_files(plan.options);
    plan.option_digest = digest_of(plan.option_files, progress);

    std::vector<fs::path> inputs;
    for (const fs::path& path : request.inputs)
        inputs.push_back(whole_path(path));
    for (const fs::path& path : listed(request.list))
        inputs.push_back(whole_path(path));
    if (inputs.empty())
        throw Error(ErrorKind::invalid_option,
                    "there is no input; name light fields, bursts or folders of them, or a list of "
                    "them with --list");
    ItemFinder finder(request, options, progress);
    for (const fs::path& input : inputs) {
        require_outside(request.job, input, "job");
        require_outside(request.output, input, "folder");
        finder.add(input);
    }
    plan.items = std::move(finder.items);
    plan.sample = sample_of(plan.items, request.sample);
    return plan;
}

bool write_plan(const fs::path& job, const BatchPlan& plan) {
    const fs::path file = job / plan_name;
    const std::string text = format_plan(plan);
    std::error_code error;
    if (fs::exists(file, error)) {
        if (io::read_bytes(file) == text) return false;
        refuse_output(job,
                      "it holds another plan; choose another name, or remove the folder to plan "
                      "anew",
                      "job");
    }
    if (fs::exists(job, error) && !(fs::is_directory(job, error) && fs::is_empty(job, error)))
        refuse_output(job, "it exists and is no job; choose another name", "job");
    write_output_file(file, text);
    return true;
}

}  // namespace plenosr
