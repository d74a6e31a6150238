# SPDX-License-Identifier: Apache-2.0
# cmake -DTABLES="A.csv;B.csv" -DOUTPUT=tuned.inc -P compile.cmake: the rows of core/automatic.hpp's table from those that
# `rccebench tune --store` writes, those of each generation for its programs. Rows copied otherwise than the library's own are left
# out: programs cannot ask for that.
cmake_policy(VERSION 3.21)
foreach(table IN LISTS TABLES)
  file(STRINGS ${table} lines REGEX "^[^#]")
  list(POP_FRONT lines head)
  if(NOT head STREQUAL "machine,core_mhz,rcce,copies,operation,cores,bytes,rank,algorithm,options,us")
    message(FATAL_ERROR "${table}: its columns are '${head}', which are not those of rccebench tune --store")
  endif()
  foreach(line IN LISTS lines)
    string(REPLACE "," ";" cells "${line}")
    list(GET cells 1 core_mhz)
    list(GET cells 2 rcce)
    list(GET cells 3 copies)
    list(GET cells 4 operation)
    list(GET cells 5 cores)
    list(GET cells 6 bytes)
    list(GET cells 8 algorithm)
    list(GET cells 9 options)
    if(NOT copies STREQUAL "own")
      continue()
    endif()
    string(REPLACE "." "" generation ${rcce})
    string(TOUPPER ${operation} operation)
    string(APPEND rows_${generation} "{${core_mhz}, ROCKCREEK_${operation}, ${cores}, ${bytes}, \"${algorithm}\", \"${options}\"},\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "// Written by compile.cmake from algorithms/tuned.
#if ROCKCREEK_RCCE == 10
${rows_10}#else
${rows_20}#endif
")
