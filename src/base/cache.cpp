#include "base/cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/atomic_file.h"
#include "plenosr/error.h"

namespace plenosr::cache {

namespace fs = std::filesystem;

namespace {

// A cache file holds this header, the key and the value.
struct Header {
    char magic[8] = {'P', 'L', 'E', 'N', 'O', 'S', 'R', '1'};
    std::uint64_t key_bytes = 0;
    std::uint64_t value_bytes = 0;
    std::uint64_t checksum = 0;  // hash of the key followed by the value
};

const char* environment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : nullptr;
}

// Reads through one open file, because another process may replace the file meanwhile.
std::optional<std::string> read_all(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return std::nullopt;
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << stream.rdbuf();
    if (!stream || !bytes) return std::nullopt;
    return std::move(bytes).str();
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
    return folder / fmt::format("{:016x}.bin", hash(key));
}

std::optional<std::string> load(const fs::path& folder, const std::string& key) {
    if (folder.empty()) return std::nullopt;
    const auto bytes = read_all(file_of(folder, key));
    Header header;
    if (!bytes || bytes->size() < sizeof header) return std::nullopt;
    std::memcpy(&header, bytes->data(), sizeof header);
    const std::string_view body = std::string_view(*bytes).substr(sizeof header);
    const bool whole = std::memcmp(header.magic, Header().magic, sizeof header.magic) == 0 &&
                       header.key_bytes == key.size() && header.key_bytes <= body.size() &&
                       header.value_bytes == body.size() - header.key_bytes &&
                       header.checksum == hash(body) && body.starts_with(key);
    if (!whole) return std::nullopt;
    return std::string(body.substr(key.size()));
}

void store(const fs::path& folder, const std::string& key, std::string_view value) {
    if (folder.empty()) return;
    const std::string body = key + std::string(value);
    Header header;
    header.key_bytes = key.size();
    header.value_bytes = value.size();
    header.checksum = hash(body);
    std::string bytes(sizeof header, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    try {
        write_file_atomically(file_of(folder, key), bytes + body);
    } catch (const Error&) {
        return;  // on a read-only or full disk the value is computed again at the next start
    }
}

std::string read_text(const fs::path& file) {
    return read_all(file).value_or("");
}

}  // namespace plenosr::cache
