# Writes OUTPUT, a header that defines PLENOSR_COMMIT, if it would change. Run at every build.
cmake_minimum_required(VERSION 3.25)
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=10 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n\n#define PLENOSR_COMMIT \"@commit@\"\n" @ONLY)
