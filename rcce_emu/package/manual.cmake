# SPDX-License-Identifier: Apache-2.0
# Pages of section 3, by folder. Functions that belong together share a page; the line below its NAME is the list of them, and
# each of the others becomes a file that leads to it.
set(pages_of_rcce_emu
  MPBalloc RCCE_acquire_lock RCCE_barrier RCCE_bcast RCCE_bit_value RCCE_comm_split RCCE_debug_set RCCE_error_return
  RCCE_error_string RCCE_flag_alloc RCCE_flag_write RCCE_gory_send RCCE_init RCCE_iset_power RCCE_malloc RCCE_malloc_init
  RCCE_power_domain RCCE_probe RCCE_put RCCE_qsort RCCE_recv_test RCCE_reduce RCCE_send RCCE_shmalloc RCCE_ue RCCE_wtime
  RC_COMM_BUFFER_START RC_voltage_level ReadConfigReg memcpy_get rcce_collective rcce_combine rcce_compute rcce_touch readTILEID)
set(pages_of_ircce
  RCCE_dev RCCE_dissemination_barrier RCCE_isend RCCE_memcpy_get RCCE_nb_barrier RCCE_palloc RCCE_recv_probe RCCE_send_mcast
  RCCE_send_pipe RCCE_send_tagged RCCE_shrealloc RCCE_tree_barrier RCCE_try_lock iRCCE_atomic_alloc iRCCE_barrier iRCCE_flag_alloc
  iRCCE_flag_write_tagged iRCCE_get_source iRCCE_init iRCCE_init_wait_list iRCCE_isend iRCCE_isend32 iRCCE_isend_cancel
  iRCCE_issend iRCCE_malloc iRCCE_mcast iRCCE_probe iRCCE_push_ssend_request iRCCE_put iRCCE_ssend iRCCE_wait_list_length
  memcpy_from_mpb)
set(pages_of_algorithms rockcreek_bcast rockcreek_team_create)

set(man3 ${PROJECT_BINARY_DIR}/share/man/man3)
foreach(folder IN ITEMS rcce_emu ircce algorithms)
  foreach(page IN LISTS pages_of_${folder})
    set(file ${PROJECT_SOURCE_DIR}/${folder}/man/${page}.3)
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
