#include "base/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/atomic_file.h"
#include "base/file_errors.h"
#include "base/sha256.h"
#include "plenosr/error.h"

namespace plenosr::cache {

namespace fs = std::filesystem;

namespace {

// A cache file holds this header, the key and the value.
struct Header {
    char magic[8] = {'P', 'L', 'E', 'N', 'O', 'S', 'R', '2'};
    std::uint64_t key_bytes = 0;
    std::uint64_t value_bytes = 0;
    Sha256::Digest digest{};  // of the key followed by the value
};

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : nullptr;
}

bool is_ours(const struct stat& status) {
    return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_own_folder(const fs::path& folder) {
    struct stat status {};
    return ::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && is_ours(status);
}

// The whole file, if it is a regular file of this user in a folder of this user. All checks are
// made on the open file, because another process may replace it meanwhile.
std::optional<std::string> read_own_file(const fs::path& file, std::uint64_t longest) {
    if (!is_own_folder(file.parent_path())) return std::nullopt;
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    struct stat status {};
    std::string bytes;
    bool whole = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && is_ours(status) &&
                 std::uint64_t(status.st_size) <= longest;
    if (whole) bytes.resize(std::size_t(status.st_size));
    for (std::size_t done = 0; whole && done < bytes.size();) {
        const ssize_t count = ::read(descriptor, bytes.data() + done, bytes.size() - done);
        whole = count > 0;
        if (whole) done += std::size_t(count);
    }
    ::close(descriptor);
    if (!whole) return std::nullopt;
    return bytes;
}

// True if the folder exists then and is ours.
bool make_own_folder(const fs::path& folder) {
    constexpr mode_t for_this_user = 0700;
    if (folder.has_parent_path()) create_folders(folder.parent_path());
    ::mkdir(folder.c_str(), for_this_user);
    return is_own_folder(folder);
}

}  // namespace

fs::path folder() {
    if (const char* chosen = environment("PLENOSR_CACHE")) return chosen;
    if (const char* cache = environment("XDG_CACHE_HOME")) return fs::path(cache) / "plenosr";
    if (const char* home = environment("HOME")) return fs::path(home) / ".cache" / "plenosr";
    return {};
}

std::uint64_t hash(std::string_view bytes) {
    constexpr std::uint64_t basis = 14695981039346656037U;
    constexpr std::uint64_t prime = 1099511628211U;
    std::uint64_t h = basis;
    for (const char c : bytes)
        h = (h ^ static_cast<unsigned char>(c)) * prime;
    return h;
}

fs::path file_of(const fs::path& folder, const std::string& key) {
    return folder / (sha256_text(key).substr(0, 32) + ".bin");
}

std::optional<std::string> load(const fs::path& folder, const std::string& key,
                                std::size_t longest) {
    if (!is_own_folder(folder)) return std::nullopt;
    remove_stale_temporaries(folder);
    auto bytes = read_own_file(file_of(folder, key), sizeof(Header) + key.size() + longest);
    Header header;
    if (!bytes || bytes->size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes->data(), sizeof header);
    const std::string_view body = std::string_view(*bytes).substr(sizeof header);
    const bool whole = std::memcmp(header.magic, Header().magic, sizeof header.magic) == 0 &&
                       header.key_bytes == key.size() && header.key_bytes <= body.size() &&
                       header.value_bytes == body.size() - header.key_bytes &&
                       body.starts_with(key) && header.digest == sha256(body);
    if (!whole) return std::nullopt;
    bytes->erase(0, sizeof header + key.size());
    return bytes;
}

void store(const fs::path& folder, const std::string& key, std::string_view value) {
    if (folder.empty()) return;
    Header header;
    header.key_bytes = key.size();
    header.value_bytes = value.size();
    header.digest = Sha256().update(key).update(value).digest();
    std::string bytes(sizeof header, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    bytes += key;
    bytes += value;
    try {
        if (make_own_folder(folder))
            write_file_atomically(file_of(folder, key), bytes, FileUse::cache);
    } catch (const Error&) {
        return;  // on a read-only or full disk the value is computed again at the next start
    }
}

Temporary use_mark(const fs::path& folder, const std::string& key) {
    try {
        return Temporary::mark(file_of(folder, key));
    } catch (const Error&) {
        return {};  // on a read-only or full disk
    }
}

void write_text(const fs::path& file, std::string_view text) {
    if (!make_own_folder(file.parent_path()))
        refuse_output(file.parent_path(),
                      "it must belong to this user, and nobody else may have the right to write to "
                      "it",
                      "cache folder");
    write_file_atomically(file, text, FileUse::cache);
}

std::string read_text(const fs::path& file) {
    constexpr std::uint64_t longest = 1U << 20U;
    return read_own_file(file, longest).value_or("");
}

}  // namespace plenosr::cache
