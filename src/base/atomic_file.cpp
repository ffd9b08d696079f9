#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "base/file_errors.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

std::string reason_of(int error) {
    return std::generic_category().message(error);
}

// A write beyond the file-size limit raises SIGXFSZ, which ends the process by default. While the
// signal is blocked, write() reports EFBIG like any other failure.
class BlockFileSizeSignal {
public:
    BlockFileSizeSignal() {
        sigset_t pending;
        sigemptyset(&set_);
        sigaddset(&set_, SIGXFSZ);
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &set_, &old_);
    }
    ~BlockFileSizeSignal() {
        const timespec now{0, 0};
        if (!was_pending_) sigtimedwait(&set_, nullptr, &now);
        pthread_sigmask(SIG_SETMASK, &old_, nullptr);
    }
    BlockFileSizeSignal(const BlockFileSizeSignal&) = delete;
    BlockFileSizeSignal& operator=(const BlockFileSizeSignal&) = delete;

private:
    sigset_t set_;
    sigset_t old_;
    bool was_pending_ = false;
};

// For the result of fsync() or syncfs().
int sync_error(int result) {
    const bool unsupported = errno == EINVAL || errno == EROFS || errno == ENOTSUP;
    return result == 0 || unsupported ? 0 : errno;
}

enum class Sync { none, file };

// Returns 0, or the errno of the first failure. Always closes the file.
int write_and_close(int file, std::string_view bytes, Sync sync) {
    const BlockFileSizeSignal block;
    int error = 0;
    while (!bytes.empty() && error == 0) {
        const ssize_t written = ::write(file, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(std::size_t(written));
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (error == 0 && sync == Sync::file) error = sync_error(::fsync(file));
    if (::close(file) != 0 && error == 0 && errno != EINTR) error = errno;
    return error;
}

template <class SyncCall>
int with_folder(const fs::path& folder, SyncCall sync) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    const int error = sync_error(sync(descriptor));
    ::close(descriptor);
    return error;
}

}  // namespace

fs::path resolved_target(const fs::path& path, std::string_view kind) {
    std::error_code error;
    fs::path whole = fs::absolute(path, error).lexically_normal();
    if (error) whole = path;
    if (!whole.has_filename()) whole = whole.parent_path();
    if (fs::is_symlink(fs::symlink_status(whole, error)) && !fs::exists(whole, error))
        refuse_output(path,
                      fmt::format("it is a symbolic link to {}, which does not exist; create that "
                                  "or remove the link",
                                  fs::read_symlink(whole, error).string()),
                      kind);
    const fs::path resolved = fs::weakly_canonical(whole, error);
    return error ? whole : resolved;
}

PendingFile::PendingFile(const fs::path& file, std::string_view bytes, FileUse use) : shown_(file) {
    if (file.filename().empty()) refuse_output(file, "the file name is missing");
    if (is_standard_output(file)) {
        device_ = true;
        target_ = file;
        bytes_ = bytes;
        return;
    }
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) refuse_output(file, "it is a folder");
    target_ = resolved_target(file);  // the file that a symbolic link points to is replaced
    const bool replaces = fs::is_regular_file(status);
    if (replaces && ::access(file.c_str(), W_OK) != 0) refuse_output(file, reason_of(errno));
    device_ = fs::exists(status) && !replaces;
    if (device_) {
        bytes_ = bytes;
        return;
    }
    int descriptor = -1;
    temporary_ = Temporary::file(target_, file, descriptor);
    const Sync sync = use == FileUse::output ? Sync::file : Sync::none;
    if (const int failure = write_and_close(descriptor, bytes, sync))
        refuse_output(file, reason_of(failure));
    if (use == FileUse::cache)
        fs::permissions(temporary_.path(), fs::perms::owner_read | fs::perms::owner_write, error);
    else if (replaces)
        fs::permissions(temporary_.path(), status.permissions(), error);
}

void PendingFile::write_to_device() const {
    if (!device_) return;
    // Not /dev/stdout, which would open and replace a file that standard output is redirected to.
    const int descriptor = is_standard_output(shown_)
                               ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                               : ::open(shown_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) refuse_output(shown_, reason_of(errno));
    if (const int error = write_and_close(descriptor, bytes_, Sync::none))
        refuse_output(shown_, reason_of(error));
}

void PendingFile::rename() const {
    if (device_) return;
    if (::rename(temporary_.path().c_str(), target_.c_str()) != 0)
        refuse_output(shown_, reason_of(errno));
}

void write_new_file(const fs::path& file, std::string_view bytes, const fs::path& shown) {
    constexpr mode_t readable_and_writable = 0666;  // the umask takes bits away
    const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_and_writable);
    if (descriptor < 0) refuse_output(shown, reason_of(errno));
    if (const int error = write_and_close(descriptor, bytes, Sync::none)) {
        ::unlink(file.c_str());
        refuse_output(shown, reason_of(error));
    }
}

void write_file_atomically(const fs::path& file, std::string_view bytes, FileUse use) {
    const PendingFile pending(file, bytes, use);
    pending.write_to_device();
    const auto lock = hold_temporaries();
    pending.rename();
}

int sync_folder(const fs::path& folder) {
    return with_folder(folder, ::fsync);
}

int sync_content(const fs::path& folder) {
    return with_folder(folder, ::syncfs);
}

}  // namespace plenosr
