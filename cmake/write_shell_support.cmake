# Writes the manual pages of PROGRAM and its completion for shells below FOLDER, as `share` has them.
function(write_from file)  # the other arguments are the program's
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${FOLDER}/${file} "${text}")
endfunction()

file(REMOVE_RECURSE ${FOLDER})
write_from(man/man1/plenosr.1 help --man)
execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE overview COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+  " commands "${overview}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  write_from(man/man1/plenosr-${command}.1 help ${command} --man)
endforeach()
write_from(bash-completion/completions/plenosr help --completion bash)
write_from(zsh/vendor-completions/_plenosr help --completion zsh)
write_from(fish/vendor_completions.d/plenosr.fish help --completion fish)
file(TOUCH ${FOLDER}/made)
