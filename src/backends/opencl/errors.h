#pragma once

#include <string>
#include <utility>

#include "backends/opencl/cl_api.h"
#include "plenosr/error.h"

namespace plenosr::opencl {

// A kernel that was compiled for groups of `wanted` work-items, of which the device allows fewer.
class GroupTooLarge : public Error {
public:
    GroupTooLarge(const std::string& device, const std::string& kernel, std::size_t wanted,
                  std::size_t allowed);
    std::size_t allowed() const { return allowed_; }
    const std::string& reason() const { return reason_; }  // without the advice of what()

private:
    GroupTooLarge(const std::string& reason, std::size_t allowed);
    std::size_t allowed_;
    std::string reason_;
};

std::string error_name(cl_int code);  // "CL_OUT_OF_RESOURCES"

// When an error came up. A device that fails while it is waited for has died over work that it had
// accepted; the same code when memory is asked for says that there is none left.
enum class Stage { submitting, waiting };

// Throws OutOfMemory where smaller pieces of work may fit, else Error(device): one sentence with
// the device, what was tried ("running the kernel blur_rows") and the error's name.
[[noreturn]] void translate(const cl::Error& error, const std::string& device,
                            const std::string& tried, Stage stage = Stage::submitting);

// body(), whose OpenCL errors are translated; `tried` makes the words when they are needed.
template <class Body, class Tried>
auto attempt(const std::string& device, Body&& body, Tried&& tried,
             Stage stage = Stage::submitting) {
    try {
        return std::forward<Body>(body)();
    } catch (const cl::Error& error) {
        translate(error, device, tried(), stage);
    }
}

// For calls of the C interface.
inline void check(cl_int code, const char* call) {
    if (code != CL_SUCCESS) throw cl::Error(code, call);
}

}  // namespace plenosr::opencl
