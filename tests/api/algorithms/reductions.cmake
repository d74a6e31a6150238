# SPDX-License-Identifier: Apache-2.0
# Reductions: the algorithms by name, on both generations; more in reduction.c.
set(reductions ${algorithms})
list(FILTER reductions INCLUDE REGEX "^((all)?reduce|reduce_scatter|scan)/")

# reduction(NAME NUE words... [ON_THREADS NOT]): the words are the algorithm, the mode, and options.
function(reduction name nue)
  cmake_parse_arguments(ARG "" "GENERATION;ON_THREADS" "" ${ARGN})
  if(NOT ARG_GENERATION)
    set(ARG_GENERATION 2.0)
  endif()
  list(GET ARG_UNPARSED_ARGUMENTS 0 algorithm)
  string(REPLACE "/" "_" algorithm ${algorithm})
  math(EXPR last "${nue} - 1")
  rockcreek_program_test(${algorithm}_${name}_${ARG_GENERATION}_${nue} PROGRAM api_algorithms_reduction_${ARG_GENERATION}
    NUE ${nue} ARGS ${ARG_UNPARSED_ARGUMENTS} STDOUT_HAS "rank 0 ok" "rank ${last} ok" STDOUT_LACKS FAILED LINES ${nue}
    TIMEOUT 120 ON_THREADS ${ARG_ON_THREADS})
endfunction()

foreach(generation IN ITEMS 1.0 2.0)
  rockcreek_program(api_algorithms_reduction_${generation} SOURCES reduction.c LIBRARIES rockcreek_algorithms
    FLAGS -O2 --rcce ${generation} -DVECTORS="${PROJECT_SOURCE_DIR}/tests/shape/vectors")
  set(counts 1 2 3 5 47 48)
  if(generation STREQUAL "1.0")
    set(counts 1 5 24)
  endif()
  foreach(algorithm IN LISTS reductions)
    foreach(nue IN LISTS counts)
      reduction(all ${nue} ${algorithm} all GENERATION ${generation})
    endforeach()
  endforeach()
endforeach()
foreach(algorithm IN LISTS reductions)
  foreach(nue IN ITEMS 2 5 48)
    reduction(mixed ${nue} ${algorithm} mixed)
  endforeach()
endforeach()
foreach(degree IN ITEMS 3 5 64)
  foreach(nue IN ITEMS 7 48)
    reduction(degree_${degree} ${nue} reduce/f_nomial all degree=${degree} ON_THREADS NOT)
  endforeach()
endforeach()
foreach(splits IN ITEMS 0 1 2 16)
  foreach(nue IN ITEMS 3 7 47 48)
    reduction(splits_${splits} ${nue} reduce/f_nomial_split all "splits=${splits} degree=3" ON_THREADS NOT)
  endforeach()
endforeach()

# The same bits whoever comes first, and for each order those of the vectors.
foreach(nue IN ITEMS 3 5 7 12 16)
  set(engines ON_THREADS NOT)
  if(nue EQUAL 12)
    set(engines)
  endif()
  reduction(sums ${nue} reduce/linear sums:sequential ${engines})
  reduction(sums ${nue} allreduce/reduce_bcast sums:sequential ${engines})
  reduction(sums ${nue} reduce/owners sums:sequential ${engines})
  reduction(sums ${nue} allreduce/owners sums:sequential ${engines})
  reduction(sums ${nue} reduce/pair_tree sums:pair_tree ${engines})
  reduction(sums_2 ${nue} reduce/f_nomial sums:pair_tree degree=2 ${engines})
  reduction(sums_3 ${nue} reduce/f_nomial sums:fnomial_f3 degree=3 ${engines})
  reduction(sums_4 ${nue} reduce/f_nomial sums:fnomial_f4 degree=4 ${engines})
  reduction(sums ${nue} reduce/f_nomial_split sums splits=2 ${engines})
  reduction(sums ${nue} allreduce/recursive_doubling sums ${engines})
  reduction(sums ${nue} allreduce/reduce_scatter sums ${engines})
endforeach()
foreach(nue IN ITEMS 8 16)
  reduction(sums_of_powers ${nue} allreduce/recursive_doubling sums:pair_tree ON_THREADS NOT)
  reduction(sums_of_powers ${nue} allreduce/reduce_scatter sums:pair_tree ON_THREADS NOT)
endforeach()
foreach(algorithm IN ITEMS reduce_scatter/linear reduce_scatter/pairwise reduce_scatter/recursive_halving reduce_scatter/direct_put
                           scan/linear scan/recursive_doubling)
  foreach(nue IN ITEMS 5 12)
    reduction(sums ${nue} ${algorithm} sums ON_THREADS NOT)
  endforeach()
endforeach()
reduction(part_24 7 scan/linear all part=24 ON_THREADS NOT)
foreach(algorithm IN ITEMS reduce/dynamic_pair reduce/owners allreduce/owners reduce_scatter/direct_put)
  string(REPLACE "/" "_" name ${algorithm})
  rockcreek_program_test(${name}_checked PROGRAM api_algorithms_reduction_2.0 NUE 12 OPTIONS --check mpb
    ARGS ${algorithm} mixed STDOUT_HAS "rank 11 ok" STDOUT_LACKS FAILED STDERR_LACKS "check" ON_THREADS NOT)
endforeach()

rockcreek_program(api_algorithms_reduction_refused SOURCES reduction_refused.c LIBRARIES rockcreek_algorithms)
rockcreek_program_test(reduction_refused PROGRAM api_algorithms_reduction_refused NUE 5 TIMEOUT 30
  STDERR_HAS "rockcreek_reduce: called before RCCE_init" "rockcreek_reduce: root -3 is out of range 0..4"
    "rockcreek_reduce: root 5 is out of range 0..4" "is no operator; there are RCCE_SUM, RCCE_MIN, RCCE_MAX, RCCE_PROD"
    "is no type; there are RCCE_INT, RCCE_LONG, RCCE_FLOAT, RCCE_DOUBLE" "2147483648 elements are more than 2147483647"
    "there is no algorithm 'reduce/f_nominal' for it, did you mean 'reduce/f_nomial'"
    "there is no algorithm 'allreduce/reduce_bcast' for it" "option 'degree=1' of 'reduce/f_nomial': allowed are 2..64"
    "'reduce/f_nomial' has no option 'splits'" "rockcreek_choose: root -1 is out of range 0..4"
  STDOUT_HAS "rank 0 ok" "rank 4 ok" STDOUT_LACKS FAILED)
