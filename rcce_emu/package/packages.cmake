# SPDX-License-Identifier: Apache-2.0
# Debian packages (sh apps/package.sh makes them). The components: runtime, all that it takes to compile, run and
# measure programs; development, what C++ projects take the libraries in by; documentation.
set(CPACK_PACKAGE_NAME rockcreek)
set(CPACK_PACKAGE_CONTACT "the authors of Rockcreek <authors@rockcreek.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF) # images of programs are loaded by their sections
set(CPACK_COMPONENTS_ALL runtime development documentation)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE gzip)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME rockcreek)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
# rccecc calls the compiler that the pass for waiting loops was built for.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "clang | gcc, libc6-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME rockcreek-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "rockcreek (= ${PROJECT_VERSION}), libboost-dev, libfmt-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME rockcreek-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "rccecc, rccerun, rccebench, their library, headers of RCCE and iRCCE, the course.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "C++ headers, libraries and CMake files for projects that run jobs themselves.")
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "Pages, changelog, notebooks.")

include(CPack)
