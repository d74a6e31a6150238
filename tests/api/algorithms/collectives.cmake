# SPDX-License-Identifier: Apache-2.0
# What the tests of all collectives but broadcasts share: a program that is told the algorithm, a mode and options.

# collective(PROGRAM NAME NUE ALGORITHM MODE [options] [GENERATION 1.0] [NIGHTLY] [ON_THREADS NOT])
function(collective program name nue)
  cmake_parse_arguments(ARG "NIGHTLY" "GENERATION;ON_THREADS" "" ${ARGN})
  if(NOT ARG_GENERATION)
    set(ARG_GENERATION 2.0)
  endif()
  set(nightly)
  if(ARG_NIGHTLY)
    set(nightly NIGHTLY)
  endif()
  list(GET ARG_UNPARSED_ARGUMENTS 0 algorithm)
  string(REPLACE "/" "_" algorithm ${algorithm})
  rockcreek_program_test(${algorithm}_${name}_${ARG_GENERATION}_${nue} PROGRAM api_algorithms_${program}_${ARG_GENERATION}
    NUE ${nue} ${nightly} ARGS ${ARG_UNPARSED_ARGUMENTS} ALL_OK LINES ${nue}
    TIMEOUT 120 ON_THREADS ${ARG_ON_THREADS})
endfunction()

# collectives(PROGRAM ALGORITHM... [FLAGS ...]): the program for both generations; each algorithm in mode `all` at odd counts, then `mixed`.
function(collectives program)
  cmake_parse_arguments(ARG "" "" "FLAGS" ${ARGN})
  foreach(generation IN ITEMS 1.0 2.0)
    rockcreek_program(api_algorithms_${program}_${generation} SOURCES ${program}.c LIBRARIES rockcreek_algorithms
      FLAGS -O2 --rcce ${generation} ${ARG_FLAGS})
    set(counts 1 2 3 5 23 47 48)
    if(generation STREQUAL "1.0")
      set(counts 1 5 24)
    endif()
    foreach(algorithm IN LISTS ARG_UNPARSED_ARGUMENTS)
      foreach(nue IN LISTS counts)
        collective(${program} all ${nue} ${algorithm} all GENERATION ${generation} ${nightly_${nue}})
      endforeach()
    endforeach()
  endforeach()
  foreach(algorithm IN LISTS ARG_UNPARSED_ARGUMENTS)
    foreach(nue IN ITEMS 2 5 48)
      collective(${program} mixed ${nue} ${algorithm} mixed)
    endforeach()
  endforeach()
endfunction()

# collectives_checked(PROGRAM ALGORITHM...): --check mpb has nothing to say of them.
function(collectives_checked program)
  foreach(algorithm IN LISTS ARGN)
    string(REPLACE "/" "_" name ${algorithm})
    rockcreek_program_test(${name}_checked PROGRAM api_algorithms_${program}_2.0 NUE 12 OPTIONS --check mpb
      ARGS ${algorithm} mixed ALL_OK STDERR_LACKS "check" ON_THREADS NOT)
  endforeach()
endfunction()
