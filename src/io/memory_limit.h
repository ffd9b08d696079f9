#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr::io {

// `given` if it is above 0, else what this process may use for images, in bytes.
std::uint64_t memory_limit(std::uint64_t given);

// Error(input) if `what` of the file would take more bytes than the limit.
void require_memory(const std::filesystem::path& file, const std::string& what, double bytes,
                    std::uint64_t limit);

}  // namespace plenosr::io
