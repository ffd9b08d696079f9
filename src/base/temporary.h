#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace plenosr {

// A file or folder that is prepared under a hidden name beside its target,
// `.<name>.tmp-<host>-<process>-<count>`. The destructor removes what has this name then, and
// folders that were created for it and are empty. abandon_outputs() does the same.
class Temporary {
public:
    Temporary() = default;
    ~Temporary() { remove(); }
    Temporary(Temporary&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    Temporary& operator=(Temporary&& other) noexcept {
        std::swap(path_, other.path_);
        return *this;
    }

    // Both create the missing parents of `target` and remove what killed processes left there.
    // Error(output) names `shown`, the path that the user knows. Cancelled after abandon_outputs().
    static Temporary folder(const std::filesystem::path& target,
                            const std::filesystem::path& shown);
    // `descriptor` becomes that of the new file, open for writing.
    static Temporary file(const std::filesystem::path& target, const std::filesystem::path& shown,
                          int& descriptor);

    // An empty file `.<name>.use-…` while this process does something with the file `target` that
    // it may not survive. If it does not, remove_stale_temporaries() removes the target.
    static Temporary mark(const std::filesystem::path& target);

    const std::filesystem::path& path() const { return path_; }

private:
    static Temporary new_file(const std::filesystem::path& target,
                              const std::filesystem::path& shown, std::string_view kind,
                              int& descriptor);
    void remove() noexcept;
    explicit Temporary(std::filesystem::path path) : path_(std::move(path)) {}

    std::filesystem::path path_;
};

// While it is held, nothing is abandoned. Throws Cancelled after abandon_outputs().
std::unique_lock<std::recursive_timed_mutex> hold_temporaries();
void note_commit();  // abandon_outputs() reports it

// Creates the folder and its missing parents. Error(output) names `folder`.
void create_folders(const std::filesystem::path& folder);

// Removes the temporary files and folders in `folder` whose process has ended: on this machine at
// once, others after a week. Those of other users are left alone. A folder that was moved aside is
// moved back if its successor is missing. A file that a process did not survive is removed. Each
// process looks into a folder once.
void remove_stale_temporaries(const std::filesystem::path& folder);

// Removes those of this user whose target has a wanted name, whatever their age or machine, except
// those of running processes of this machine: when nothing of these names is left to be written.
void remove_temporaries_of(const std::filesystem::path& folder,
                           const std::function<bool(const std::string& target)>& wanted);

// Part of a temporary name: `.<name>.old-…` for a folder that was moved aside.
std::filesystem::path moved_aside_name(const std::filesystem::path& temporary);

}  // namespace plenosr
