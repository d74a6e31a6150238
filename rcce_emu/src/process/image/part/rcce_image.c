/* SPDX-License-Identifier: Apache-2.0 */
/* The static part of every program image: the library's variables, one set per UE because each UE has its own
 * copy of the image, and the public functions of the variant that the program is linked for. rccecc compiles
 * this file at the link step with that variant's macros (GORY, SINGLEBITFLAGS, RC_POWER_MANAGEMENT, SHMADD,
 * SHMADD_CACHEABLE, ROCKCREEK_RCCE, ROCKCREEK_YIELDS, ROCKCREEK_BLIND, RCCE_MAXNP). All work is done by the
 * runtime. Written here are the calls with more to do than to hand their arguments on; CMake makes the others
 * from the headers.
 *
 * Everything public is weak: a program may bring a function or variable of the same name, as it may beside an
 * archive from whose members the linker takes only what is missing. */
#if defined(RCCE_MAXNP) && (RCCE_MAXNP + 0 < 1 || RCCE_MAXNP > 10000)
#error "-DRCCE_MAXNP is the most UEs of a job: give a whole number from 1 to 10000"
#undef RCCE_MAXNP /* what follows is right, so that this is all that is said */
#endif
#include "RCCE.h"
#include "RCCE_lib.h"
#ifdef RC_POWER_MANAGEMENT
#include "RCCE_lib_pwr.h"
#endif
#include "entries.h"
#include "rcce_emu/image.h"

#define API __attribute__((weak, visibility("default")))
#define UE (rockcreek_image.ue)
#define TELLS rockcreek_image.tells

/* --- variables ------------------------------------------------------------------------------------------ */
API ROCKCREEK_WIDE RCCE_COMM RCCE_COMM_WORLD = {0};
API int RCCE_NP = 0;
API int RCCE_IAM = -1;
API int RCCE_BUFF_SIZE = 0;
API int RC_MY_COREID = -1;
API ROCKCREEK_WIDE int RC_COREID[RCCE_MAXNP] = {0};
API double RC_REFCLOCKGHZ = 0;
API ROCKCREEK_WIDE t_vcharp RCCE_comm_buffer[RCCE_MAXNP] = {0};
API int RCCE_debug_synch = 0;
API int RCCE_debug_comm = 0;
API int RCCE_debug_debug = 0;
API int RCCE_debug_RPC = 0;
API int RCCE_comm_init_val = 0;
API RCCE_FLAG_LINE RCCE_flags = {{0}, 0, 0, 0};
API t_vcharp RCCE_fool_write_combine_buffer = 0;
API ROCKCREEK_WIDE RCCE_FLAG RCCE_sent_flag[RCCE_MAXNP] = {0};
API ROCKCREEK_WIDE RCCE_FLAG RCCE_ready_flag[RCCE_MAXNP] = {0};
API t_vcharp RCCE_buff_ptr = 0;
API size_t RCCE_chunk = 0;
API t_vcharp RCCE_flags_start = 0;

/* On the chip these point to the cores' test-and-set registers. Plain memory cannot act like one: use the
 * lock calls. */
static volatile int lock_words[RCCE_MAXNP];
API ROCKCREEK_WIDE volatile int *virtual_lockaddress[RCCE_MAXNP] = {0};

API const char *RCCE_estrings[] = {
#include "rcce_emu/error_strings.h"
};

#ifdef RC_POWER_MANAGEMENT
API RCCE_COMM RCCE_P_COMM = {0};
API RCCE_COMM RCCE_V_COMM = {0};
API RCCE_COMM RCCE_F_COMM = {0};
API int RCCE_ue_F_masters[4] = {-1, -1, -1, -1};
API int RCCE_set_power_active = 0;
API int RC_current_voltage_level = RC_DEFAULT_VOLTAGE_LEVEL;
API int RC_current_frequency_divider = RC_DEFAULT_FREQUENCY_DIVIDER;
API int RCCE_FDOM_masters[RC_NUM_VOLTAGE_DOMAINS][4] = {
  {0, 2, 12, 14}, {4, 6, 16, 18}, {8, 10, 20, 22}, {24, 26, 36, 38}, {28, 30, 40, 42}, {32, 34, 44, 46},
};
API struct triple RC_V_MHz_cap[RC_NUM_VOLTAGE_LEVELS] = {
#if ROCKCREEK_RCCE >= 20
  {0.8f, 0x80, 460},
#else
  {0.7f, 0x70, 460},
#endif
  {0.8f, 0x80, 598},  {0.9f, 0x90, 644},  {1.0f, 0xa0, 748},
  {1.1f, 0xb0, 875},  {1.2f, 0xc0, 1024}, {1.3f, 0xd0, 1198},
};
#define DIVIDER(d) (0x38e0u + 0x3801u * ((d)-1))
API unsigned int RC_frequency_change_words[RC_NUM_FREQUENCY_DIVIDERS] = {
    0,           DIVIDER(1),  DIVIDER(2),  DIVIDER(3),  DIVIDER(4),  DIVIDER(5),
    DIVIDER(6),  DIVIDER(7),  DIVIDER(8),  DIVIDER(9),  DIVIDER(10), DIVIDER(11),
    DIVIDER(12), DIVIDER(13), DIVIDER(14), DIVIDER(15), DIVIDER(16),
};
API unsigned int VID_control_value = 0; /* the last control word that this UE has asked a voltage by */
/* On the chip these lead to the voltage regulator's register and to the clock registers of the domain's
 * tiles. Plain words cannot act like registers: use the calls, or SetConfigReg(). */
static volatile int regulator_word, clock_words[4];
API volatile int *RPC_virtual_address = &regulator_word;
API volatile int *frequency_change_virtual_address[4] = {&clock_words[0], &clock_words[1], &clock_words[2],
                                                         &clock_words[3]};
#endif

#ifdef ROCKCREEK_MEMORY
unsigned long rockcreek_lines[ROCKCREEK_LINES];
#endif
#ifdef ROCKCREEK_UNCOUNTED
API const char rockcreek_uncounted[] = ROCKCREEK_UNCOUNTED; /* objects whose code counts nothing */
#endif
/* Visible: libraries of the program's own count here, too. */
#define WORD(name, member, place, bytes)                                                         \
  __asm__(".globl " #name "\n.type " #name ", @object\n.size " #name ", " #bytes "\n.set " #name \
          ", rockcreek_image + " #place);                                                        \
  _Static_assert(offsetof(struct rockcreek_image, member) == place, #name " is that member")
WORD(rockcreek_most_cycles, most_cycles, 16, 4);
WORD(rockcreek_cycles_left, cycles_left, 20, 4);
WORD(rockcreek_own_cycles, cycles, 24, 8);
WORD(rockcreek_waits_until, waits_until, 56, 8);
_Static_assert(sizeof(RCCE_COMM) <= 0xffff, "it fits its member");

/* Kept out of the dynamic symbol search of other images by -Bsymbolic; the loader looks it up in each
 * copy. */
__attribute__((visibility("default"))) struct rockcreek_image rockcreek_image = {
  .abi = ROCKCREEK_IMAGE_ABI,
  .generation = ROCKCREEK_RCCE,
#ifdef SINGLEBITFLAGS
  .smallflags = 1,
#endif
#ifdef GORY
  .gory = 1,
#endif
#ifdef RC_POWER_MANAGEMENT
  .power = 1,
#endif
#ifdef ROCKCREEK_YIELDS
  .yields = 1,
#endif
#ifdef ROCKCREEK_COUNTS
  .counts = 1,
#endif
#ifdef ROCKCREEK_MEMORY
  .memory = 1,
#endif
#ifdef ROCKCREEK_BLIND
  .blind = 1,
#endif
  .most_cycles = ROCKCREEK_MOST_CYCLES,
  .cycles_left = ROCKCREEK_MOST_CYCLES,
  .max_np = RCCE_MAXNP,
  .mpb_bytes = RCCE_BUFF_SIZE_MAX,
  .shared_memory_bytes = RCCE_SHM_SIZE_MAX,
#ifdef SHMADD_CACHEABLE
  .shared_memory_cacheable = 1,
#endif
  .flag_bytes = sizeof(RCCE_FLAG),
  .comm_bytes = sizeof(RCCE_COMM),
  .comm_member = offsetof(RCCE_COMM, member),
  .comm_gather = offsetof(RCCE_COMM, gather),
  .comm_release = offsetof(RCCE_COMM, release),
  .np = &RCCE_NP,
  .iam = &RCCE_IAM,
  .my_coreid = &RC_MY_COREID,
  .coreid = RC_COREID,
  .refclock_ghz = &RC_REFCLOCKGHZ,
  .buff_size = &RCCE_BUFF_SIZE,
  .comm_buffer = RCCE_comm_buffer,
  .debug_synch = &RCCE_debug_synch,
  .debug_comm = &RCCE_debug_comm,
  .debug_debug = &RCCE_debug_debug,
  .debug_rpc = &RCCE_debug_RPC,
  .comm_world = &RCCE_COMM_WORLD,
  .sent_flag = RCCE_sent_flag,
  .ready_flag = RCCE_ready_flag,
  .buff_ptr = &RCCE_buff_ptr,
  .flags_start = &RCCE_flags_start,
  .fool_write_combine_buffer = &RCCE_fool_write_combine_buffer,
  .chunk = (unsigned long *)&RCCE_chunk,
#ifdef RC_POWER_MANAGEMENT
  .p_comm = &RCCE_P_COMM,
  .v_comm = &RCCE_V_COMM,
  .f_comm = &RCCE_F_COMM,
  .power_active = &RCCE_set_power_active,
  .voltage_level = &RC_current_voltage_level,
  .frequency_divider = &RC_current_frequency_divider,
  .f_masters = RCCE_ue_F_masters,
#endif
};

#include "waiting.h"

/* Of gcc's -fsanitize-coverage=trace-pc (rccecc --spin-hooks): called at every basic block, so far more often
 * than memory is read. */
#define BLOCKS_BETWEEN_YIELDS 1024
API void __sanitizer_cov_trace_pc(void);
API void __sanitizer_cov_trace_pc(void) {
  static int blocks = BLOCKS_BETWEEN_YIELDS;
  if (--blocks > 0) return;
  blocks = BLOCKS_BETWEEN_YIELDS;
  rockcreek_spin_rounds(UE, ROUNDS_BETWEEN_YIELDS, NONE);
}

/* --- start, end, identity, time ------------------------------------------------------------------------- */
API int RCCE_init(int *argc, char ***argv) {
  const int error = rockcreek_init(UE, argc, argv);
#ifndef ROCKCREEK_BLIND
  int rank;
  for (rank = 0; rank < RCCE_NP; rank++) virtual_lockaddress[rank] = &lock_words[rank];
#endif
#ifdef ROCKCREEK_RWTH
  if (error == RCCE_SUCCESS) printf("My rank is %d, physical core ID is %d\n", RCCE_IAM, RC_MY_COREID);
#endif
  return error;
}
API int RCCE_ue(void) { return RCCE_IAM; }
API int RCCE_num_ues(void) { return RCCE_NP; }

/* --- diagnostics ---------------------------------------------------------------------------------------- */
API int RCCE_debug_set(int flag) { return rockcreek_debug_switch(UE, "RCCE_debug_set", flag, 1); }
API int RCCE_debug_unset(int flag) { return rockcreek_debug_switch(UE, "RCCE_debug_unset", flag, 0); }

/* --- messages ------------------------------------------------------------------------------------------- */
#if defined(ROCKCREEK_RWTH) && !defined(GORY)
/* RWTH's are in the part of the image that iRCCE brings. */
#elif defined(GORY)
API int RCCE_send(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent,
                  size_t size, int dest) {
  return rockcreek_send_gory(UE, privbuf, combuf, chunk, ready, sent, size, dest);
}
#ifdef ROCKCREEK_RWTH
#define PROBE \
  , RCCE_FLAG *probe /* set with `sent` for those who look for any message; receiving goes by `sent` */
#else
#define PROBE
#endif
API int RCCE_recv(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent,
                  size_t size, int source PROBE) {
  return rockcreek_recv_gory(UE, privbuf, combuf, chunk, ready, sent, size, source, NULL);
}
API int RCCE_recv_test(char *privbuf, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready, RCCE_FLAG *sent,
                       size_t size, int source, int *test PROBE) {
  return rockcreek_recv_gory(UE, privbuf, combuf, chunk, ready, sent, size, source, test);
}
#else
API int RCCE_send(char *privbuf, size_t size, int dest) { return rockcreek_send(UE, privbuf, size, dest); }
API int RCCE_recv(char *privbuf, size_t size, int source) {
  return rockcreek_recv(UE, privbuf, size, source);
}
API int RCCE_recv_test(char *privbuf, size_t size, int source, int *test) {
  return rockcreek_recv_test(UE, privbuf, size, source, test);
}
#endif
API int RCCE_bcast(char *buf, size_t num, int root, RCCE_COMM comm) {
  return rockcreek_comm_bcast(UE, buf, num, root, &comm);
}
API int RCCE_reduce(char *inbuf, char *outbuf, int num, int type, int op, int root, RCCE_COMM comm) {
  return rockcreek_comm_reduce(UE, inbuf, outbuf, num, type, op, root, &comm);
}
API int RCCE_allreduce(char *inbuf, char *outbuf, int num, int type, int op, RCCE_COMM comm) {
  return rockcreek_comm_allreduce(UE, inbuf, outbuf, num, type, op, &comm);
}

/* --- communicators, synchronisation --------------------------------------------------------------------- */
API int RCCE_comm_split(int (*color)(int, void *), void *aux, RCCE_COMM *comm) {
#ifdef ROCKCREEK_RWTH
  if (comm) comm->cycle = comm->count = comm->step = comm->label = 0;
#endif
  return rockcreek_comm_split(UE, color, aux, comm);
}
API int RCCE_barrier(RCCE_COMM *comm) { return rockcreek_comm_barrier(UE, comm); }
#ifndef ROCKCREEK_RWTH
API int RCCE_acquire_lock(int ID) { return rockcreek_acquire_lock(UE, ID); }
#endif
API int RCCE_global_color(int rank, void *nothing) {
  (void)rank;
  (void)nothing;
  return 1;
}

/* --- MPB memory and flags ------------------------------------------------------------------------------- */
#if !defined(ROCKCREEK_RWTH) || defined(GORY)
API t_vcharp RCCE_malloc(size_t size) { return rockcreek_malloc(UE, size); }
#endif
API int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *val, int ID) {
  int value = 0;
  const int result = rockcreek_flag_read(UE, &flag, val ? &value : NULL, ID);
  if (val && result == RCCE_SUCCESS) *val = value;
  return result;
}
#ifdef SINGLEBITFLAGS
API RCCE_FLAG_STATUS RCCE_bit_value(t_vcharp line_address, int location) {
  return rockcreek_own_byte(UE, line_address + location / 8) >> location % 8 & 1;
}
API int RCCE_write_bit_value(t_vcharp line_address, int location, RCCE_FLAG_STATUS value) {
  const int mask = 1 << location % 8;
  if (value == 0 || value == 1)
    rockcreek_set_own_byte(UE, line_address + location / 8, mask, value ? mask : 0);
  return RCCE_SUCCESS;
}
API RCCE_FLAG_STATUS RCCE_flip_bit_value(t_vcharp line_address, int location) {
  const RCCE_FLAG_STATUS flipped = !RCCE_bit_value(line_address, location);
  RCCE_write_bit_value(line_address, location, flipped);
  return flipped;
}
#else
API RCCE_FLAG_STATUS RCCE_byte_value(t_vcharp address) { return rockcreek_own_byte(UE, address); }
API int RCCE_write_byte_value(t_vcharp address, RCCE_FLAG_STATUS value) {
  rockcreek_set_own_byte(UE, address, 0xff, value);
  return RCCE_SUCCESS;
}
#endif

/* --- off-chip shared memory ----------------------------------------------------------------------------- */
API t_vcharp RCCE_shmalloc_request(size_t size, size_t *chunk) {
  return rockcreek_shmalloc_request(UE, size, chunk);
}
API int RCCE_DCMflush(void) {
  rockcreek_shflush(UE);
  return (int)rockcreek_image.shared_memory_cacheable;
}

/* --- internals that programs use ------------------------------------------------------------------------ */
API int RCCE_qsort(char *base, size_t n, size_t elsize, int (*cmp)(const void *, const void *)) {
  rockcreek_sort(base, n, elsize, cmp);
  return RCCE_SUCCESS;
}
API int id_compare(const void *a, const void *b) {
  const int left = *(const int *)a, right = *(const int *)b;
  return (left > right) - (left < right);
}
int MYCOREID(void);
API int MYCOREID(void) { return RC_MY_COREID; }
API t_vcharp RC_COMM_BUFFER_START(int rank) { return rockcreek_mpb_start(UE, rank); }
int RC_COMM_BUFFER_SIZE(void);
API int RC_COMM_BUFFER_SIZE(void) { return RCCE_BUFF_SIZE_MAX * RCCE_MAXNP; }
t_vcharp RC_SHM_BUFFER_START(void);
API t_vcharp RC_SHM_BUFFER_START(void) { return rockcreek_shared_memory(UE); }
long long RC_FREQUENCY(void);
API long long RC_FREQUENCY(void) { return (long long)(RC_REFCLOCKGHZ * 1e9); }
long long RC_global_clock(void);
API long long RC_global_clock(void) { return rockcreek_cycles(UE); }

/* --- power ---------------------------------------------------------------------------------------------- */
#ifdef RC_POWER_MANAGEMENT
API int RCCE_iset_power(int Fdiv, RCCE_REQUEST *req, int *new_Fdiv, int *new_Vlevel) {
  const int result = rockcreek_iset_power(UE, Fdiv, req, new_Fdiv, new_Vlevel);
  if (result == RCCE_SUCCESS && RCCE_P_COMM.member[0] == RCCE_IAM)
    VID_control_value = VID_word(*new_Vlevel, RCCE_V_color(RCCE_IAM, NULL));
  return result;
}
API int RCCE_set_frequency(int Fdiv) {
  int divider;
  return RCCE_set_frequency_divider(Fdiv, &divider);
}
API int RCCE_F_color(int rank, void *nothing) {
  (void)nothing;
  return RC_COREID[rank] / 2;
}
API int RCCE_V_color(int rank, void *nothing) {
  const int tile = RCCE_F_color(rank, nothing);
  return tile % 6 / 2 + 3 * (tile / 6 / 2);
}
API int RC_voltage_level(int Fdiv) {
  int level;
  for (level = 0; level < RC_NUM_VOLTAGE_LEVELS; level++)
    if (RC_V_MHz_cap[level].MHz_cap >= RC_GLOBAL_CLOCK_MHZ / Fdiv) return level;
  return -1;
}
API unsigned int FID_word(int Fdiv) { return RC_frequency_change_words[Fdiv]; }
API unsigned int VID_word(int Vlevel, int domain) {
  static const unsigned int controller_number[RC_NUM_VOLTAGE_DOMAINS] = {4, 5, 7, 0, 1, 3};
  return (1u << 16) + (controller_number[domain] << 8) + (unsigned int)RC_V_MHz_cap[Vlevel].VID;
}
/* RCCE_init has done it. */
API int RCCE_init_RPC(int *cores, int core, int ues) {
  (void)cores;
  (void)core;
  (void)ues;
  return RCCE_SUCCESS;
}
#endif

/* --- registers and addresses of the chip: SCC_API.h ----------------------------------------------------- */
#include "SCC_API.h"

/* The chip's memory devices, as if they were closed: what they would give is had by MPBalloc() and
 * SHMalloc(). */
#undef PAGE_SIZE
API int NCMDeviceFD = -1, MPBDeviceFD = -1, DCMDeviceFD = -1, PAGE_SIZE = 4096;

API void InitAPI(int printMessages) {
  if (printMessages == 1) printf("Successfully opened RCKMEM driver devices!\n");
}
API int ReadConfigReg(unsigned int ConfigAddr) { return rockcreek_read_register(UE, ConfigAddr); }
API void SetConfigReg(unsigned int ConfigAddr, int RegValue) {
  rockcreek_write_register(UE, ConfigAddr, RegValue);
}
API void SetConfigBit(unsigned int ConfigAddr, int BitPos, int BitValue) {
  const int bit = (int)(1u << BitPos), others = ReadConfigReg(ConfigAddr) & ~bit;
  SetConfigReg(ConfigAddr, BitValue ? others | bit : others);
}
API int *MallocConfigReg(unsigned int ConfigAddr) {
  int *copy = (int *)malloc(sizeof(int));
  if (copy) *copy = ReadConfigReg(ConfigAddr);
  return copy;
}
/* Waits until a store to a register has arrived; SetConfigReg() returns no earlier. */
int SyncConfigReg(t_vcharp ConfigRegVirtualAddr);
API int SyncConfigReg(t_vcharp ConfigRegVirtualAddr) { return *(volatile int *)ConfigRegVirtualAddr; }
API void FreeConfigReg(int *ConfigRegVirtualAddr) { free(ConfigRegVirtualAddr); }
API void MPBalloc(t_vcharp *MPB, int x, int y, int core, int isOwn) {
  (void)isOwn;
  *MPB = rockcreek_mpb_of_tile(UE, x, y, core);
  if (!*MPB) printf("MPBalloc: Invalid coordinates (x=%0d, y=%0d, core=%0d)\n", x, y, core);
}
API void MPBunalloc(t_vcharp *MPB) { *MPB = NULL; }
API void SHMalloc(t_vcharp *SHM) { *SHM = rockcreek_shared_memory(UE); }
API void SHMunalloc(t_vcharp *SHM) { *SHM = NULL; }
int DCMflush(void);
API int DCMflush(void) { return RCCE_DCMflush(); }
unsigned getCOREID(void);
API unsigned getCOREID(void) { return (unsigned)ReadConfigReg(CRB_OWN + MYTILEID) & 7u; }
unsigned readLUT(unsigned slot);
API unsigned readLUT(unsigned slot) {
  return (unsigned)ReadConfigReg(CRB_OWN + (getCOREID() ? LUT1 : LUT0) + 8 * slot);
}
void writeLUT(unsigned slot, unsigned value);
API void writeLUT(unsigned slot, unsigned value) {
  SetConfigReg(CRB_OWN + (getCOREID() ? LUT1 : LUT0) + 8 * slot, (int)value);
}
unsigned readTILEID(void);
API unsigned readTILEID(void) { return (unsigned)ReadConfigReg(CRB_OWN + MYTILEID); }

/* --- all other calls of the headers: they hand their arguments to the runtime --------------------------- */
#include "rcce_emu/calls.inc"
