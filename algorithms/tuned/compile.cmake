# SPDX-License-Identifier: Apache-2.0
# cmake -DTABLES="A.csv;B.csv" -DOUTPUT=tuned.inc -P compile.cmake: the rows of core/automatic.hpp's table from those that
# `rccebench tune --store` writes, those of each generation for its programs. Rows copied otherwise than the library's own are left
# out: programs cannot ask for that.
cmake_policy(VERSION 3.21)
foreach(table IN LISTS TABLES)
  file(STRINGS ${table} lines REGEX "^[^#]")
  list(POP_FRONT lines head)
  if(NOT head STREQUAL "machine,core_mhz,rcce,copies,operation,cores,from_bytes,algorithm,options")
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
    list(GET cells 7 algorithm)
    list(GET cells 8 options)
    if(NOT copies STREQUAL "own")
      continue()
    endif()
    # Times of sizes that were measured apart from each other say nothing about the sizes between them.
    set(place "${table} ${core_mhz} ${rcce} ${operation} ${cores} ${bytes} ${algorithm}")
    if(DEFINED "seen ${place}")
      message(FATAL_ERROR "${table}: two rows for ${algorithm} on ${cores} cores from ${bytes} bytes on; measure all sizes by one call of tune")
    endif()
    set("seen ${place}" TRUE)
    string(REPLACE "." "" generation ${rcce})
    string(TOUPPER ${operation} operation)
    foreach(text IN ITEMS algorithm options)
      # An empty element of a list would be none.
      set(word "=${${text}}")
      list(FIND texts_${text} "${word}" number_of_${text})
      if(number_of_${text} LESS 0)
        list(LENGTH texts_${text} number_of_${text})
        list(APPEND texts_${text} "${word}")
      endif()
    endforeach()
    string(APPEND rows_${generation}
      "{${bytes}, ${core_mhz}, ${cores}, ROCKCREEK_${operation}, ${number_of_algorithm}, ${number_of_options}},\n")
  endforeach()
endforeach()
foreach(text IN ITEMS algorithm options)
  foreach(word IN LISTS texts_${text})
    string(SUBSTRING "${word}" 1 -1 word)
    string(APPEND lines_${text} "\"${word}\",\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "// Written by compile.cmake from algorithms/tuned.
constexpr char tuned_algorithms[][40] = {
${lines_algorithm}};
constexpr char tuned_options[][48] = {
${lines_options}};
constexpr Tuned tuned[] = {
#if ROCKCREEK_RCCE == 10
${rows_10}#else
${rows_20}#endif
};
")
