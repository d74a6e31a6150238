# SPDX-License-Identifier: Apache-2.0
# Runs one command and compares its status and output with what a test expects. Included by the case files that
# rockcreek_program_test writes; they set the variables used here. With ACCEPT=1 in the environment an exact output that
# differs replaces the file it is compared with (tests/accept.sh).

foreach(setting IN LISTS ENVIRONMENT)
  string(REGEX MATCH "^([^=]+)=(.*)$" _ "${setting}")
  set(ENV{${CMAKE_MATCH_1}} "${CMAKE_MATCH_2}")
endforeach()

execute_process(COMMAND ${command} WORKING_DIRECTORY ${WORKING_DIRECTORY}
  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE err)

set(faults "")
if(NOT STATUS STREQUAL "any" AND NOT status STREQUAL STATUS)
  string(APPEND faults "status is '${status}', expected ${STATUS}\n")
endif()

macro(check_stream text name file has lacks)
  if(NOT "${file}" STREQUAL "")
    set(expected "")
    if(EXISTS "${file}")
      file(READ "${file}" expected)
    endif()
    if(NOT ${text} STREQUAL expected)
      if("$ENV{ACCEPT}" STREQUAL "1")
        file(WRITE "${file}" "${${text}}")
        message(STATUS "accepted: ${file}")
      else()
        string(APPEND faults "${name} differs from ${file}; accept it by 'sh tests/accept.sh' if it is right\n")
      endif()
    endif()
  endif()
  foreach(regex IN LISTS ${has})
    if(NOT ${text} MATCHES "${regex}")
      string(APPEND faults "${name} lacks /${regex}/\n")
    endif()
  endforeach()
  foreach(regex IN LISTS ${lacks})
    if(${text} MATCHES "${regex}")
      string(APPEND faults "${name} has /${regex}/, which is forbidden\n")
    endif()
  endforeach()
endmacro()

check_stream(out "stdout" "${STDOUT}" STDOUT_HAS STDOUT_LACKS)
check_stream(err "stderr" "${STDERR}" STDERR_HAS STDERR_LACKS)

if(NOT LINES STREQUAL "")
  string(REGEX MATCHALL "\n" ends "${out}")
  list(LENGTH ends lines)
  if(NOT lines EQUAL LINES)
    string(APPEND faults "stdout has ${lines} lines, expected ${LINES}\n")
  endif()
endif()

if(NOT faults STREQUAL "")
  list(JOIN command " " words)
  message(FATAL_ERROR "${faults}command: cd ${WORKING_DIRECTORY} && ${words}\n"
    "--- status ${status}, stdout:\n${out}\n--- stderr:\n${err}\n---")
endif()
