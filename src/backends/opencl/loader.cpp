// The functions of OpenCL that the C++ bindings call, loaded when they are first used, so that the
// program runs on the CPU on machines without OpenCL. Each takes its signature from CL/cl.h. The
// library is $PLENOSR_OPENCL_LIBRARY if that is set, otherwise one that is already in the process
// (linked, or preloaded by a checker), otherwise the ICD loader libOpenCL.so.1.

#include <dlfcn.h>

#include <cstdlib>
#include <tuple>
#include <type_traits>

// Hidden, so that they do not clash with OpenCL functions that a user's program links.
#pragma GCC visibility push(hidden)

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>  // CL_PLATFORM_NOT_FOUND_KHR

#pragma GCC visibility pop
#include "backends/opencl/platforms.h"

namespace {

struct Library {
    bool found = false;
    void* handle = nullptr;
};

Library find_library() {
    if (const char* chosen = std::getenv("PLENOSR_OPENCL_LIBRARY")) {
        void* handle = dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
        return {handle != nullptr, handle};
    }
    if (dlsym(RTLD_DEFAULT, "clGetPlatformIDs") != nullptr) return {true, RTLD_DEFAULT};
    void* handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return {handle != nullptr, handle};
}

void* symbol(const char* name) {
    static const Library library = find_library();
    return library.found ? dlsym(library.handle, name) : nullptr;
}

template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R(A...)> {
    using Result = R;
    template <std::size_t i>
    using Argument = std::tuple_element_t<i, std::tuple<A...>>;

    static R call(void* function, A... arguments) {
        if (function != nullptr) return reinterpret_cast<R (*)(A...)>(function)(arguments...);
        if constexpr (std::is_pointer_v<R>) {
            const auto last = std::get<sizeof...(A) - 1>(std::tuple<A...>(arguments...));
            if constexpr (std::is_same_v<decltype(last), cl_int* const>)
                if (last != nullptr) *last = CL_PLATFORM_NOT_FOUND_KHR;
            return nullptr;
        } else {
            return CL_PLATFORM_NOT_FOUND_KHR;
        }
    }
};

}  // namespace

namespace plenosr::opencl {

bool has_loader() {
    return symbol("clGetPlatformIDs") != nullptr;
}

}  // namespace plenosr::opencl

#define PARAMETER(f, i) Signature<decltype(f)>::Argument<i> a##i
#define PARAMETERS_1(f) PARAMETER(f, 0)
#define PARAMETERS_2(f) PARAMETERS_1(f), PARAMETER(f, 1)
#define PARAMETERS_3(f) PARAMETERS_2(f), PARAMETER(f, 2)
#define PARAMETERS_4(f) PARAMETERS_3(f), PARAMETER(f, 3)
#define PARAMETERS_5(f) PARAMETERS_4(f), PARAMETER(f, 4)
#define PARAMETERS_6(f) PARAMETERS_5(f), PARAMETER(f, 5)
#define PARAMETERS_7(f) PARAMETERS_6(f), PARAMETER(f, 6)
#define PARAMETERS_8(f) PARAMETERS_7(f), PARAMETER(f, 7)
#define PARAMETERS_9(f) PARAMETERS_8(f), PARAMETER(f, 8)
#define PARAMETERS_10(f) PARAMETERS_9(f), PARAMETER(f, 9)
#define PARAMETERS_11(f) PARAMETERS_10(f), PARAMETER(f, 10)
#define PARAMETERS_12(f) PARAMETERS_11(f), PARAMETER(f, 11)
#define PARAMETERS_13(f) PARAMETERS_12(f), PARAMETER(f, 12)
#define PARAMETERS_14(f) PARAMETERS_13(f), PARAMETER(f, 13)
#define ARGUMENTS_1 a0
#define ARGUMENTS_2 ARGUMENTS_1, a1
#define ARGUMENTS_3 ARGUMENTS_2, a2
#define ARGUMENTS_4 ARGUMENTS_3, a3
#define ARGUMENTS_5 ARGUMENTS_4, a4
#define ARGUMENTS_6 ARGUMENTS_5, a5
#define ARGUMENTS_7 ARGUMENTS_6, a6
#define ARGUMENTS_8 ARGUMENTS_7, a7
#define ARGUMENTS_9 ARGUMENTS_8, a8
#define ARGUMENTS_10 ARGUMENTS_9, a9
#define ARGUMENTS_11 ARGUMENTS_10, a10
#define ARGUMENTS_12 ARGUMENTS_11, a11
#define ARGUMENTS_13 ARGUMENTS_12, a12
#define ARGUMENTS_14 ARGUMENTS_13, a13

// The function `f` of `n` arguments.
#define FORWARD(f, n)                                                \
    extern "C" Signature<decltype(f)>::Result f(PARAMETERS_##n(f)) { \
        static void* const found = symbol(#f);                       \
        return Signature<decltype(f)>::call(found, ARGUMENTS_##n);   \
    }

FORWARD(clGetPlatformIDs, 3)
FORWARD(clGetPlatformInfo, 5)
FORWARD(clGetDeviceIDs, 5)
FORWARD(clGetDeviceInfo, 5)
FORWARD(clRetainDevice, 1)
FORWARD(clReleaseDevice, 1)

FORWARD(clCreateContext, 6)
FORWARD(clRetainContext, 1)
FORWARD(clReleaseContext, 1)
FORWARD(clGetContextInfo, 5)

FORWARD(clCreateCommandQueue, 4)
FORWARD(clRetainCommandQueue, 1)
FORWARD(clReleaseCommandQueue, 1)
FORWARD(clGetCommandQueueInfo, 5)
FORWARD(clFlush, 1)
FORWARD(clFinish, 1)

FORWARD(clCreateBuffer, 5)
FORWARD(clCreateSubBuffer, 5)
FORWARD(clCreateImage, 6)
FORWARD(clGetSupportedImageFormats, 6)
FORWARD(clRetainMemObject, 1)
FORWARD(clReleaseMemObject, 1)
FORWARD(clGetMemObjectInfo, 5)
FORWARD(clGetImageInfo, 5)

FORWARD(clCreateSampler, 5)
FORWARD(clRetainSampler, 1)
FORWARD(clReleaseSampler, 1)

FORWARD(clCreateProgramWithSource, 5)
FORWARD(clCreateProgramWithBinary, 7)
FORWARD(clRetainProgram, 1)
FORWARD(clReleaseProgram, 1)
FORWARD(clBuildProgram, 6)
FORWARD(clGetProgramInfo, 5)
FORWARD(clGetProgramBuildInfo, 6)

FORWARD(clCreateKernel, 3)
FORWARD(clCreateKernelsInProgram, 4)
FORWARD(clRetainKernel, 1)
FORWARD(clReleaseKernel, 1)
FORWARD(clSetKernelArg, 4)
FORWARD(clGetKernelInfo, 5)
FORWARD(clGetKernelWorkGroupInfo, 6)

FORWARD(clCreateUserEvent, 2)
FORWARD(clSetUserEventStatus, 2)
FORWARD(clWaitForEvents, 2)
FORWARD(clRetainEvent, 1)
FORWARD(clReleaseEvent, 1)
FORWARD(clGetEventInfo, 5)
FORWARD(clGetEventProfilingInfo, 5)

FORWARD(clEnqueueNDRangeKernel, 9)
FORWARD(clEnqueueReadBuffer, 9)
FORWARD(clEnqueueWriteBuffer, 9)
FORWARD(clEnqueueReadBufferRect, 14)
FORWARD(clEnqueueWriteBufferRect, 14)
FORWARD(clEnqueueCopyBuffer, 9)
FORWARD(clEnqueueCopyBufferRect, 13)
FORWARD(clEnqueueFillBuffer, 9)

FORWARD(clEnqueueReadImage, 11)
FORWARD(clEnqueueWriteImage, 11)
FORWARD(clEnqueueFillImage, 8)
FORWARD(clEnqueueCopyImage, 9)
FORWARD(clEnqueueCopyImageToBuffer, 9)
FORWARD(clEnqueueCopyBufferToImage, 9)

FORWARD(clEnqueueMapBuffer, 10)
FORWARD(clEnqueueMapImage, 12)
FORWARD(clEnqueueUnmapMemObject, 6)
FORWARD(clEnqueueMarkerWithWaitList, 4)
FORWARD(clEnqueueBarrierWithWaitList, 4)
