# SPDX-License-Identifier: Apache-2.0
# Reductions: the algorithms by name, on both generations; more in reduction.c.
set(reductions ${algorithms})
list(FILTER reductions INCLUDE REGEX "^((all)?reduce|reduce_scatter|scan)/")

collectives(reduction ${reductions} FLAGS -DVECTORS="${PROJECT_SOURCE_DIR}/tests/shape/vectors")
foreach(degree IN ITEMS 3 5 64)
  foreach(nue IN ITEMS 7 48)
    collective(reduction degree_${degree} ${nue} reduce/f_nomial all degree=${degree} ON_THREADS NOT)
  endforeach()
endforeach()
foreach(splits IN ITEMS 0 1 2 16)
  foreach(nue IN ITEMS 3 7 47 48)
    collective(reduction splits_${splits} ${nue} reduce/f_nomial_split all "splits=${splits} degree=3" ON_THREADS NOT)
  endforeach()
endforeach()

# The same bits whoever comes first, and for each order those of the vectors.
foreach(nue IN ITEMS 3 5 7 12 16)
  set(engines ON_THREADS NOT)
  if(nue EQUAL 12)
    set(engines)
  endif()
  collective(reduction sums ${nue} reduce/linear sums:sequential ${engines})
  collective(reduction sums ${nue} allreduce/reduce_bcast sums:sequential ${engines})
  collective(reduction sums ${nue} reduce/owners sums:sequential ${engines})
  collective(reduction sums ${nue} allreduce/owners sums:sequential ${engines})
  collective(reduction sums ${nue} reduce/chain sums ${engines})
  collective(reduction sums ${nue} reduce/tagged sums ${engines})
  collective(reduction sums ${nue} allreduce/tagged sums ${engines})
  collective(reduction sums ${nue} reduce/grouped_owners sums ${engines})
  collective(reduction sums ${nue} allreduce/grouped_owners sums "cluster=4 round=64" ${engines})
  collective(reduction sums ${nue} reduce/nested_groups sums cluster=3 ${engines})
  collective(reduction sums ${nue} reduce/schedule sums ${engines})
  collective(reduction sums ${nue} allreduce/schedule sums ${engines})
  collective(reduction sums ${nue} reduce/pair_tree sums:pair_tree ${engines})
  collective(reduction sums_2 ${nue} reduce/f_nomial sums:pair_tree degree=2 ${engines})
  collective(reduction sums_3 ${nue} reduce/f_nomial sums:fnomial_f3 degree=3 ${engines})
  collective(reduction sums_4 ${nue} reduce/f_nomial sums:fnomial_f4 degree=4 ${engines})
  collective(reduction sums ${nue} reduce/f_nomial_split sums splits=2 ${engines})
  collective(reduction sums ${nue} allreduce/recursive_doubling sums ${engines})
  collective(reduction sums ${nue} allreduce/reduce_scatter sums ${engines})
endforeach()
foreach(nue IN ITEMS 8 16)
  collective(reduction sums_of_powers ${nue} allreduce/recursive_doubling sums:pair_tree ON_THREADS NOT)
  collective(reduction sums_of_powers ${nue} allreduce/reduce_scatter sums:pair_tree ON_THREADS NOT)
  collective(reduction sums_of_powers ${nue} allreduce/tagged sums:pair_tree ON_THREADS NOT)
endforeach()
foreach(algorithm IN ITEMS reduce_scatter/linear reduce_scatter/pairwise reduce_scatter/recursive_halving reduce_scatter/direct_put
                           scan/linear scan/recursive_doubling)
  foreach(nue IN ITEMS 5 12)
    collective(reduction sums ${nue} ${algorithm} sums ON_THREADS NOT)
  endforeach()
endforeach()
foreach(part IN ITEMS 32 100 1000000)
  collective(reduction part_${part} 7 reduce/chain all part=${part} ON_THREADS NOT)
endforeach()
foreach(nue IN ITEMS 3 12)
  collective(reduction long_sums ${nue} reduce/owners long_sums ON_THREADS NOT)
  collective(reduction long_sums ${nue} allreduce/owners long_sums ON_THREADS NOT)
endforeach()
# Ranks that own a segment together, and ranks that are left over.
foreach(owners IN ITEMS 1 5 8 32)
  collective(reduction owners_${owners} 19 reduce/grouped_owners all owners=${owners} ON_THREADS NOT)
endforeach()
# Clusters of all sizes; ranks that are left over; more levels than two; turns of an MPB and rounds.
foreach(cluster IN ITEMS 2 3 5 19)
  collective(reduction cluster_${cluster} 19 allreduce/grouped_owners all "cluster=${cluster} round=256" ON_THREADS NOT)
  collective(reduction cluster_${cluster} 19 reduce/nested_groups all cluster=${cluster} ON_THREADS NOT)
endforeach()
foreach(nue IN ITEMS 7 12)
  collective(reduction long_sums ${nue} allreduce/grouped_owners long_sums ON_THREADS NOT)
  collective(reduction long_sums ${nue} reduce/nested_groups long_sums ON_THREADS NOT)
endforeach()
foreach(nue IN ITEMS 2 3 12)
  collective(reduction by_rank ${nue} reduce/owners all operands=by_rank ON_THREADS NOT)
endforeach()
collective(reduction part_24 7 scan/linear all part=24 ON_THREADS NOT)
collectives_checked(reduction reduce/dynamic_pair reduce/owners reduce/chain reduce/tagged allreduce/owners
  allreduce/tagged allreduce/grouped_owners reduce/nested_groups
  reduce_scatter/direct_put)

rockcreek_program(api_algorithms_reduction_refused SOURCES reduction_refused.c LIBRARIES rockcreek_algorithms)
rockcreek_program_test(reduction_refused PROGRAM api_algorithms_reduction_refused NUE 5 TIMEOUT 30
  STDERR_HAS "rockcreek_reduce: called before RCCE_init" "rockcreek_reduce: root -3 is out of range 0..4"
    "rockcreek_reduce: root 5 is out of range 0..4" "is no operator; there are RCCE_SUM, RCCE_MIN, RCCE_MAX, RCCE_PROD"
    "is no type; there are RCCE_INT, RCCE_LONG, RCCE_FLOAT, RCCE_DOUBLE" "2147483648 elements are more than 2147483647"
    "there is no algorithm 'reduce/f_nominal' for it, did you mean 'reduce/f_nomial'"
    "there is no algorithm 'allreduce/reduce_bcast' for it" "option 'degree=1' of 'reduce/f_nomial': allowed are 2..64"
    "'reduce/f_nomial' has no option 'splits'" "rockcreek_choose: root -1 is out of range 0..4"
  ALL_OK)

# Flags of single bits have no room for data.
rockcreek_program(api_algorithms_reduction_bits SOURCES reduction.c LIBRARIES rockcreek_algorithms
  FLAGS -O2 -DSINGLEBITFLAGS -DVECTORS="${PROJECT_SOURCE_DIR}/tests/shape/vectors")
foreach(operation IN ITEMS reduce allreduce)
  rockcreek_program_test(${operation}_tagged_bits PROGRAM api_algorithms_reduction_bits NUE 3 ARGS ${operation}/tagged all
    STATUS 1 STDERR_HAS "${operation}/tagged: flags of single bits have no room for data; compile and link without -DSINGLEBITFLAGS")
endforeach()
rockcreek_program_test(reduction_auto_bits PROGRAM api_algorithms_reduction_bits NUE 3 ARGS auto all ALL_OK)
