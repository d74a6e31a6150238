# SPDX-License-Identifier: Apache-2.0
# Functions that add tests. A test is named SUITE.NAME, is labelled with its suite (the folder it is in) and has a time limit.
#
#   rockcreek_unit_test(NAME sources... [LIBS libraries...] [INCLUDES folders...] [DEFINITIONS words...] [FLAGS words...]
#                       [BESIDE_BIN] [TIMEOUT seconds] [NIGHTLY seconds])
#       A Catch2 program, run as one test; left out where one of our libraries is missing. BESIDE_BIN: it looks for its programs
#       where rccebench does, beside its own folder. NIGHTLY: it takes a seeded sample of a sweep, and all of it where WHOLE=1 is in the
#       environment. That is registered as nightly.NAME with this time limit, and run by tests/nightly.sh alone.
#   rockcreek_program(NAME SOURCES files... [FLAGS flags...] [LIBRARIES targets...] [DEPENDS files...] [CXX])
#       An image, built by our own rccecc (CXX: rccec++) at build time. Several suites may use it by its name. DEPENDS names
#       headers of its own; LIBRARIES archives for programs, whose targets list their files in ROCKCREEK_ARCHIVES.
#   rockcreek_program_test(NAME PROGRAM p NUE n ...)
#       A run of rccerun whose status and output are checked; what may be asked is in the function's own comment.
#   rockcreek_script_test(NAME SCRIPT file [ARGS ...] [TIMEOUT seconds] [NIGHTLY seconds])
#       A shell script for what the others cannot say. It finds BIN (folder of the commands), PROGRAMS (folder of the images)
#       and WORK (an empty folder of its own) in its environment; status 0 is success.
#   rockcreek_page_test(NAME PAGE [TIMEOUT seconds] [NIGHTLY seconds])
#       A page of commands with what they print, which they have to print: support/page.py. rockcreek_pages() adds each page of the
#       suite's folder pages under its name. A page with rccebench is left out where that is not built, one with a line
#       <!-- needs X --> where there is neither a target X nor a variable X that is true.

set(ROCKCREEK_PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/programs)
set(ROCKCREEK_CASES ${CMAKE_CURRENT_BINARY_DIR}/cases)
set(ROCKCREEK_CHECK ${CMAKE_CURRENT_LIST_DIR}/check_run.cmake)
set(ROCKCREEK_SUPPORT ${CMAKE_CURRENT_LIST_DIR})
set(ROCKCREEK_BIN ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
set(ROCKCREEK_IMAGE_FILES "$<TARGET_PROPERTY:rccecc,ROCKCREEK_IMAGE_FILES>")
file(REMOVE_RECURSE ${ROCKCREEK_CASES}) # a case that is registered no more must not be found there
file(MAKE_DIRECTORY ${ROCKCREEK_PROGRAMS} ${ROCKCREEK_CASES})

# Open MPI refuses root unless it is told twice, and tests may be run as root.
set(ROCKCREEK_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
if(NOT TARGET rcce_mpi)
  message(STATUS "tests of --engine mpi are left out: this build has no MPI")
endif()

# A python3 on the path may be a script that looks for the interpreter, as pyenv's is. That takes longer than most tests compute: they
# find the interpreter itself first.
find_program(ROCKCREEK_PYTHON python3)
set(ROCKCREEK_PYTHON_FIRST)
if(ROCKCREEK_PYTHON)
  cmake_path(GET ROCKCREEK_PYTHON PARENT_PATH found)
  execute_process(COMMAND ${ROCKCREEK_PYTHON} -c "import sys; print(sys.executable, end='')" OUTPUT_VARIABLE ROCKCREEK_PYTHON)
  cmake_path(GET ROCKCREEK_PYTHON PARENT_PATH folder)
  if(NOT folder STREQUAL found)
    set(ROCKCREEK_PYTHON_FIRST ";PATH=path_list_prepend:${folder}")
  endif()
endif()

# Programs can be built and run only where the wrapper and the launcher are part of the build.
if(TARGET rccecc AND TARGET rccerun)
  set(ROCKCREEK_CAN_RUN TRUE)
  add_custom_target(test_programs ALL)
else()
  set(ROCKCREEK_CAN_RUN FALSE)
endif()

# What nearly every unit test includes, read once. Tests with C among their sources go without.
if(TARGET rockcreek_test_main)
  add_library(rockcreek_test_headers OBJECT ${CMAKE_CURRENT_LIST_DIR}/headers.cpp)
  target_link_libraries(rockcreek_test_headers PRIVATE rockcreek_settings rockcreek_test_main fmt::fmt)
  target_compile_options(rockcreek_test_headers PRIVATE $<$<CONFIG:Release>:-Og>)
  target_precompile_headers(rockcreek_test_headers PRIVATE
    <algorithm> <fstream> <map> <set> <sstream> <string> <vector> <fmt/format.h> ${CMAKE_CURRENT_LIST_DIR}/catch.hpp)
endif()

function(rockcreek_unit_test name)
  cmake_parse_arguments(ARG "BESIDE_BIN" "TIMEOUT;NIGHTLY" "LIBS;INCLUDES;DEFINITIONS;FLAGS" ${ARGN})
  if(NOT TARGET rockcreek_test_main)
    return()
  endif()
  foreach(library IN LISTS ARG_LIBS)
    if(library MATCHES "^(rcce::|rccebench_parts)" AND NOT TARGET ${library})
      message(STATUS "test ${ROCKCREEK_SUITE}.${name} is left out: there is no ${library}")
      return()
    endif()
  endforeach()
  set(target test_${ROCKCREEK_SUITE}_${name})
  add_executable(${target} ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${target} PRIVATE ${ROCKCREEK_SUPPORT} ${ARG_INCLUDES})
  target_compile_definitions(${target} PRIVATE ${ARG_DEFINITIONS})
  target_link_libraries(${target} PRIVATE rockcreek_settings rockcreek_test_main fmt::fmt ${ARG_LIBS})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og> ${ARG_FLAGS}) # checks expand to much code
  set(sources ${ARG_UNPARSED_ARGUMENTS})
  if(NOT "${sources}" MATCHES "[.]c(;|$)")
    target_precompile_headers(${target} REUSE_FROM rockcreek_test_headers)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR})
  if(ARG_BESIDE_BIN)
    set(folder ${PROJECT_BINARY_DIR}/bin_of_tests)
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${folder})
  add_test(NAME ${ROCKCREEK_SUITE}.${name} COMMAND ${target})
  rockcreek_test_properties(${ROCKCREEK_SUITE}.${name} "${ARG_TIMEOUT}")
  if(ARG_NIGHTLY)
    add_test(NAME nightly.${name} COMMAND ${target} CONFIGURATIONS nightly)
    rockcreek_nightly(nightly.${name} ${ARG_NIGHTLY})
  endif()
endfunction()

function(rockcreek_test_properties test timeout)
  if(NOT timeout)
    set(timeout 60)
  endif()
  if(ROCKCREEK_SANITIZE)
    math(EXPR timeout "5 * ${timeout}") # checkers are slow
  endif()
  # What may take long begins first: ctest knows times of an earlier run only.
  set_tests_properties(${test} PROPERTIES LABELS ${ROCKCREEK_SUITE} TIMEOUT ${timeout} COST ${timeout})
  # Expected times and digests are those of communication, but for tests that ask for --compute blocks.
  # Programs that store to buffers without a call say so: ENVIRONMENT ROCKCREEK_PLAIN_STORES=allowed.
  # OpenMP's threads, with which those of the host are compared, do not spin on processors that other tests need.
  set_tests_properties(${test} PROPERTIES ENVIRONMENT_MODIFICATION
    "ROCKCREEK_COMPUTE=set:none;ROCKCREEK_PLAIN_STORES=set:none;OMP_WAIT_POLICY=set:passive${ROCKCREEK_PYTHON_FIRST}")
endfunction()

# Of a test that is run where ctest is given -C nightly.
function(rockcreek_nightly test timeout)
  rockcreek_test_properties(${test} ${timeout})
  set_property(TEST ${test} PROPERTY LABELS nightly)
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT_MODIFICATION WHOLE=set:1)
endfunction()

# An image is made again when one of its sources, the headers or the image part change, or the wrapper. Not when the runtime
# does: that is found when the program starts, and only has to be there for the linker.
function(rockcreek_program name)
  cmake_parse_arguments(ARG "CXX" "" "SOURCES;FLAGS;LIBRARIES;DEPENDS" ${ARGN})
  if(NOT ROCKCREEK_CAN_RUN)
    return()
  endif()
  list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  list(TRANSFORM ARG_DEPENDS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  set(compiler ${ROCKCREEK_BIN}/rccecc)
  if(ARG_CXX)
    set(compiler ${ROCKCREEK_BIN}/rccec++)
  endif()
  foreach(library IN LISTS ARG_LIBRARIES)
    get_target_property(archives ${library} ROCKCREEK_ARCHIVES)
    list(APPEND ARG_DEPENDS ${archives})
  endforeach()
  list(TRANSFORM ARG_LIBRARIES PREPEND -l OUTPUT_VARIABLE libraries)
  set(output ${ROCKCREEK_PROGRAMS}/${name})
  add_custom_command(OUTPUT ${output}
    COMMAND ${compiler} ${ARG_FLAGS} -I${ROCKCREEK_SUPPORT} ${ARG_SOURCES} ${libraries} -o ${output}
    DEPENDS ${ARG_SOURCES} ${ARG_DEPENDS} ${ROCKCREEK_IMAGE_FILES} ${ROCKCREEK_SUPPORT}/ue_check.h rccecc rockcreek_image_parts
    COMMENT "rccecc ${name}" VERBATIM)
  add_custom_target(program_${name} DEPENDS ${output})
  add_dependencies(program_${name} rcce_emu ${ARG_LIBRARIES})
  add_dependencies(test_programs program_${name})
endfunction()

# rockcreek_program_test(NAME
#   PROGRAM p | COMMAND words...  an image of rockcreek_program, or the words behind rccerun and its options as they are
#   [NUE n]                       -nue n
#   [OPTIONS words...]            further options of rccerun
#   [ARGS words...]               arguments of the program
#   [DIRECT]                      start the image itself instead of rccerun
#   [STATUS s]                    expected status, 0 unless told; "any" to not look at it
#   [STDOUT file]                 exact standard output, a file beside the CMakeLists.txt
#   [STDERR file]                 exact standard error
#   [STDOUT_HAS regex...] [STDOUT_LACKS regex...] [STDERR_HAS regex...] [STDERR_LACKS regex...]
#   [ALL_OK]                      the first and the last UE print "rank N ok", and nobody prints FAILED
#   [LINES n]                     number of lines on standard output
#   [ENVIRONMENT NAME=value...] [WORKING_DIRECTORY d] [TIMEOUT seconds]
#   [NIGHTLY]                     in suites with ROCKCREEK_IN_TURN: rockcreek_whole alone runs it in the simulator
#   [ON_THREADS words...])        options of the second run, on the threads engine; NOT for none
# In suites that set ROCKCREEK_IN_TURN one process runs all cases of a program in turn, as a fixture named runs.PROGRAM[@ENGINE]; the tests
# report what it has found (check_run.cmake). The TIMEOUT is then that of the case, and a crash or a hang is that case's alone.
# In suites that set ROCKCREEK_ON_THREADS the run of a program is registered a second time, on the threads engine, as
# NAME@threads with the further label `threads`; and, where the build has MPI, those of 2, 5 and 8 UEs in the host's time a third
# time as NAME@mpi with the label `mpi`, unless NOT_ON_MPI is given (some variants with 5 UEs only).
# Suites may list numbers of UEs in ROCKCREEK_NIGHTLY_ON_THREADS: their second runs are cases of nightly.threads alone. They may
# give further options of all runs in the simulator in ROCKCREEK_IN_SIMULATOR.
function(rockcreek_program_test name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "DIRECT;NOT_ON_MPI" "PROGRAM;NUE" "ON_THREADS")
  list(REMOVE_ITEM ARGN NOT_ON_MPI)
  rockcreek_program_test_on(sim ${name} ${ARGN})
  if(ROCKCREEK_ON_THREADS AND ARG_PROGRAM AND NOT ARG_DIRECT AND NOT ARG_ON_THREADS STREQUAL "NOT")
    rockcreek_program_test_on(threads ${name} ${ARGN})
    # Starting processes takes a third of a second: the variants of a program that differ in flags alone run with 5 UEs, and what a
    # UE does to its own heap does not run for every size and fault.
    if(TARGET rcce_mpi AND NOT ARG_NOT_ON_MPI AND NOT "simulated" IN_LIST ARG_ON_THREADS AND ARG_NUE MATCHES "^[258]$"
        AND NOT "${ARG_NUE} ${name}" MATCHES "^2 .*_(1.0|old|small|gory|power|air|rwth|mixed)_"
        AND NOT name MATCHES "^(heap_(twice|later|kept|limit)_|check_heap_[^t]|header_(gory|small|power|old))")
      rockcreek_program_test_on(mpi ${name} ${ARGN})
    endif()
  endif()
endfunction()

function(rockcreek_program_test_on engine name)
  set(one PROGRAM NUE STATUS STDOUT STDERR LINES WORKING_DIRECTORY TIMEOUT)
  set(several COMMAND OPTIONS ON_THREADS ARGS STDOUT_HAS STDOUT_LACKS STDERR_HAS STDERR_LACKS ENVIRONMENT)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "DIRECT;ALL_OK;NIGHTLY" "${one}" "${several}")
  if(NOT ROCKCREEK_CAN_RUN)
    return()
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "test '${name}': words '${ARG_UNPARSED_ARGUMENTS}' are not understood")
  endif()
  if(NOT DEFINED ARG_STATUS)
    set(ARG_STATUS 0)
  endif()
  if(ARG_ALL_OK)
    math(EXPR last "${ARG_NUE} - 1")
    list(APPEND ARG_STDOUT_HAS "rank 0 ok" "rank ${last} ok")
    list(APPEND ARG_STDOUT_LACKS FAILED)
  endif()
  if(NOT ARG_WORKING_DIRECTORY)
    set(ARG_WORKING_DIRECTORY ${ROCKCREEK_PROGRAMS})
  endif()
  set(command)
  if(ARG_DIRECT)
    set(command ${ROCKCREEK_PROGRAMS}/${ARG_PROGRAM} ${ARG_ARGS})
  else()
    set(command ${ROCKCREEK_BIN}/rccerun)
    if(DEFINED ARG_NUE)
      list(APPEND command -nue ${ARG_NUE})
    endif()
    if(engine STREQUAL "sim")
      list(APPEND command ${ROCKCREEK_IN_SIMULATOR})
    elseif(engine STREQUAL "threads")
      list(APPEND command --engine threads ${ARG_ON_THREADS})
    elseif(engine STREQUAL "mpi")
      list(APPEND command --engine mpi)
      list(APPEND ARG_ENVIRONMENT ${ROCKCREEK_MPI_ENVIRONMENT})
    endif()
    list(APPEND command ${ARG_OPTIONS})
    if(ARG_PROGRAM)
      list(APPEND command ./${ARG_PROGRAM} ${ARG_ARGS})
    endif()
    list(APPEND command ${ARG_COMMAND})
  endif()
  foreach(kind IN ITEMS STDOUT STDERR)
    if(ARG_${kind})
      cmake_path(ABSOLUTE_PATH ARG_${kind} BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    endif()
  endforeach()
  set(test ${ROCKCREEK_SUITE}.${name})
  if(NOT engine STREQUAL "sim")
    string(APPEND test "@${engine}")
  endif()
  set(case "# Written by CMake from the rockcreek_program_test call for ${test}.\n")
  foreach(variable IN ITEMS command)
    string(APPEND case "set(${variable} [==[${${variable}}]==])\n")
  endforeach()
  foreach(key IN LISTS one several)
    string(APPEND case "set(${key} [==[${ARG_${key}}]==])\n")
  endforeach()
  file(CONFIGURE OUTPUT ${ROCKCREEK_CASES}/${test}.cmake CONTENT "${case}" @ONLY)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(engine STREQUAL "sim" AND ROCKCREEK_IN_TURN AND ARG_PROGRAM)
    file(APPEND ${ROCKCREEK_CASES}/nightly.${ARG_PROGRAM}.list "${test}\n${ARG_TIMEOUT}\n")
    if(ARG_NIGHTLY)
      return()
    endif()
  endif()
  if(engine STREQUAL "threads" AND ROCKCREEK_IN_TURN AND ARG_PROGRAM AND ARG_NUE IN_LIST ROCKCREEK_NIGHTLY_ON_THREADS)
    file(APPEND ${ROCKCREEK_CASES}/nightly.threads.list "${test}\n${ARG_TIMEOUT}\n")
    return()
  endif()
  set(runs ${test})
  if(ROCKCREEK_IN_TURN AND ARG_PROGRAM)
    set(runs runs.${ARG_PROGRAM})
    if(NOT engine STREQUAL "sim")
      string(APPEND runs "@${engine}")
    endif()
    if(engine STREQUAL "threads" AND ARG_NUE GREATER 4)
      string(APPEND runs "_alone")
    endif()
    add_test(NAME ${test} COMMAND sh ${ROCKCREEK_SUPPORT}/report_case.sh ${ROCKCREEK_CASES}/${test}.result)
    rockcreek_test_properties(${test} "")
    set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED ${runs})
  endif()
  rockcreek_runs(${runs} ${test} "${ARG_TIMEOUT}")
  foreach(registered IN ITEMS ${runs} ${test})
    if(NOT engine STREQUAL "sim")
      set_property(TEST ${registered} APPEND PROPERTY LABELS ${engine})
    endif()
  endforeach()
  if(engine STREQUAL "threads" AND ARG_NUE GREATER 4)
    rockcreek_alone(${runs})
  endif()
endfunction()

# Registers the test `runs`, which runs cases in turn, and adds one to it. A single case is a test of its own name.
function(rockcreek_runs runs test timeout)
  if(NOT timeout)
    set(timeout 60)
  endif()
  if(ROCKCREEK_SANITIZE)
    math(EXPR timeout "5 * ${timeout}")
  endif()
  if(runs STREQUAL test)
    add_test(NAME ${runs} COMMAND ${CMAKE_COMMAND} -DCASES=${ROCKCREEK_CASES}/${test}.cmake -P ${ROCKCREEK_CHECK})
    rockcreek_test_properties(${runs} "")
    set_tests_properties(${runs} PROPERTIES TIMEOUT ${timeout} COST ${timeout})
    return()
  endif()
  set(list ${ROCKCREEK_CASES}/${runs}.list)
  if(NOT EXISTS ${list})
    add_test(NAME ${runs} COMMAND ${CMAKE_COMMAND} -DCASES=${list} -P ${ROCKCREEK_CHECK})
    rockcreek_test_properties(${runs} "")
    set_tests_properties(${runs} PROPERTIES FIXTURES_SETUP ${runs})
  endif()
  file(APPEND ${list} "${test}\n${timeout}\n")
  get_property(sum GLOBAL PROPERTY rockcreek_seconds_${runs})
  math(EXPR sum "${sum} + ${timeout}") # each case has its own limit; this one is for all
  set_property(GLOBAL PROPERTY rockcreek_seconds_${runs} ${sum})
  set_tests_properties(${runs} PROPERTIES TIMEOUT ${sum} COST ${sum})
endfunction()

# rockcreek_whole(NAME LIST SECONDS): nightly.NAME runs the cases of a list with WHOLE=1 in the environment, and fails where one of them
# does. The list nightly.PROGRAM has all cases of a program in the simulator.
function(rockcreek_whole name list seconds)
  if(NOT EXISTS ${ROCKCREEK_CASES}/${list}.list)
    return()
  endif()
  add_test(NAME nightly.${name} CONFIGURATIONS nightly
    COMMAND ${CMAKE_COMMAND} -DCASES=${ROCKCREEK_CASES}/${list}.list -P ${ROCKCREEK_CHECK})
  rockcreek_nightly(nightly.${name} ${seconds})
endfunction()

# Threads that hand the processors to each other do so to whatever else runs: beside other tests each hand-over costs a time
# slice, and the test ten times as long. These get all of ctest's slots.
function(rockcreek_alone)
  set_tests_properties(${ARGN} PROPERTIES PROCESSORS 64)
endfunction()

function(rockcreek_script_test name)
  cmake_parse_arguments(ARG "" "SCRIPT;TIMEOUT;NIGHTLY" "ARGS" ${ARGN})
  if(NOT ROCKCREEK_CAN_RUN)
    return()
  endif()
  set(tests ${ROCKCREEK_SUITE}.${name})
  if(ARG_NIGHTLY)
    list(APPEND tests nightly.${name})
  endif()
  foreach(test IN LISTS tests)
    set(work ${CMAKE_CURRENT_BINARY_DIR}/runs/${name})
    set(configurations)
    if(test MATCHES "^nightly")
      set(work ${CMAKE_CURRENT_BINARY_DIR}/runs/${test})
      set(configurations CONFIGURATIONS nightly)
    endif()
    file(MAKE_DIRECTORY ${work})
    add_test(NAME ${test} WORKING_DIRECTORY ${work} ${configurations}
             COMMAND sh ${ROCKCREEK_SUPPORT}/script.sh ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_SCRIPT} ${ARG_ARGS})
    if(test MATCHES "^nightly")
      rockcreek_nightly(${test} ${ARG_NIGHTLY})
    else()
      rockcreek_test_properties(${test} "${ARG_TIMEOUT}")
    endif()
    set_tests_properties(${test} PROPERTIES ENVIRONMENT
      "BIN=${ROCKCREEK_BIN};PROGRAMS=${ROCKCREEK_PROGRAMS};WORK=${work};SOURCE=${PROJECT_SOURCE_DIR};BUILD=${PROJECT_BINARY_DIR}")
  endforeach()
endfunction()

function(rockcreek_page_test name page)
  if(NOT ROCKCREEK_PYTHON)
    return()
  endif()
  file(STRINGS ${page} needs REGEX "^<!-- needs [^ ]+ -->$")
  list(TRANSFORM needs REPLACE "<!-- needs (.*) -->" "\\1")
  file(STRINGS ${page} commands REGEX "^\\$ .*(rccebench|rcceinfo)")
  if(commands)
    list(APPEND needs rccebench)
  endif()
  foreach(one IN LISTS needs)
    if(NOT TARGET ${one} AND NOT ${one})
      message(STATUS "test ${ROCKCREEK_SUITE}.${name} is left out: there is no ${one}")
      return()
    endif()
  endforeach()
  rockcreek_script_test(${name} SCRIPT ../support/page.sh ARGS ${page} ${ARGN})
  if(TEST ${ROCKCREEK_SUITE}.${name})
    set_property(TEST ${ROCKCREEK_SUITE}.${name} APPEND PROPERTY LABELS page)
  endif()
endfunction()

function(rockcreek_pages)
  file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/pages/*.md)
  foreach(page IN LISTS pages)
    cmake_path(GET page STEM name)
    rockcreek_page_test(${name} ${page} TIMEOUT 120)
  endforeach()
endfunction()
