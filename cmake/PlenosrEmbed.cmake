# Text files that become part of the library: kernels of OpenCL and the page of the viewer.
# plenosr_embed(NAME HEADER NAMESPACE FUNCTION FILES…): see EmbedFiles.cmake.
function(plenosr_embed name header namespace function)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DOUTPUT=${output} -DHEADER=${header}
            -DNAMESPACE=${namespace} -DFUNCTION=${function} -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
  # A target of its own: custom commands serve targets of their own folder only.
  add_custom_target(plenosr_${name} DEPENDS ${output})
  add_dependencies(plenosr_core plenosr_${name})
  target_sources(plenosr_core PRIVATE ${output})
endfunction()
