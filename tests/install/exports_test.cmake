# Checks what the shared library exports: functions of public headers, and none of the layers below.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

run(${nm} --dynamic --defined-only --demangle ${library})
foreach(name "plenosr::reconstruct(" "plenosr::estimate_disparity(" "plenosr::DevicePool::DevicePool("
             "plenosr::ForwardOperator::adjoint(" "plenosr::run_frames(" "typeinfo for plenosr::Error")
  string(FIND "${output}" "${name}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${library} does not export ${name}")
  endif()
endforeach()
foreach(hidden "plenosr::reconstruct_view(" "plenosr::make_engines(" "plenosr::cpu::" "plenosr::opencl::"
               "plenosr::io::" "plenosr::Cancelled")
  string(FIND "${output}" "${hidden}" place)
  if(NOT place EQUAL -1)
    string(SUBSTRING "${output}" ${place} 80 found)
    message(FATAL_ERROR "${library} exports ${found}, which is no part of the interface")
  endif()
endforeach()
