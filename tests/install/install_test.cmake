# Installs the folder `build` into a prefix of its own, builds `examples` with this prefix, and checks
# what they print.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(prefix ${scratch}/prefix)
set(consumer ${scratch}/consumer)
file(REMOVE_RECURSE ${prefix} ${consumer})

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${prefix}/bin/plenosr --help)

run(${CMAKE_COMMAND} -G ${generator} -S ${examples} -B ${consumer}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${compiler}
    -DCMAKE_CXX_FLAGS=${flags} -DCMAKE_BUILD_TYPE=${build_type})
file(STRINGS ${consumer}/CMakeCache.txt found REGEX "^plenosr_DIR:")
string(FIND "${found}" "${prefix}" place)
if(place EQUAL -1)
  message(FATAL_ERROR "find_package(plenosr) found another installation: ${found}")
endif()
run(${CMAKE_COMMAND} --build ${consumer})

run(${consumer}/helloworld)
if(NOT output MATCHES "^PlenoSR [0-9.]+: start ([0-9.]+) dB, super-resolved ([0-9.]+) dB\n$")
  message(FATAL_ERROR "helloworld printed: ${output}")
endif()
if(NOT CMAKE_MATCH_2 GREATER CMAKE_MATCH_1)
  message(FATAL_ERROR "helloworld's image is no better than its start: ${output}")
endif()
