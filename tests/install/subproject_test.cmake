# Configures a project that contains PlenoSR (`source`) by add_subdirectory, compiles a source of it
# against the library's headers, and checks that nothing of PlenoSR is tested or installed with it.
# The library itself is not compiled: the other tests use the same sources.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(build ${scratch}/subproject)
set(prefix ${scratch}/subproject-prefix)
file(REMOVE_RECURSE ${build} ${prefix})

run(${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/subproject -B ${build}
    -Dplenosr_source=${source} -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${build} --target user)

run(${CMAKE_CTEST_COMMAND} --test-dir ${build} --show-only)
if(NOT output MATCHES "Total Tests: 0")
  message(FATAL_ERROR "As a subproject PlenoSR adds tests: ${output}")
endif()

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
file(GLOB_RECURSE installed ${prefix}/*)
if(installed)
  message(FATAL_ERROR "As a subproject PlenoSR installs ${installed}.")
endif()
