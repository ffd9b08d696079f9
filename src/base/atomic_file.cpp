#include "base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
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

// Returns 0, or the errno of the first failure. Always closes the file.
int write_and_close(int file, std::string_view bytes) {
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
    if (::close(file) != 0 && error == 0 && errno != EINTR) error = errno;
    return error;
}

void write_to_existing_device(const fs::path& file, std::string_view bytes) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) refuse_output(file, reason_of(errno));
    if (const int error = write_and_close(descriptor, bytes)) refuse_output(file, reason_of(error));
}

}  // namespace

void create_folders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) refuse_output(folder, error.message(), "folder");
}

fs::path temporary_sibling(const fs::path& path) {
    static std::atomic<unsigned> count{0};
    // File systems allow names of 255 bytes, and the target's name may already use them up.
    constexpr std::size_t longest_stem = 200;
    const std::string stem = path.filename().string().substr(0, longest_stem);
    return path.parent_path() / fmt::format(".{}.tmp-{}-{}", stem, ::getpid(), count++);
}

void write_new_file(const fs::path& file, std::string_view bytes, const fs::path& shown) {
    constexpr mode_t readable_and_writable = 0666;  // the umask takes bits away
    const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_and_writable);
    if (descriptor < 0) refuse_output(shown, reason_of(errno));
    if (const int error = write_and_close(descriptor, bytes)) {
        ::unlink(file.c_str());
        refuse_output(shown, reason_of(error));
    }
}

void write_file_atomically(const fs::path& file, std::string_view bytes) {
    if (file.filename().empty()) refuse_output(file, "the file name is missing");
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status)) refuse_output(file, "it is a folder");
    fs::path target = file;
    if (fs::is_regular_file(status)) {
        if (::access(file.c_str(), W_OK) != 0) refuse_output(file, reason_of(errno));
        // Replace the file that a symbolic link points to, not the link.
        target = fs::canonical(file, error);
        if (error) refuse_output(file, error.message());
    } else if (fs::exists(status)) {
        return write_to_existing_device(file, bytes);
    } else if (file.has_parent_path()) {
        create_folders(file.parent_path());
    }

    fs::path temporary = temporary_sibling(target);
    while (fs::exists(temporary, error))
        temporary = temporary_sibling(target);
    write_new_file(temporary, bytes, file);
    if (fs::is_regular_file(status)) fs::permissions(temporary, status.permissions(), error);
    fs::rename(temporary, target, error);
    if (error) {
        ::unlink(temporary.c_str());
        refuse_output(file, error.message());
    }
}

}  // namespace plenosr
