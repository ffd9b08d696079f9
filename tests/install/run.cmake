# run(COMMAND…): fails if the command fails; sets `output` to what it printed.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE printed
                  ERROR_VARIABLE printed)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${printed}")
  endif()
  set(output "${printed}" PARENT_SCOPE)
endfunction()
