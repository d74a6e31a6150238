# SPDX-License-Identifier: Apache-2.0
# Operations on blocks: the algorithms by name, on both generations; more in blocks.c.
set(on_blocks ${algorithms})
list(FILTER on_blocks INCLUDE REGEX "^(gather|scatter|allgather|alltoall)/")

# blocks(NAME NUE ALGORITHM MODE [options] [GENERATION ...])
function(blocks name nue)
  cmake_parse_arguments(ARG "" "GENERATION" "" ${ARGN})
  if(NOT ARG_GENERATION)
    set(ARG_GENERATION 2.0)
  endif()
  list(GET ARG_UNPARSED_ARGUMENTS 0 algorithm)
  string(REPLACE "/" "_" algorithm ${algorithm})
  math(EXPR last "${nue} - 1")
  rockcreek_program_test(${algorithm}_${name}_${ARG_GENERATION}_${nue} PROGRAM api_algorithms_blocks_${ARG_GENERATION}
    NUE ${nue} ARGS ${ARG_UNPARSED_ARGUMENTS} STDOUT_HAS "rank 0 ok" "rank ${last} ok" STDOUT_LACKS FAILED LINES ${nue}
    TIMEOUT 120)
endfunction()

foreach(generation IN ITEMS 1.0 2.0)
  rockcreek_program(api_algorithms_blocks_${generation} SOURCES blocks.c LIBRARIES rockcreek_algorithms
    FLAGS -O2 --rcce ${generation})
  set(counts 1 2 3 5 47 48)
  if(generation STREQUAL "1.0")
    set(counts 1 5 24)
  endif()
  foreach(algorithm IN LISTS on_blocks)
    foreach(nue IN LISTS counts)
      blocks(all ${nue} ${algorithm} all GENERATION ${generation})
    endforeach()
  endforeach()
endforeach()
foreach(algorithm IN LISTS on_blocks)
  foreach(nue IN ITEMS 2 5 48)
    blocks(mixed ${nue} ${algorithm} mixed)
  endforeach()
endforeach()
foreach(algorithm IN ITEMS gather/direct_get scatter/direct_put allgather/direct_get alltoall/direct_put)
  string(REPLACE "/" "_" name ${algorithm})
  rockcreek_program_test(${name}_checked PROGRAM api_algorithms_blocks_2.0 NUE 12 OPTIONS --check mpb
    ARGS ${algorithm} mixed STDOUT_HAS "rank 11 ok" STDOUT_LACKS FAILED STDERR_LACKS "check" ON_THREADS NOT)
endforeach()
