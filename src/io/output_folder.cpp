#include "io/output_folder.h"

#include <system_error>

#include "base/atomic_file.h"
#include "base/file_errors.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

constexpr const char* kind = "folder";

// The absolute path with links resolved, without "." and without a slash at the end.
fs::path resolved_path(const fs::path& target) {
    std::error_code error;
    const fs::path whole = fs::absolute(target, error);
    if (error) return target;
    fs::path path = fs::weakly_canonical(whole, error);
    if (error) path = whole.lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& target) : target_(resolved_path(target)) {
    if (!target_.has_filename()) refuse_output(target, "the folder name is missing", kind);
    create_folders(target_.parent_path());
    std::error_code error;
    do {
        temporary_ = temporary_sibling(target_);
    } while (!fs::create_directory(temporary_, error) && !error);
    if (error) refuse_output(target_, error.message(), kind);
}

OutputFolder::~OutputFolder() {
    std::error_code ignored;
    fs::remove_all(temporary_, ignored);
}

void OutputFolder::write(const std::string& name, std::string_view bytes) const {
    write_new_file(temporary_ / name, bytes, target_ / name);
}

void OutputFolder::commit() {
    std::error_code error;
    fs::rename(temporary_, target_, error);  // works if the target is missing or an empty folder
    if (!error) return;
    const std::string reason = error.message();
    if (!fs::is_directory(target_, error)) refuse_output(target_, reason, kind);
    const fs::path old = temporary_sibling(target_);
    fs::rename(target_, old, error);
    if (error) refuse_output(target_, error.message(), kind);
    fs::rename(temporary_, target_, error);
    if (error) {
        std::error_code ignored;
        fs::rename(old, target_, ignored);
        refuse_output(target_, error.message(), kind);
    }
    fs::remove_all(old, error);
}

}  // namespace plenosr::io
