#include "plenosr/peak_memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

namespace plenosr {
namespace {

// A line of /proc/self/status, such as "VmHWM:", in bytes; 0 if there is none.
std::size_t status_bytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        std::size_t kibibytes = 0;
        if (word == name && status >> kibibytes) return kibibytes * 1024;
    }
    return 0;
}

}  // namespace

std::size_t peak_memory_bytes() {
    if (const std::size_t bytes = status_bytes("VmHWM:"); bytes > 0) return bytes;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::size_t(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

void restart_peak_memory() {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // see proc(5); if it fails, the old peak stays
}

}  // namespace plenosr
