# SPDX-License-Identifier: Apache-2.0
# CPack runs this between installing into its folder and packing. Only Debian packages are changed; what `cmake --install` writes is not.
if(CPACK_GENERATOR STREQUAL "DEB")
  execute_process(
    COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/debian.sh ${CPACK_TEMPORARY_DIRECTORY} ${CPACK_PACKAGE_VERSION} "${CPACK_PACKAGE_CONTACT}"
      "${CPACK_ROCKCREEK_CHARTS}"
    COMMAND_ERROR_IS_FATAL ANY)
endif()
