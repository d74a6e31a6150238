# SPDX-License-Identifier: Apache-2.0
# What follows from the prototypes of the public headers: the calls of a program's image that hand their arguments on (here), and
# the synopses of manual pages (package/manual.cmake). Made again when a header changes.

# In the header's order: prototypes, as `int RCCE_ue(void)`, and the conditions that they stand under, `#ifdef GORY` to `#endif`.
function(rockcreek_prototypes header result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(READ ${header} text)
  string(REGEX REPLACE "/[*][^*]*[*]+([^/*][^*]*[*]+)*/" "" text "${text}") # comments
  string(REPLACE ";" "@" text "${text}") # it would separate the elements of a list
  string(REGEX MATCHALL "\n(#(if|el|endif)[^\n]*|[A-Za-z][A-Za-z_0-9 ]*[ *]+[A-Za-z_0-9]+[(][^@{]*[)](@| {))" found "${text}")
  list(TRANSFORM found REPLACE "^\n|@$| {$" "")
  list(TRANSFORM found REPLACE "[ \n]+" " ")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

# rockcreek_calls(NAME HEADERS files... SOURCES files... PREFIX p ENTRY e DECLARED d PASSED x)
# A call that a header declares and no source of the image defines hands its arguments to the runtime: `PREFIXput(target, ID)` becomes
# `ENTRYput(PASSED, target, ID)`. Writes include/rcce_emu/NAME.inc, these functions, and NAME_entries.inc, the declarations of what they
# call, with the parameters DECLARED first. Communicators and flags, whose layout depends on the variant, go by address.
function(rockcreek_calls name)
  cmake_parse_arguments(ARG "" "PREFIX;ENTRY;DECLARED;PASSED" "HEADERS;SOURCES" ${ARGN})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARG_SOURCES})
  foreach(source IN LISTS ARG_SOURCES)
    file(READ ${source} text)
    string(APPEND written "${text}")
  endforeach()
  foreach(header IN LISTS ARG_HEADERS)
    rockcreek_prototypes(${header} items)
    list(TRANSFORM items REPLACE "^#ifndef" "#ifdef" AT 0) # the header's guard: where it is included
    foreach(item IN LISTS items)
      if(item MATCHES "^#")
        string(APPEND functions "${item}\n")
      elseif(NOT item MATCHES "^static |^[a-z]+ rockcreek_" AND item MATCHES "^([^(]*[ *])([A-Za-z_0-9]+)[(](.*)[)]$")
        set(type "${CMAKE_MATCH_1}")
        set(function ${CMAKE_MATCH_2})
        set(parameters ", ${CMAKE_MATCH_3}")
        if(written MATCHES "API [^\n(]*[ *]${function}[(]")
          continue()
        endif()
        string(REGEX REPLACE "^(${ARG_PREFIX})" "" entry ${function})
        string(REGEX REPLACE "^, void$" "" passed "${parameters}")
        string(REGEX REPLACE ", RCCE_(COMM|FLAG) ([a-z])" ", &\\2" arguments "${passed}")
        string(REGEX REPLACE ", [^,&]*[ *]([A-Za-z_0-9]+)" ", \\1" arguments "${arguments}")
        string(APPEND functions "API ${item} { return ${ARG_ENTRY}${entry}(${ARG_PASSED}${arguments}); }\n")
        set(declaration "${type}${ARG_ENTRY}${entry}(${ARG_DECLARED}${passed}) ROCKCREEK_NOEXCEPT;\n")
        string(REGEX REPLACE "[A-Za-z_]+_(COMM|FLAG|REQUEST) [*]?" "void *" declaration "${declaration}")
        string(REPLACE "t_vcharp " "volatile unsigned char *" declaration "${declaration}")
        string(REPLACE "RCCE_FLAG_STATUS " "int " declaration "${declaration}")
        string(REPLACE "ssize_t " "long " declaration "${declaration}")
        if(NOT declarations MATCHES "[ *]${ARG_ENTRY}${entry}[(]") # of another variant
          string(APPEND declarations "${declaration}")
        endif()
      endif()
    endforeach()
  endforeach()
  foreach(round RANGE 3) # conditions that nothing stands under
    string(REGEX REPLACE "#if[^\n]*\n(#el[^\n]*\n)*#endif\n" "" functions "${functions}")
  endforeach()
  string(REGEX REPLACE "#el[^\n]*\n#endif\n" "#endif\n" functions "${functions}")
  list(TRANSFORM ARG_HEADERS REPLACE ".*/" "" OUTPUT_VARIABLE files)
  string(REPLACE ";" ", " files "${files}")
  set(head "/* Made from ${files} by rcce_emu/interface.cmake. */\n")
  set(calls ${PROJECT_BINARY_DIR}/include/rcce_emu/${name}.inc)
  set(entries ${PROJECT_BINARY_DIR}/include/rcce_emu/${name}_entries.inc)
  file(CONFIGURE OUTPUT ${calls} CONTENT "${head}${functions}" @ONLY)
  file(CONFIGURE OUTPUT ${entries} CONTENT "${head}${declarations}" @ONLY)
  set_property(TARGET rccecc APPEND PROPERTY ROCKCREEK_IMAGE_FILES ${calls} ${entries})
  if(ROCKCREEK_INSTALL)
    install(FILES ${calls} ${entries} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rcce_emu)
  endif()
endfunction()
