# SPDX-License-Identifier: Apache-2.0
# cmake -DSCHEDULES="a.schedule;b.schedule" -DOUTPUT=schedules.inc -P keep.cmake: what the rows that carry out schedules know by
# name, by operation, without the files' comments.
cmake_policy(VERSION 3.21)
set(operations bcast reduce allreduce)
foreach(schedule IN LISTS SCHEDULES)
  cmake_path(GET schedule STEM name)
  file(STRINGS ${schedule} lines REGEX "^[^#]")
  list(GET lines 1 operation)
  string(REPLACE "operation " "" operation "${operation}")
  string(APPEND names_${operation} " ${name}")
  string(APPEND texts_${operation} "  {\"${name}\",")
  foreach(line IN LISTS lines)
    string(APPEND texts_${operation} " \\\n   \"${line}\\n\"")
  endforeach()
  string(APPEND texts_${operation} "}, \\\n")
endforeach()
set(all "// Written by keep.cmake from algorithms/tuned.\n")
foreach(operation IN LISTS operations)
  string(APPEND all "#define ROCKCREEK_KEPT_SCHEDULES_${operation} \"${names_${operation}}\"
#define ROCKCREEK_KEPT_TEXTS_${operation} \\
${texts_${operation}}
")
endforeach()
file(WRITE ${OUTPUT} "${all}")
