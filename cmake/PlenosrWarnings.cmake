# Warnings, sanitisers-by-preset and coverage for our own targets; users of the library get none.
add_library(plenosr_flags INTERFACE)
target_compile_options(plenosr_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                               -Wold-style-cast -Wno-unknown-pragmas)
if(PLENOSR_WARNINGS_AS_ERRORS)
  target_compile_options(plenosr_flags INTERFACE -Werror)
endif()
if(PLENOSR_COVERAGE)
  # Atomic counters: several threads run the same lines. -O1: vector code without any inlining is
  # too slow for the tests; neighbouring lines that the compiler folds into one count as one.
  target_compile_options(plenosr_flags INTERFACE --coverage -fprofile-update=atomic -O1)
  target_link_options(plenosr_flags INTERFACE --coverage)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # ccache needs it to understand precompiled headers.
  target_compile_options(plenosr_flags INTERFACE -fpch-preprocess)
endif()
# For the program and the tests, which spend their time in the library: -O1 compiles about twice as
# fast as Release's -O3. The library always keeps the flags of the configuration.
add_library(plenosr_quick_to_compile INTERFACE)
target_compile_options(plenosr_quick_to_compile INTERFACE $<$<CONFIG:Release>:-O1>)
# Rounding must not depend on what the optimiser happens to contract.
target_compile_options(plenosr_flags INTERFACE -ffp-contract=off)
