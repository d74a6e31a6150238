# SPDX-License-Identifier: Apache-2.0
# cmake -DTABLE=reductions.csv -DOUTPUT=teams.inc -P compile.cmake: the rows of team/choose.cpp's table.
cmake_policy(VERSION 3.21)
file(STRINGS ${TABLE} lines REGEX "^[^#]")
list(POP_FRONT lines head)
if(NOT head STREQUAL "machine,threads,from_bytes,algorithm")
  message(FATAL_ERROR "${TABLE}: its columns are '${head}', which are not those that table.py writes")
endif()
set(rows "// Written by compile.cmake from algorithms/tuned/teams.\n")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^([^,]*),([^,]*),([^,]*),([^,]*)$" "{\"\\1\", \\2, \\3, \"\\4\"},\n" row "${line}")
  string(APPEND rows "${row}")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
