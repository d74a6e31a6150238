# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCES="a.cpp;b.cpp" -DOUTPUT=unit.cpp -P unit.cmake: the sources as one. Headers come first. Each algorithm has a
# namespace of its own, for every one has a function `run`. Its row is weak: a program's row of that identifier takes its place.
cmake_policy(VERSION 3.21)
foreach(source IN LISTS SOURCES)
  file(STRINGS ${source} lines REGEX "^#include .*[^c][\">]$") # not of .inc
  list(APPEND headers ${lines})
  file(STRINGS ${source} lines REGEX "^#define ") # what a header is asked for
  list(PREPEND headers ${lines})
  if(source MATCHES "/on_messages/([a-z_]+)/([a-z_]+)[.]cpp$")
    set(row ${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
    string(APPEND text "#pragma weak rockcreek_row_${row}\n"
      "namespace of_${row} {\nnamespace algorithms {\nusing namespace ::algorithms;\n}\n#include \"${source}\"\n} // namespace of_${row}\n")
  else()
    string(APPEND text "#include \"${source}\"\n")
  endif()
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT "// Written by unit.cmake.\n@headers@\n@text@")
