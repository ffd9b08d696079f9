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

# ---- what shells and pkg-config use --------------------------------------------------------------
foreach(file share/man/man1/plenosr.1 share/man/man1/plenosr-reconstruct.1
             share/zsh/vendor-completions/_plenosr share/fish/vendor_completions.d/plenosr.fish)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
file(READ ${prefix}/share/man/man1/plenosr-reconstruct.1 page)
if(NOT page MATCHES "refine\\\\-disparity")
  message(FATAL_ERROR "The manual page of reconstruct lacks an option")
endif()
set(complete "source ${prefix}/share/bash-completion/completions/plenosr
  COMP_WORDS=(plenosr $1)
  COMP_CWORD=$2
  _plenosr
  echo \${COMPREPLY[*]}")
run(bash -c "${complete}" bash recons 1)
if(NOT output STREQUAL "reconstruct\n")
  message(FATAL_ERROR "bash completes recons to: ${output}")
endif()
run(bash -c "${complete}" bash "reconstruct --iterat" 2)
if(NOT output STREQUAL "--iterations\n")
  message(FATAL_ERROR "bash completes --iterat to: ${output}")
endif()
run(bash -c "${complete}" bash "reconstruct --solver g" 3)
if(NOT output STREQUAL "gd gd-ls\n")
  message(FATAL_ERROR "bash completes --solver g to: ${output}")
endif()
set(ENV{PKG_CONFIG_PATH} ${prefix}/${libdir}/pkgconfig)
run(pkg-config --cflags --libs plenosr)
if(NOT output MATCHES "-I${prefix}/.*include" OR NOT output MATCHES "-lplenosr")
  message(FATAL_ERROR "pkg-config prints: ${output}")
endif()

run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/uninstalled)
run(${CMAKE_COMMAND} -DMANIFEST=${build}/install_manifest.txt -P ${source}/cmake/uninstall.cmake)
file(GLOB_RECURSE left ${scratch}/uninstalled/*)
if(left)
  message(FATAL_ERROR "uninstall left ${left}")
endif()
