# SPDX-License-Identifier: Apache-2.0
# cmake -DSCHEDULES="a.schedule;b.schedule" -DOUTPUT=schedules.inc -P keep.cmake: what src/on_messages/bcast/schedule.cpp knows by
# name, without the files' comments.
cmake_policy(VERSION 3.21)
set(names)
set(texts)
foreach(schedule IN LISTS SCHEDULES)
  cmake_path(GET schedule STEM name)
  file(STRINGS ${schedule} lines REGEX "^[^#]")
  string(APPEND names " ${name}")
  string(APPEND texts "  {\"${name}\",")
  foreach(line IN LISTS lines)
    string(APPEND texts " \\\n   \"${line}\\n\"")
  endforeach()
  string(APPEND texts "}, \\\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by keep.cmake from algorithms/tuned.
#define ROCKCREEK_KEPT_SCHEDULES \"${names}\"
#define ROCKCREEK_KEPT_TEXTS \\
${texts}
")
