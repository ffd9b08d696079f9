# Checks every program and library in the folder `build` and, if they were made before, the installed ones with
# readelf: a search path for libraries has no empty or relative entry, and the hardening flags took effect.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(GLOB programs ${build}/plenosr ${build}/tests/*/*_test ${build}/src/libplenosr*.so
     ${build}/python/plenosr/_core*.so ${scratch}/prefix/bin/* ${scratch}/prefix/lib*/libplenosr*.so
     ${scratch}/prefix/lib*/*/libplenosr*.so ${scratch}/consumer/helloworld)
if(NOT programs)
  message(FATAL_ERROR "there are no programs in ${build}")
endif()
foreach(program IN LISTS programs)
  run(${readelf} --wide --dynamic --program-headers --file-header --dyn-syms ${program})
  if(output MATCHES "Library r(un)?path: \\[([^]\n]*)\\]")
    # Brackets keep empty entries: CMake drops those of a list.
    string(REPLACE ":" ">\n<" entries "<${CMAKE_MATCH_2}>")
    if(entries MATCHES "<>" OR entries MATCHES "<[^/$\n]")
      message(FATAL_ERROR "${program} looks for libraries in the current folder: ${CMAKE_MATCH_2}")
    endif()
  endif()
  # Programs of users of the library have their own flags.
  if(NOT program MATCHES "/consumer/")
    # _chk: functions of the C library that check sizes, by FORTIFY_SOURCE.
    foreach(mark "GNU_RELRO" "FLAGS_1[^\n]*NOW" "Type: +DYN" "__stack_chk_fail" "__[a-z]+_chk")
      if(NOT output MATCHES "${mark}")
        message(FATAL_ERROR "${program} was built without hardening: readelf shows no ${mark}")
      endif()
    endforeach()
  endif()
endforeach()
