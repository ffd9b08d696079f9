# Warnings, hardening and coverage for our own targets; users of the library get none.
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

# ---- hardening -----------------------------------------------------------------------------------
# The program reads files of unknown origin: stop on a smashed stack or an overrun of a buffer of
# known size, and write-protect the tables of the loader before the first instruction of ours.
# FORTIFY needs an optimising build; the sanitizers bring their own checks.
target_compile_options(plenosr_flags INTERFACE -fstack-protector-strong)
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  target_compile_options(plenosr_flags INTERFACE
    $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
endif()
target_link_options(plenosr_flags INTERFACE LINKER:-z,relro LINKER:-z,now)

# Position-independent code, so that the kernel can place the program anywhere. No other library
# replaces functions of this one, so the compiler may still inline them.
include(CheckPIESupported)
check_pie_supported()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
target_compile_options(plenosr_flags INTERFACE -fno-semantic-interposition)

# CMake pads the RUNPATH of the build tree with ':', and the loader takes an empty entry as the
# current folder: a library beside somebody's data would be executed. Without padding the build tree
# and the installed files have the same RUNPATH, the folders of libraries outside of the system's.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
