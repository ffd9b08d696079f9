#include "io/memory_limit.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/file_errors.h"

namespace plenosr::io {

std::uint64_t memory_limit(std::uint64_t given) {
    if (given > 0) return given;
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGE_SIZE);
    constexpr std::uint64_t if_unknown = std::uint64_t{8} << 30U;
    return pages > 0 && page_bytes > 0 ? std::uint64_t(pages) * std::uint64_t(page_bytes)
                                       : if_unknown;
}

void require_memory(const std::filesystem::path& file, const std::string& what, double bytes,
                    std::uint64_t limit) {
    if (bytes <= double(limit)) return;
    constexpr double giga = 1e9;
    refuse_file(file,
                fmt::format("{} would take {:.3g} GB of memory, but the limit is {:.3g} GB; choose "
                            "fewer views (--views) or smaller ones",
                            what, bytes / giga, double(limit) / giga));
}

}  // namespace plenosr::io
