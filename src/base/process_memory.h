#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace plenosr {

// The most memory that this process may use, in bytes: the least of
//   - the machine's memory,
//   - the limits of the process's control groups, v1 and v2, and of the groups above them,
//   - RLIMIT_AS, less the addresses that code, stacks and heaps take without using memory,
//   - PLENOSR_MEMORY of the environment.
// It never depends on what is free or resident at the moment: tiles, and so the bits of a result,
// follow from it.
std::uint64_t process_memory();

// What of it remains for work if images of `held` bytes are held beside it; 0: nothing. A part is
// kept back for code, stacks and buffers of libraries.
std::uint64_t memory_for_work(std::uint64_t held);

// "the images 1000, and this process may use 3000 bytes": the end of a message about memory.
std::string memory_words(std::uint64_t held);

// The parts of process_memory(), for tests. `root` is the folder that contains proc and sys. The
// largest number means no limit.
std::uint64_t control_group_memory(const std::filesystem::path& root);
std::uint64_t address_space_memory(std::uint64_t limit);

}  // namespace plenosr
