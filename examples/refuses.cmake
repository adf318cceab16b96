# Fails unless PROGRAM, given ARGUMENTS, writes nothing but SENTENCE to the standard error and exits with 2.
separate_arguments(ARGUMENTS)
execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error)
if(NOT status EQUAL 2 OR NOT output STREQUAL "" OR NOT error STREQUAL "${SENTENCE}\n")
  message(FATAL_ERROR "exit status ${status}, output '${output}', error '${error}'; expected 2, '' and '${SENTENCE}'")
endif()
