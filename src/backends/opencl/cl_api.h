#pragma once

// The OpenCL C++ bindings as this backend uses them: version 1.2, errors as exceptions (cl::Error).
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#define CL_HPP_ENABLE_EXCEPTIONS
#include <CL/opencl.hpp>
