#include "backends/opencl/errors.h"

#include <fmt/format.h>

#include "base/out_of_memory.h"

namespace plenosr::opencl {
namespace {

bool is_out_of_memory(cl_int code, Stage stage) {
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_INVALID_BUFFER_SIZE || code == CL_INVALID_IMAGE_SIZE ||
           (code == CL_OUT_OF_RESOURCES && stage == Stage::submitting);
}

bool is_lost(cl_int code) {
    return code == CL_DEVICE_NOT_AVAILABLE || code == CL_OUT_OF_RESOURCES ||
           code == CL_INVALID_COMMAND_QUEUE;
}

}  // namespace

GroupTooLarge::GroupTooLarge(const std::string& reason, std::size_t allowed)
    : Error(ErrorKind::device, reason + "; use another --device, or cpu"),
      allowed_(allowed),
      reason_(reason) {}

GroupTooLarge::GroupTooLarge(const std::string& device, const std::string& kernel,
                             std::size_t wanted, std::size_t allowed)
    : GroupTooLarge(fmt::format("{} allows {} work-items per group for the kernel {}, not {}",
                                device, allowed, kernel, wanted),
                    allowed) {}

std::string error_name(cl_int code) {
    switch (code) {
#define NAME(code) \
    case code:     \
        return #code;
        NAME(CL_DEVICE_NOT_FOUND)
        NAME(CL_DEVICE_NOT_AVAILABLE)
        NAME(CL_COMPILER_NOT_AVAILABLE)
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        NAME(CL_OUT_OF_RESOURCES)
        NAME(CL_OUT_OF_HOST_MEMORY)
        NAME(CL_PROFILING_INFO_NOT_AVAILABLE)
        NAME(CL_MEM_COPY_OVERLAP)
        NAME(CL_IMAGE_FORMAT_MISMATCH)
        NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED)
        NAME(CL_BUILD_PROGRAM_FAILURE)
        NAME(CL_MAP_FAILURE)
        NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        NAME(CL_COMPILE_PROGRAM_FAILURE)
        NAME(CL_LINKER_NOT_AVAILABLE)
        NAME(CL_LINK_PROGRAM_FAILURE)
        NAME(CL_DEVICE_PARTITION_FAILED)
        NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)
        NAME(CL_INVALID_VALUE)
        NAME(CL_INVALID_DEVICE_TYPE)
        NAME(CL_INVALID_PLATFORM)
        NAME(CL_INVALID_DEVICE)
        NAME(CL_INVALID_CONTEXT)
        NAME(CL_INVALID_QUEUE_PROPERTIES)
        NAME(CL_INVALID_COMMAND_QUEUE)
        NAME(CL_INVALID_HOST_PTR)
        NAME(CL_INVALID_MEM_OBJECT)
        NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)
        NAME(CL_INVALID_IMAGE_SIZE)
        NAME(CL_INVALID_SAMPLER)
        NAME(CL_INVALID_BINARY)
        NAME(CL_INVALID_BUILD_OPTIONS)
        NAME(CL_INVALID_PROGRAM)
        NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        NAME(CL_INVALID_KERNEL_NAME)
        NAME(CL_INVALID_KERNEL_DEFINITION)
        NAME(CL_INVALID_KERNEL)
        NAME(CL_INVALID_ARG_INDEX)
        NAME(CL_INVALID_ARG_VALUE)
        NAME(CL_INVALID_ARG_SIZE)
        NAME(CL_INVALID_KERNEL_ARGS)
        NAME(CL_INVALID_WORK_DIMENSION)
        NAME(CL_INVALID_WORK_GROUP_SIZE)
        NAME(CL_INVALID_WORK_ITEM_SIZE)
        NAME(CL_INVALID_GLOBAL_OFFSET)
        NAME(CL_INVALID_EVENT_WAIT_LIST)
        NAME(CL_INVALID_EVENT)
        NAME(CL_INVALID_OPERATION)
        NAME(CL_INVALID_GL_OBJECT)
        NAME(CL_INVALID_BUFFER_SIZE)
        NAME(CL_INVALID_MIP_LEVEL)
        NAME(CL_INVALID_GLOBAL_WORK_SIZE)
        NAME(CL_INVALID_PROPERTY)
        NAME(CL_INVALID_IMAGE_DESCRIPTOR)
        NAME(CL_INVALID_COMPILER_OPTIONS)
        NAME(CL_INVALID_LINKER_OPTIONS)
        NAME(CL_INVALID_DEVICE_PARTITION_COUNT)
#undef NAME
        case -1001:
            return "CL_PLATFORM_NOT_FOUND_KHR";
        default:
            return fmt::format("OpenCL error {}", code);
    }
}

void translate(const cl::Error& error, const std::string& device, const std::string& tried,
               Stage stage) {
    const std::string name = error_name(error.err());
    if (is_out_of_memory(error.err(), stage))
        throw OutOfMemory(
            fmt::format("{} has not enough memory: {} failed with {}", device, tried, name));
    if (is_lost(error.err()))
        throw Error(ErrorKind::device,
                    fmt::format("{} was lost: {} failed with {}; use another --device, or cpu",
                                device, tried, name));
    throw Error(ErrorKind::device,
                fmt::format("{} failed: {} returned {} ({})", device, tried, name, error.what()));
}

}  // namespace plenosr::opencl
