# Compiles every kernel by clang without a device, if clang is installed: for the three memory
# strategies and for one and eight floats per work-item, as device.cpp assembles programs.

# kernel_variants_NAME lists the sets of defines that a kernel needs beside those of the tuning.
set(kernel_tile -DTILE_W=16 -DTILE_H=4)
set(kernel_variants_blur "-DRADIUS=2 -DMARGIN=3")
set(kernel_bm3d "-DBLOCK=8 -DSTEP=4 -DREACH_OF_SEARCH=10 -DMOST_BLOCKS=16 -DSPACING=7 -DITEMS=64")
set(kernel_variants_bm3d "${kernel_bm3d}" "${kernel_bm3d} -DWIENER")
set(kernel_variants_differences
  "-DDIRECTIONAL=0 -DDIRECTIONS=2 -DDIRECTION_STEPS=1,0,1,0,1,1 -DDIRECTION_WEIGHTS=1.0f,0.5f -DREACH=1 -DHALO=8"
  "-DDIRECTIONAL=1 -DDIRECTIONS=2 -DDIRECTION_STEPS=1,0,1,0,1,1 -DDIRECTION_WEIGHTS=1.0f,0.5f -DREACH=1 -DHALO=8")
set(kernel_variants_grid_blur "-DRADIUS=2 -DMARGIN=5")
set(kernel_variants_initial "-DVIEWS=25 -DSIGMA_PER_MEDIAN=1.4826f")
set(kernel_variants_nlm "-DREACH_OF_SEARCH=10 -DBLOCK_RADIUS=2 -DROWS_OF_ITEM=4")
set(kernel_variants_sampler "-DTAPS=2 -DCELL_W=16 -DCELL_H=4" "-DTAPS=4 -DCELL_W=16 -DCELL_H=4")
set(kernel_paths_of_labels "-DLABELS=64 -DMARGIN=16 -DLEAST_LARGE_JUMP=1.2f")
set(kernel_variants_semi_global
  "${kernel_paths_of_labels} -DPATH_ITEMS=1 -DLABEL_VECTOR=16"
  "${kernel_paths_of_labels} -DPATH_ITEMS=64 -DLABEL_VECTOR=1")
set(kernel_variants_splat "-DON_CENTRE=1e-3f -DBACKGROUND_RADIUS=4")
set(kernel_sweep "-DVIEWS=3 -DMARGIN=16 -DVIEW_MARGIN=24 -DLABELS_AT_ONCE=8 -DUNREACHABLE=32767")
set(kernel_variants_sweep
  "${kernel_sweep} -DLOSS_SQUARED"
  "${kernel_sweep} -DHALF_VIEWS -DEXCHANGES=X(0,1)X(1,2)X(0,1)")
set(kernel_variants_stencil "-DTAPS=2" "-DTAPS=4")

find_program(PLENOSR_CLANG NAMES clang clang-19 clang-16 clang-15 clang-14)

# plenosr_check_kernels(FILES…): each .cl file is compiled after the headers, in their order.
function(plenosr_check_kernels)
  if(NOT PLENOSR_CLANG)
    message(STATUS "clang not found: kernels are not checked at build time")
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
