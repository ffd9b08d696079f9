#include "io/output_folder.h"

#include "base/atomic_file.h"
#include "base/file_errors.h"
#include "base/output_batch.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "folder";

}  // namespace

OutputFolder::OutputFolder(const fs::path& target) : target_(resolved_target(target, kind)) {
    if (!target_.has_filename()) refuse_output(target, "the folder name is missing", kind);
    temporary_ = Temporary::folder(target_, target_);
}

void OutputFolder::write(const std::string& name, std::string_view bytes) const {
    write_new_file(temporary_.path() / name, bytes, target_ / name);
}

void OutputFolder::commit() {
    commit_output_folder(std::move(temporary_), target_);
}

}  // namespace plenosr::io
