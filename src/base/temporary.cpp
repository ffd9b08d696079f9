#include "base/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include "base/cancelled.h"
#include "base/file_errors.h"
#include "base/sha256.h"
#include "plenosr/outputs.h"
#include "plenosr/progress.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

// The temporaries of this process. Never destroyed: another thread may end the program meanwhile.
struct Registry {
    std::recursive_timed_mutex mutex;
    std::map<fs::path, std::vector<fs::path>> live;  // with the folders that were created for each
    std::set<fs::path> cleaned;                      // folders without stale temporaries
    bool abandoned = false;
    bool committed = false;
};

Registry& registry() {
    static auto* const all = new Registry;
    return *all;
}

// The machine since its start and, in a container, the container: where process numbers are unique.
const std::string& host() {
    static const std::string tag = [] {
        std::string boot;
        std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
        std::error_code ignored;
        const fs::path processes = fs::read_symlink("/proc/self/ns/pid", ignored);
        return sha256_text(boot + "\n" + processes.string()).substr(0, 8);
    }();
    return tag;
}

constexpr std::string_view unfinished = ".tmp-";
constexpr std::string_view moved_aside = ".old-";
constexpr std::string_view in_use = ".use-";

// File systems allow names of 255 bytes, and the target's name may already use them up.
constexpr std::size_t longest_stem = 200;

fs::path new_name(const fs::path& target, std::string_view kind) {
    static std::atomic<unsigned> count{0};
    const std::string stem = target.filename().string().substr(0, longest_stem);
    return target.parent_path() /
           fmt::format(".{}{}{}-{}-{}", stem, kind, host(), ::getpid(), count++);
}

struct ParsedName {
    std::string target;
    std::string_view kind;
    std::string host;
    pid_t process = 0;
};

// Nothing if the name is not that of a temporary.
std::optional<ParsedName> parse_name(const std::string& name) {
    ParsedName parsed;
    std::size_t mark = std::string::npos;
    for (const std::string_view kind : {unfinished, moved_aside, in_use}) {
        if (mark != std::string::npos) break;
        mark = name.rfind(kind);
        parsed.kind = kind;
    }
    if (mark == std::string::npos || mark < 2 || name[0] != '.') return std::nullopt;
    parsed.target = name.substr(1, mark - 1);
    const std::string_view rest = std::string_view(name).substr(mark + unfinished.size());
    const std::size_t first = rest.find('-');
    if (first != host().size() ||
        rest.substr(0, first).find_first_not_of("0123456789abcdef") != std::string_view::npos)
        return std::nullopt;
    parsed.host = rest.substr(0, first);
    const char* end = rest.data() + rest.size();
    const auto process = std::from_chars(rest.data() + first + 1, end, parsed.process);
    if (process.ec != std::errc() || process.ptr == end || *process.ptr != '-') return std::nullopt;
    unsigned count = 0;
    const auto last = std::from_chars(process.ptr + 1, end, count);
    if (last.ec != std::errc() || last.ptr != end || parsed.process <= 0) return std::nullopt;
    return parsed;
}

bool is_running(pid_t process) {
    if (::kill(process, 0) != 0 && errno != EPERM) return false;
    // A process that has ended but whose parent did not wait for it: "PID (NAME) Z …".
    std::string status;
    std::getline(std::ifstream(fmt::format("/proc/{}/stat", process)), status);
    const std::size_t name_end = status.rfind(") ");
    return name_end == std::string::npos || name_end + 2 >= status.size() ||
           (status[name_end + 2] != 'Z' && status[name_end + 2] != 'X');
}

// An output has its temporary name for seconds, so after this time its process has surely ended.
constexpr std::time_t oldest_seconds = 7 * 24 * 3600;

bool is_stale(const fs::path& path, const ParsedName& name, std::time_t oldest) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return false;
    if (name.host != host()) return std::time(nullptr) - status.st_mtime > oldest;
    if (name.process != ::getpid()) return !is_running(name.process);
    Registry& all = registry();  // a process with this number, before this one
    const std::unique_lock lock(all.mutex);
    return !all.live.contains(path);
}

// Another thread may still be creating files in the folder.
void remove_tree(const fs::path& path) noexcept {
    constexpr int attempts = 5;
    std::error_code error;
    for (int i = 0; i < attempts; ++i) {
        fs::remove_all(path, error);
        if (!error) return;
    }
}

void remove_with_parents(const fs::path& path, const std::vector<fs::path>& created) noexcept {
    remove_tree(path);
    std::error_code ignored;
    for (const fs::path& folder : created)  // the innermost first; folders with content stay
        fs::remove(folder, ignored);
}

// The folders that create_folders(folder) would create, the innermost first.
std::vector<fs::path> missing_folders(fs::path folder) {
    std::vector<fs::path> missing;
    std::error_code error;
    while (!folder.empty() && !fs::exists(folder, error) && folder != folder.parent_path()) {
        missing.push_back(folder);
        folder = folder.parent_path();
    }
    return missing;
}

// Calls create(path) with new names until it returns something other than EEXIST, and registers the
// path. The lock makes sure that nothing is created after abandon_outputs().
template <class Create>
fs::path registered(const fs::path& target, std::string_view kind, Create create) {
    Registry& all = registry();
    if (target.has_parent_path()) remove_stale_temporaries(target.parent_path());
    const auto lock = hold_temporaries();
    std::vector<fs::path> missing = missing_folders(target.parent_path());
    fs::path path = new_name(target, kind);
    try {
        if (target.has_parent_path()) create_folders(target.parent_path());
        while (!create(path))
            path = new_name(target, kind);
    } catch (...) {
        remove_with_parents(path, missing);
        throw;
    }
    all.live.emplace(path, std::move(missing));
    return path;
}

// Those that are at least `oldest` seconds old, if they are of another machine.
void remove_older(const fs::path& folder, std::time_t oldest,
                  const std::function<bool(const std::string& target)>& wanted) {
    std::error_code error;
    std::vector<std::pair<fs::path, ParsedName>> stale;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const auto name = parse_name(entry->path().filename().string());
        if (name && wanted(name->target) && is_stale(entry->path(), *name, oldest))
            stale.emplace_back(entry->path(), *name);
    }
    for (const auto& [path, name] : stale) {
        const fs::path target = folder / name.target;
        if (name.kind == in_use) remove_tree(target);
        if (name.kind != moved_aside || fs::exists(fs::symlink_status(target, error)))
            remove_tree(path);
        else if (name.target.size() < longest_stem)  // else the name may be cut
            fs::rename(path, target, error);
    }
}

}  // namespace

std::unique_lock<std::recursive_timed_mutex> hold_temporaries() {
    std::unique_lock lock(registry().mutex);
    if (registry().abandoned) throw Cancelled();
    return lock;
}

void note_commit() {
    const std::unique_lock lock(registry().mutex);
    registry().committed = true;
}

bool abandon_outputs() {
    Registry& all = registry();
    // Creating or renaming a file may hang, e.g. on a network: then the file is left to a later
    // run.
    constexpr std::chrono::milliseconds patience(200);
    const std::unique_lock lock(all.mutex, patience);
    if (!lock.owns_lock()) return false;
    all.abandoned = true;
    for (auto entry = all.live.rbegin(); entry != all.live.rend(); ++entry)
        remove_with_parents(entry->first, entry->second);
    return all.committed;
}

void create_folders(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) refuse_output(folder, error.message(), "folder");
}

Temporary Temporary::folder(const fs::path& target, const fs::path& shown) {
    std::error_code error;
    fs::path path = registered(target, unfinished, [&](const fs::path& name) {
        const bool created = fs::create_directory(name, error);
        if (error) refuse_output(shown, error.message(), "folder");
        return created;
    });
    return Temporary(std::move(path));
}

Temporary Temporary::file(const fs::path& target, const fs::path& shown, int& descriptor) {
    return new_file(target, shown, unfinished, descriptor);
}

Temporary Temporary::mark(const fs::path& target) {
    int descriptor = -1;
    Temporary mark = new_file(target, target, in_use, descriptor);
    ::close(descriptor);
    return mark;
}

Temporary Temporary::new_file(const fs::path& target, const fs::path& shown, std::string_view kind,
                              int& descriptor) {
    constexpr mode_t readable_and_writable = 0666;  // the umask takes bits away
    fs::path path = registered(target, kind, [&](const fs::path& name) {
        descriptor =
            ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, readable_and_writable);
        if (descriptor < 0 && errno != EEXIST)
            refuse_output(shown, std::generic_category().message(errno));
        return descriptor >= 0;
    });
    return Temporary(std::move(path));
}

void Temporary::remove() noexcept {
    if (path_.empty()) return;
    Registry& all = registry();
    std::vector<fs::path> created;
    {
        const std::unique_lock lock(all.mutex);
        if (const auto entry = all.live.find(path_); entry != all.live.end())
            created.swap(entry->second);
    }
    remove_with_parents(path_, created);
    const std::unique_lock lock(all.mutex);
    all.live.erase(path_);
    path_.clear();
}

void remove_stale_temporaries(const fs::path& folder) {
    Registry& all = registry();
    {
        const std::unique_lock lock(all.mutex);
        if (!all.cleaned.insert(folder).second) return;
    }
    remove_older(folder, oldest_seconds, [](const std::string&) { return true; });
}

void remove_temporaries_of(const fs::path& folder,
                           const std::function<bool(const std::string& target)>& wanted) {
    remove_older(folder, -oldest_seconds, wanted);  // also if the clocks of machines differ
}

fs::path moved_aside_name(const fs::path& temporary) {
    std::string name = temporary.filename().string();
    name.replace(name.rfind(unfinished), unfinished.size(), moved_aside);
    return temporary.parent_path() / name;
}

}  // namespace plenosr
