# SPDX-License-Identifier: Apache-2.0
# Every function and variable that the originals' archives offer is in an image of the same variant, and what
# the headers of iRCCE and RWTH have is declared there. Left out are those of the OpenMP emulator alone, which
# stand for its own shared state: RCCE_corelock, RC_comm_buffer, RC_shm_buffer, RCCE_RPC_regulator,
# RC_time_at_birth.
echo 'int main(void) { return 0; }' >empty.c
failed=0

# names VARIANT "rccecc's options" names...: in what is built with these options.
names() {
  variant=$1
  "$BIN/rccecc" $2 empty.c -o empty || exit 1
  shift 2
  nm -D --defined-only empty | cut -d ' ' -f 3 | sort -u >have
  printf '%s\n' $* | sort -u | comm -23 - have >missing
  [ -s missing ] || return 0
  echo "$variant lacks:" $(cat missing)
  failed=1
}

# declared HEADER "rccecc's options" names...: by the header, in what is built with these options.
declared() {
  header=$1 options=$2
  shift 2
  {
    printf '#include "%s"\nconst void *all[] = {' "$header"
    printf '(const void *)%s, ' "$@"
    echo '0};'
    cat empty.c
  } >declared.c
  "$BIN/rccecc" $options declared.c -o declared && return
  echo "$header or its image lacks names: $options"
  failed=1
}

common="
RCCE_init RCCE_finalize RCCE_wtime RCCE_ue RCCE_num_ues RCCE_debug_set RCCE_debug_unset RCCE_error_string
RCCE_send RCCE_recv RCCE_recv_test RCCE_bcast RCCE_reduce RCCE_allreduce
RCCE_barrier RCCE_fence RCCE_comm_split RCCE_comm_free RCCE_comm_size RCCE_comm_rank RCCE_acquire_lock \
RCCE_release_lock
RCCE_shmalloc RCCE_shfree RCCE_shflush RCCE_DCMflush RCCE_shmalloc_init
RCCE_malloc RCCE_malloc_request RCCE_malloc_init RCCE_free RCCE_put RCCE_get
RCCE_flag_alloc RCCE_flag_free RCCE_flag_write RCCE_flag_read RCCE_wait_until RCCE_probe
RCCE_qsort id_compare RCCE_error_return RC_cache_invalidate RCCE_global_color RC_COMM_BUFFER_START
MYCOREID RC_COMM_BUFFER_SIZE RC_SHM_BUFFER_START RC_FREQUENCY RC_global_clock
getCOREID readLUT writeLUT readTILEID
RCCE_COMM_WORLD RCCE_NP RCCE_IAM RCCE_BUFF_SIZE RC_MY_COREID RC_COREID RC_REFCLOCKGHZ RCCE_comm_buffer
RCCE_debug_synch RCCE_debug_comm RCCE_debug_debug RCCE_debug_RPC RCCE_comm_init_val RCCE_flags \
RCCE_fool_write_combine_buffer
RCCE_sent_flag RCCE_ready_flag RCCE_buff_ptr RCCE_chunk RCCE_flags_start virtual_lockaddress RCCE_estrings
InitAPI SetConfigBit SetConfigReg ReadConfigReg MallocConfigReg FreeConfigReg SyncConfigReg MPBalloc \
SHMalloc MPBunalloc
SHMunalloc DCMflush NCMDeviceFD MPBDeviceFD DCMDeviceFD PAGE_SIZE
"
of_2_0="RCCE_put_char RCCE_get_char"
of_1_0="RCCE_shmalloc_request"
big="RCCE_byte_value RCCE_write_byte_value"
small="RCCE_bit_value RCCE_flip_bit_value RCCE_write_bit_value"
power="
RCCE_power_domain RCCE_power_domain_master RCCE_power_domain_size RCCE_iset_power RCCE_wait_power \
RCCE_set_frequency_divider
RCCE_P_COMM RCCE_V_COMM RCCE_F_COMM RCCE_ue_F_masters RCCE_FDOM_masters RCCE_set_power_active \
RCCE_set_frequency
RC_current_voltage_level RC_current_frequency_divider RC_V_MHz_cap RC_frequency_change_words RC_voltage_level
RCCE_init_RPC FID_word VID_word VID_control_value RPC_virtual_address frequency_change_virtual_address
RCCE_V_color RCCE_F_color get_divider print_dividers
"
names "the simplified interface" "" $common $of_2_0 $big
names "the gory interface" -DGORY $common $of_2_0 $big
names "single-bit flags" -DSINGLEBITFLAGS $common $of_2_0 $small
names "power management" -DRC_POWER_MANAGEMENT $common $of_2_0 $big $power
rwth="
RCCE_send_pipe RCCE_recv_pipe RCCE_send_mcast RCCE_recv_mcast RCCE_recv_probe RCCE_recv_cancel RCCE_isend
RCCE_isend_test RCCE_isend_wait RCCE_isend_push RCCE_irecv RCCE_irecv_test RCCE_irecv_wait RCCE_irecv_push
"
rwth_tags="RCCE_send_tagged RCCE_recv_tagged RCCE_recv_probe_tagged"
rwth_gory="RCCE_palloc RCCE_test_flag"
rwth_gory_tags="RCCE_flag_write_tagged RCCE_flag_read_tagged"
rwth_both="
RCCE_shrealloc RCCE_memcpy_get RCCE_memcpy_put RCCE_tree_init RCCE_tree_barrier RCCE_tournament_barrier
RCCE_tournament_fixed_barrier RCCE_dissemination_barrier RCCE_TNS_barrier RCCE_AIR_barrier RCCE_AIR_barrier2
RCCE_nb_barrier RCCE_nb_TNS_barrier RCCE_nb_AIR_barrier RCCE_dev RCCE_dev_ue RCCE_num_dev RCCE_num_ues_dev \
RCCE_ue_to_dev
"
rwth_hidden="RCCE_try_lock RCCE_backoff_lock RCCE_acquire_treelock RCCE_release_treelock" # in no header
common="$common $of_1_0 $big $rwth_hidden $rwth_both"
names "RWTH's RCCE" --rwth $common $rwth $rwth_tags
names "RWTH's RCCE, gory" "--rwth -DGORY" $common $rwth_gory $rwth_gory_tags
rwth_options="--rwth -DSCC_COUPLED_SYSTEMS"
declared RCCE_lib.h "$rwth_options" $rwth $rwth_tags $rwth_both
declared RCCE_lib.h "$rwth_options -DSINGLEBITFLAGS" $rwth $rwth_both
declared RCCE_lib.h "$rwth_options -DGORY" $rwth_gory $rwth_gory_tags $rwth_both
declared RCCE_lib.h "$rwth_options -DGORY -DSINGLEBITFLAGS" $rwth_gory $rwth_both

ircce_all="
iRCCE_init iRCCE_isend iRCCE_isend_test iRCCE_isend_wait iRCCE_isend_push iRCCE_irecv iRCCE_irecv_test
iRCCE_irecv_wait iRCCE_irecv_push iRCCE_send iRCCE_recv iRCCE_init_wait_list iRCCE_add_to_wait_list
iRCCE_test_all iRCCE_wait_all iRCCE_test_any iRCCE_wait_any iRCCE_isend_cancel iRCCE_irecv_cancel iRCCE_put
iRCCE_get iRCCE_memcpy_put iRCCE_memcpy_get iRCCE_add_send_to_wait_list iRCCE_add_recv_to_wait_list
iRCCE_test_flag &iRCCE_isend_queue iRCCE_irecv_queue
"
ircce_2="
iRCCE_ssend iRCCE_srecv iRCCE_srecv_test iRCCE_recv_test iRCCE_issend iRCCE_isrecv iRCCE_probe iRCCE_iprobe
iRCCE_get_dest iRCCE_get_source iRCCE_get_size iRCCE_get_length iRCCE_malloc iRCCE_memcpy iRCCE_flag_alloc
iRCCE_flag_write iRCCE_flag_read iRCCE_wait_until iRCCE_barrier iRCCE_mcast iRCCE_msend iRCCE_mrecv
iRCCE_bcast iRCCE_get_status iRCCE_push_ssend_request iRCCE_push_srecv_request iRCCE_issend_test
iRCCE_isrecv_push &iRCCE_irecv_any_source_queue &iRCCE_ANY_SOURCE
"
tags="
RCCE_flag_alloc_tagged RCCE_flag_write_tagged RCCE_flag_read_tagged RCCE_wait_tagged RCCE_test_tagged
iRCCE_get_max_tagged_len
"
air="
iRCCE_atomic_alloc iRCCE_atomic_inc iRCCE_atomic_read iRCCE_atomic_write iRCCE_atomic_inc_regs
&iRCCE_atomic_alloc_counter iRCCE_atomic_barrier
"
for rcce in "" " --rcce 1.0"; do
  declared iRCCE_lib.h "-D_iRCCE_TAGGED_FLAGS_$rcce" $ircce_all $ircce_2 $tags
  declared iRCCE_lib.h "-D_iRCCE_TAGGED_FLAGS_$rcce -DSINGLEBITFLAGS" $ircce_all $ircce_2
  declared iRCCE_lib.h "-D_iRCCE_TAGGED_FLAGS_$rcce -DAIR" $ircce_all $ircce_2 $tags $air
  declared iRCCE_lib.h "--ircce 1.x$rcce" $ircce_all
done
declared iRCCE_lib.h --rwth $ircce_all
exit $failed
