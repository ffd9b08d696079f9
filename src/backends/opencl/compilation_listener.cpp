#include "backends/opencl/compilation_listener.h"

#include <mutex>
#include <utility>

#include "plenosr/devices.h"

namespace plenosr {
namespace {

std::mutex listener_mutex;
std::function<void()> compilation_listener;

}  // namespace

void on_kernel_compilation(std::function<void()> listener) {
    const std::lock_guard lock(listener_mutex);
    compilation_listener = std::move(listener);
}

void opencl::announce_compilation() {
    const std::lock_guard lock(listener_mutex);
    if (compilation_listener) compilation_listener();
}

}  // namespace plenosr
