#include "io/memory_limit.h"

#include <fmt/format.h>

#include "base/file_errors.h"
#include "base/process_memory.h"

namespace plenosr::io {

std::uint64_t memory_limit(std::uint64_t given) {
    return given > 0 ? given : memory_for_work(0);
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
