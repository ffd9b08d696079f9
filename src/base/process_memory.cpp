#include "base/process_memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>

#include "base/byte_count.h"

namespace plenosr {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t mebibyte = std::uint64_t(1) << 20U;
constexpr std::uint64_t memory_if_unknown = 8192 * mebibyte;
// Measured, for two threads: the program and its 260 libraries map 500 MiB before main() begins and
// use 41 MiB of memory. With a lower limit of addresses the libraries themselves abort.
constexpr std::uint64_t addresses_without_memory = 512 * mebibyte;
constexpr std::uint64_t program_bytes = 48 * mebibyte;
constexpr double usable_share = 0.9;  // allocators and decoders need the rest

std::uint64_t machine_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && page_bytes > 0 ? std::uint64_t(pages) * std::uint64_t(page_bytes)
                                       : memory_if_unknown;
}

// "max" and everything else that is not a number means no limit.
std::uint64_t limit_in(const fs::path& file) {
    std::ifstream stream(file);
    std::string text;
    if (!(stream >> text)) return no_limit;
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? value : no_limit;
}

// The least limit of the group and of all groups above it. In a container the path may be one of
// the host, of which only the last folders, or none, are visible: folders that are missing have no
// limit, and the hierarchy's root is always asked.
std::uint64_t least_limit(const fs::path& hierarchy, const std::string& group, const char* name) {
    std::uint64_t least = limit_in(hierarchy / name);
    fs::path folder = hierarchy;
    for (const fs::path& part : fs::path(group).relative_path()) {
        if (part == "..") break;  // outside of the namespace
        folder /= part;
        least = std::min(least, limit_in(folder / name));
    }
    return least;
}

// Whether the comma-separated list contains the word.
bool has_controller(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::uint64_t environment_memory() {
    const char* text = std::getenv("PLENOSR_MEMORY");
    return text == nullptr || *text == '\0' ? no_limit : parse_bytes("PLENOSR_MEMORY", text);
}

}  // namespace

// Lines of proc/self/cgroup are "number:controllers:group"; v2 has no controllers.
std::uint64_t control_group_memory(const fs::path& root) {
    const fs::path mounted = root / "sys/fs/cgroup";
    std::uint64_t least = no_limit;
    std::ifstream stream(root / "proc/self/cgroup");
    for (std::string line; std::getline(stream, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string group = line.substr(second + 1);
        if (controllers.empty()) {
            // Beside v1 hierarchies, v2 is mounted one folder further down.
            for (const fs::path& hierarchy : {mounted, mounted / "unified"})
                least = std::min(least, least_limit(hierarchy, group, "memory.max"));
        } else if (has_controller(controllers, "memory")) {
            least =
                std::min(least, least_limit(mounted / "memory", group, "memory.limit_in_bytes"));
        }
    }
    return least;
}

std::uint64_t address_space_memory(std::uint64_t limit) {
    if (limit == no_limit) return no_limit;
    return limit > addresses_without_memory ? limit - addresses_without_memory : 0;
}

std::uint64_t process_memory() {
    static const std::uint64_t unchanging = std::min(machine_memory(), control_group_memory("/"));
    rlimit addresses{};
    const bool limited =
        getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
    return std::min({unchanging, environment_memory(),
                     address_space_memory(limited ? std::uint64_t(addresses.rlim_cur) : no_limit)});
}

std::uint64_t memory_for_work(std::uint64_t held) {
    const auto usable = std::uint64_t(usable_share * double(process_memory()));
    const std::uint64_t kept = program_bytes + std::min(held, usable);
    return usable > kept ? usable - kept : 0;
}

std::string memory_words(std::uint64_t held) {
    return fmt::format("the images {}, and this process may use {} bytes, {} of them for both",
                       held, process_memory(), memory_for_work(0));
}

}  // namespace plenosr
