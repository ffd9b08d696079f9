#pragma once

#include <string>
#include <utility>

#include "backends/opencl/cl_api.h"
#include "plenosr/error.h"

namespace plenosr::opencl {

// A kernel was compiled for groups of `wanted` work-items, but the device allows fewer.
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

// When an error occurred. CL_OUT_OF_RESOURCES means too little memory while commands are submitted,
// and a lost device while it is waited for.
enum class Stage { submitting, waiting };

// Throws OutOfMemory if smaller tiles may fit, otherwise Error(device): one sentence with the
// device, what was tried ("running the kernel blur_rows") and the error's name.
[[noreturn]] void translate(const cl::Error& error, const std::string& device,
                            const std::string& tried, Stage stage = Stage::submitting);

// Runs body() and translates its OpenCL errors; tried() describes what was tried.
template <class Body, class Tried>
auto attempt(const std::string& device, Body&& body, Tried&& tried,
             Stage stage = Stage::submitting) {
    try {
        return std::forward<Body>(body)();
    } catch (const cl::Error& error) {
        translate(error, device, tried(), stage);
    }
}

// Throws for a failed call of the C interface.
inline void check(cl_int code, const char* call) {
    if (code != CL_SUCCESS) throw cl::Error(code, call);
}

}  // namespace plenosr::opencl
