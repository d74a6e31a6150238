# SPDX-License-Identifier: Apache-2.0
# Pages of section 3: those of each folder's man/. Functions that belong together share a page; the line below its NAME is the
# list of them, and each of the others becomes a file that leads to it.
set(man3 ${PROJECT_BINARY_DIR}/share/man/man3)
foreach(folder IN ITEMS rcce_emu ircce algorithms)
  file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/man/*.3)
  foreach(file IN LISTS pages)
    cmake_path(GET file STEM LAST_ONLY page)
    configure_file(${file} ${man3}/${page}.3 COPYONLY)
    file(STRINGS ${file} name REGEX " \\\\- " LIMIT_COUNT 1)
    string(REGEX REPLACE " \\\\- .*" "" names "${name}")
    string(REPLACE ", " ";" names "${names}")
    list(REMOVE_ITEM names ${page})
    foreach(other IN LISTS names)
      file(CONFIGURE OUTPUT ${man3}/${other}.3 CONTENT ".so man3/${page}.3\n")
    endforeach()
  endforeach()
endforeach()
install(DIRECTORY ${man3} DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT documentation)

# `man rccerun` finds them beside the commands of the build tree, which are in its PATH; installed they are by each command's own rule.
foreach(page IN ITEMS rcce_emu/man/rccerun rcce_emu/man/rccecc rcce_emu/man/rccec++ apps/rccebench apps/rcceinfo)
  get_filename_component(name ${page} NAME)
  configure_file(${PROJECT_SOURCE_DIR}/${page}.1 ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1 COPYONLY)
endforeach()
