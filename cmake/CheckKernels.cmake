# Every kernel is compiled by clang without a device, where clang is present: for the three memory
# strategies and for one and eight floats per work-item, as device.cpp puts programs together.

# Kernels that need more defines than the tuning's: kernel_variants_NAME is a list of sets of them.
set(kernel_tile -DTILE_W=16 -DTILE_H=4)
set(kernel_variants_blur "-DRADIUS=2 -DMARGIN=3")
set(kernel_variants_bm3d " " "-DWIENER")
set(kernel_variants_differences
  "-DDIRECTIONAL=0 -DDIRECTIONS=2 -DDIRECTION_STEPS=1,0,1,0,1,1 -DDIRECTION_WEIGHTS=1.0f,0.5f -DREACH=1 -DHALO=8"
  "-DDIRECTIONAL=1 -DDIRECTIONS=2 -DDIRECTION_STEPS=1,0,1,0,1,1 -DDIRECTION_WEIGHTS=1.0f,0.5f -DREACH=1 -DHALO=8")
set(kernel_variants_grid_blur "-DRADIUS=2 -DMARGIN=5")
set(kernel_variants_initial "-DVIEWS=25")
set(kernel_variants_sampler "-DTAPS=2 -DCELL_W=16 -DCELL_H=4" "-DTAPS=4 -DCELL_W=16 -DCELL_H=4")
set(kernel_variants_semi_global
  "-DLABELS=64 -DMARGIN=16 -DPATH_ITEMS=1 -DLABEL_VECTOR=16"
  "-DLABELS=64 -DMARGIN=16 -DPATH_ITEMS=64 -DLABEL_VECTOR=1")
set(kernel_sweep "-DVIEWS=3 -DMARGIN=16 -DVIEW_MARGIN=24 -DLABELS_AT_ONCE=8 -DUNREACHABLE=32767")
set(kernel_variants_sweep
  "${kernel_sweep} -DLOSS_SQUARED"
  "${kernel_sweep} -DHALF_VIEWS -DEXCHANGES=X(0,1)X(1,2)X(0,1)")
set(kernel_variants_stencil "-DTAPS=2" "-DTAPS=4")

find_program(PLENOSR_CLANG NAMES clang clang-19 clang-16 clang-15 clang-14)

# plenosr_check_kernels(FILES…): headers are put before each of the .cl files, in their order.
function(plenosr_check_kernels)
  if(NOT PLENOSR_CLANG)
    message(STATUS "No clang: kernels are not compiled before they are used")
    return()
  endif()
  set(headers ${ARGN})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  set(kernels ${ARGN})
  list(FILTER kernels INCLUDE REGEX "\\.cl$")
  set(compile ${PLENOSR_CLANG} -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only
              -Wall ${kernel_tile} -DGROUP=64 -DGROUPS=16)
  if(PLENOSR_WARNINGS_AS_ERRORS)
    list(APPEND compile -Werror)
  endif()
  foreach(header IN LISTS headers)
    list(APPEND compile -include ${header})
  endforeach()
  set(stamps)
  foreach(kernel IN LISTS kernels)
    get_filename_component(name ${kernel} NAME_WE)
    set(variants " ")
    if(DEFINED kernel_variants_${name})
      set(variants ${kernel_variants_${name}})
    endif()
    set(commands)
    foreach(variant IN LISTS variants)
      separate_arguments(defines UNIX_COMMAND "${variant}")
      foreach(strategy BUFFER IMAGE LOCAL)
        foreach(vector 1 8)
          list(APPEND commands COMMAND ${compile} ${defines} -DSTRATEGY_${strategy}
                               -DVECTOR=${vector} ${kernel})
        endforeach()
      endforeach()
    endforeach()
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${name}.checked)
    add_custom_command(OUTPUT ${stamp} ${commands} COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
                       DEPENDS ${kernel} ${headers} COMMENT "Checking kernels of ${name}.cl"
                       VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(plenosr_kernel_check ALL DEPENDS ${stamps})
endfunction()
