#include "io/output_folder.h"

#include <fmt/format.h>

#include <system_error>

#include "base/atomic_file.h"
#include "plenosr/error.h"

namespace plenosr::io {

namespace fs = std::filesystem;

namespace {

// The folder's own path: links followed, no "." and no slash at the end.
fs::path own_path(const fs::path& target) {
    std::error_code error;
    const fs::path whole = fs::absolute(target, error);
    if (error) return target;
    fs::path path = fs::weakly_canonical(whole, error);
    if (error) path = whole.lexically_normal();
    return path.has_filename() ? path : path.parent_path();
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& target) : target_(own_path(target)) {
    if (!target_.has_filename()) cannot_write("the name of a folder is missing");
    create_folders(target_.parent_path());
    std::error_code error;
    do {
        temporary_ = temporary_sibling(target_);
    } while (!fs::create_directory(temporary_, error) && !error);
    if (error) cannot_write(error.message());
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
    fs::rename(temporary_, target_, error);  // works if nothing, or an empty folder, is there
    if (!error) return;
    const std::string reason = error.message();
    if (!fs::is_directory(target_, error)) cannot_write(reason);
    const fs::path old = temporary_sibling(target_);
    fs::rename(target_, old, error);
    if (error) cannot_write(error.message());
    fs::rename(temporary_, target_, error);
    if (error) {
        std::error_code ignored;
        fs::rename(old, target_, ignored);
        cannot_write(error.message());
    }
    fs::remove_all(old, error);
}

void OutputFolder::cannot_write(const std::string& reason) const {
    throw Error(ErrorKind::output,
                fmt::format("The folder {} cannot be written: {}.", target_.string(), reason));
}

}  // namespace plenosr::io
