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
# Rounding must not depend on what the optimiser happens to contract.
target_compile_options(plenosr_flags INTERFACE -ffp-contract=off)
