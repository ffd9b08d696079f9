#include "backends/opencl/profiler.h"

#include <algorithm>

namespace plenosr::opencl {
namespace {

constexpr std::size_t batch = 1024;  // pending events before they are evaluated; by reasoning
constexpr double nanosecond = 1e-9;

}  // namespace

cl_event* Profiler::next(const std::string& name, std::size_t bytes) {
    if (!on_) return nullptr;
    if (pending_.size() >= batch) collect(pending_.size() >= 8 * batch);
    auto entry = std::find_if(entries_.begin(), entries_.end(),
                              [&](const KernelProfile& e) { return e.name == name; });
    if (entry == entries_.end()) entry = entries_.insert(entry, KernelProfile{name, 0, 0, 0});
    ++entry->launches;
    entry->bytes += double(bytes);
    pending_.push_back({std::size_t(entry - entries_.begin()), cl::Event()});
    return &pending_.back().event();
}

void Profiler::collect(bool wait) {
    while (!pending_.empty()) {
        const auto& [entry, event] = pending_.front();
        if (event() != nullptr) {  // null: the command failed
            if (wait)
                event.wait();
            else if (event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() != CL_COMPLETE)
                return;  // the queue is in order: later ones have not finished either
            entries_[entry].seconds +=
                nanosecond * double(event.getProfilingInfo<CL_PROFILING_COMMAND_END>() -
                                    event.getProfilingInfo<CL_PROFILING_COMMAND_START>());
        }
        pending_.pop_front();
    }
}

std::vector<KernelProfile> Profiler::kernels() {
    collect(true);
    std::vector<KernelProfile> sorted = entries_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return sorted;
}

}  // namespace plenosr::opencl
