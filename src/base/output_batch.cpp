#include "base/output_batch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>

#include <cerrno>
#include <deque>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "base/atomic_file.h"
#include "base/file_errors.h"
#include "plenosr/error.h"
#include "plenosr/outputs.h"

namespace plenosr {

namespace fs = std::filesystem;

struct OutputBatch::Content {
    struct Folder {
        Temporary temporary;
        fs::path target;
    };
    std::deque<PendingFile> files;
    std::deque<Folder> folders;
    std::set<fs::path> targets;

    ~Content() { clear(); }
    // In reverse, so that a folder that was created for an output is empty when it is removed.
    void clear() {
        while (!files.empty())
            files.pop_back();
        while (!folders.empty())
            folders.pop_back();
        targets.clear();
    }
    void claim(const fs::path& target) {
        if (!targets.insert(target).second)
            refuse_output(target, "it is the target of two outputs; choose two names", "output");
    }
};

namespace {

thread_local OutputBatch* current = nullptr;

[[noreturn]] void refuse_folder(const fs::path& folder, int error) {
    refuse_output(folder, std::generic_category().message(error), "folder");
}

}  // namespace

OutputBatch::OutputBatch()
    : content_(std::make_unique<Content>()), outer_(std::exchange(current, this)) {}

OutputBatch::~OutputBatch() {
    current = outer_;
}

void OutputBatch::commit() {
    for (const PendingFile& file : content_->files)
        file.write_to_device();
    std::set<fs::path> parents;
    {
        const auto lock = hold_temporaries();
        for (const Content::Folder& folder : content_->folders)
            replace_folder(folder.temporary.path(), folder.target);
        for (const PendingFile& file : content_->files)
            file.rename();
        note_commit();
    }
    for (const fs::path& target : content_->targets)
        parents.insert(target.parent_path());
    content_->clear();  // removes the folders that were replaced
    for (const fs::path& parent : parents)
        sync_folder(parent);  // the outputs exist; if this fails, only a power failure may undo it
}

void require_distinct_outputs(const std::vector<fs::path>& outputs) {
    std::map<fs::path, fs::path> targets;  // as resolved, and as given
    for (const fs::path& output : outputs) {
        if (output.empty()) continue;
        const auto [other, is_new] = targets.emplace(resolved_target(output), output);
        if (!is_new)
            throw Error(ErrorKind::output,
                        fmt::format("The outputs {} and {} are the same; choose two names.",
                                    other->second.string(), output.string()));
    }
    for (const auto& [target, output] : targets) {
        for (fs::path above = target; above.has_relative_path();) {
            above = above.parent_path();
            const auto outer = targets.find(above);
            if (outer == targets.end()) continue;
            throw Error(ErrorKind::output,
                        fmt::format("The output {} lies within the output {}, which is written as "
                                    "a whole; choose a name outside.",
                                    output.string(), outer->second.string()));
        }
    }
}

void write_output_file(const fs::path& file, std::string_view bytes) {
    if (current == nullptr) {
        OutputBatch alone;
        write_output_file(file, bytes);
        return alone.commit();
    }
    OutputBatch::Content& content = current->content();
    PendingFile pending(file, bytes, FileUse::output);
    content.claim(pending.target());
    content.files.push_back(std::move(pending));
}

void commit_output_folder(Temporary temporary, const fs::path& target) {
    if (const int error = sync_content(temporary.path())) refuse_folder(target, error);
    if (current == nullptr) {
        OutputBatch alone;
        commit_output_folder(std::move(temporary), target);
        return alone.commit();
    }
    OutputBatch::Content& content = current->content();
    content.claim(target);
    content.folders.push_back({std::move(temporary), target});
}

void replace_folder(const fs::path& temporary, const fs::path& target, FolderExchange exchange) {
    // Works if the target is missing or an empty folder.
    if (::rename(temporary.c_str(), target.c_str()) == 0) return;
    if (errno != ENOTEMPTY && errno != EEXIST) refuse_folder(target, errno);
    if (exchange == FolderExchange::if_supported) {
        if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) ==
            0)
            return;
        if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP) refuse_folder(target, errno);
    }
    const fs::path old = moved_aside_name(temporary);
    if (::rename(target.c_str(), old.c_str()) != 0) refuse_folder(target, errno);
    if (::rename(temporary.c_str(), target.c_str()) != 0) {
        const int error = errno;
        std::error_code ignored;
        fs::rename(old, target, ignored);
        refuse_folder(target, error);
    }
    std::error_code ignored;
    fs::remove_all(old, ignored);
}

}  // namespace plenosr
