# SPDX-License-Identifier: Apache-2.0
# Debian packages (sh apps/package.sh makes them). The components: runtime, all that it takes to compile, run and
# measure programs; development, what C++ projects take the libraries in by; documentation; mpi, for UEs that are
# processes of an MPI job.
set(CPACK_PACKAGE_NAME rockcreek)
set(CPACK_PACKAGE_CONTACT "the authors of Rockcreek <authors@rockcreek.invalid>")
# Empty: each package has a synopsis of its own, the first line of its description.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF) # debian.sh strips what can be stripped
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/debian.cmake)
set(CPACK_ROCKCREEK_CHARTS "${ROCKCREEK_UPLOT}") # for debian.cmake
set(CPACK_COMPONENTS_ALL runtime development documentation)
if(TARGET rcce_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME rockcreek)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
# CPack would ask for the kind of every file of every package, thousands of the handbook's, to find the one library.
file(WRITE ${PROJECT_BINARY_DIR}/package/shlibs "librcce ${PROJECT_VERSION_MAJOR} rockcreek (= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/triggers ${PROJECT_BINARY_DIR}/package/shlibs)
# rccecc calls the compiler that the pass for waiting loops was built for.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "clang | gcc, libc6-dev")
# The judge of publications.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS python3)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME rockcreek-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "rockcreek (= ${PROJECT_VERSION}), libboost-dev, libfmt-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME rockcreek-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Intel SCC in software: RCCE programs in reproducible chip time
rccecc, rccerun and rccebench compile, run and measure RCCE and iRCCE programs
on a simulated Single-chip Cloud Computer. With the library, the headers of
RCCE and iRCCE, and the course.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME rockcreek-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "rockcreek (= ${PROJECT_VERSION}), openmpi-bin | mpich")
set(CPACK_COMPONENT_MPI_DESCRIPTION "Intel SCC in software: programs over many hosts by MPI
For rccerun --engine mpi, which runs every unit of execution as a process of
an MPI job.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Intel SCC in software: C++ headers, libraries and CMake files
For projects that run jobs themselves, or take collectives for threads.")
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "Intel SCC in software: pages, functions' manual, notebooks
The handbook, the pages beside the code, the changelog, section 3 of the
manual, and the notebooks of the Python module.")

include(CPack)
