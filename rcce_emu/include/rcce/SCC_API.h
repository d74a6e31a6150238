/* SPDX-License-Identifier: Apache-2.0 */
/* SCC_API.h - addresses and configuration registers of the chip, and the functions that reach them. Registers
 * are those of the simulated machine. Needs the type t_vcharp: include RCCE.h first, or define it. */
#ifndef __CONFIG_H__
#define __CONFIG_H__

/* --- sizes
 * ----------------------------------------------------------------------------------------------- */
#define PRIV_SLOTS 6
#define PAGE_DIR_BASE 0x04B00000
#define MPBADDRBITS 13
#define MPBSIZE (1 << MPBADDRBITS)
#ifdef SHMADD
#define SHMADDRBITS 29
#else
#define SHMADDRBITS 26
#endif
#define SHMSIZE (1 << SHMADDRBITS)
/* Those of the chip; for a program that is to run on another mesh, give that mesh's. */
#ifndef NUM_ROWS
#define NUM_ROWS 4
#endif
#ifndef NUM_COLS
#define NUM_COLS 6
#endif
#ifndef NUM_CORES
#define NUM_CORES 2
#endif

/* --- tile numbers (y, x) and core numbers
 * ------------------------------------------------------------------ */
#define TID(x, y) (((y) << 4) + (x))
#define X_TID(tid) ((tid) & 0x0f)
#define Y_TID(tid) ((tid) >> 4)
#define PID(x, y, core) (NUM_CORES * (NUM_COLS * (y) + (x)) + (core))
#define X_PID(pid) ((pid) / NUM_CORES % NUM_COLS)
#define Y_PID(pid) ((pid) / (NUM_CORES * NUM_COLS))
#define Z_PID(pid) ((pid) % NUM_CORES)

/* --- off-chip shared memory, by memory controller
 * ----------------------------------------------------------- */
#ifdef SHMADD
#define SHM_X0_Y0 0x84000000
#define SHM_X5_Y0 0x85000000
#define SHM_X0_Y2 0x86000000
#define SHM_X5_Y2 0x87000000
#else
#define SHM_X0_Y0 0x80000000
#define SHM_X5_Y0 0x81000000
#define SHM_X0_Y2 0x82000000
#define SHM_X5_Y2 0x83000000
#endif
#define SHM_ADDR SHM_X0_Y0

/* --- windows of the tiles: message-passing buffers, configuration registers
 * ---------------------------------- */
#define MPB_X0_Y0 0xc0000000
#define MPB_X1_Y0 0xc1000000
#define MPB_X2_Y0 0xc2000000
#define MPB_X3_Y0 0xc3000000
#define MPB_X4_Y0 0xc4000000
#define MPB_X5_Y0 0xc5000000
#define MPB_X0_Y1 0xc6000000
#define MPB_X1_Y1 0xc7000000
#define MPB_X2_Y1 0xc8000000
#define MPB_X3_Y1 0xc9000000
#define MPB_X4_Y1 0xca000000
#define MPB_X5_Y1 0xcb000000
#define MPB_X0_Y2 0xcc000000
#define MPB_X1_Y2 0xcd000000
#define MPB_X2_Y2 0xce000000
#define MPB_X3_Y2 0xcf000000
#define MPB_X4_Y2 0xd0000000
#define MPB_X5_Y2 0xd1000000
#define MPB_X0_Y3 0xd2000000
#define MPB_X1_Y3 0xd3000000
#define MPB_X2_Y3 0xd4000000
#define MPB_X3_Y3 0xd5000000
#define MPB_X4_Y3 0xd6000000
#define MPB_X5_Y3 0xd7000000
#define MPB_OWN 0xd8000000
#define CRB_X0_Y0 0xe0000000
#define CRB_X1_Y0 0xe1000000
#define CRB_X2_Y0 0xe2000000
#define CRB_X3_Y0 0xe3000000
#define CRB_X4_Y0 0xe4000000
#define CRB_X5_Y0 0xe5000000
#define CRB_X0_Y1 0xe6000000
#define CRB_X1_Y1 0xe7000000
#define CRB_X2_Y1 0xe8000000
#define CRB_X3_Y1 0xe9000000
#define CRB_X4_Y1 0xea000000
#define CRB_X5_Y1 0xeb000000
#define CRB_X0_Y2 0xec000000
#define CRB_X1_Y2 0xed000000
#define CRB_X2_Y2 0xee000000
#define CRB_X3_Y2 0xef000000
#define CRB_X4_Y2 0xf0000000
#define CRB_X5_Y2 0xf1000000
#define CRB_X0_Y3 0xf2000000
#define CRB_X1_Y3 0xf3000000
#define CRB_X2_Y3 0xf4000000
#define CRB_X3_Y3 0xf5000000
#define CRB_X4_Y3 0xf6000000
#define CRB_X5_Y3 0xf7000000
#define CRB_OWN 0xf8000000
/* Tiles 0 ... 23 have such a window each. */
#define MPB_ADDR(x, y, z) (MPB_X0_Y0 + 0x01000000 * ((x) + NUM_COLS * (y)) + 0x2000 * (z))
#define CRB_ADDR(x, y) (CRB_X0_Y0 + 0x01000000 * ((x) + NUM_COLS * (y)))
#define RPC_BASE 0xfb000000

/* --- offsets of the registers in a tile's window
 * ---------------------------------------------------------------- */
#define GLCFG0 0x10
#define GLCFG1 0x18
#define L2CFG0 0x20
#define L2CFG1 0x28
#define SENSOR 0x40
#define GCBCFG 0x80
#define MYTILEID 0x100
#define LOCK0 0x200
#define LOCK1 0x400
#define LUT0 0x800
#define LUT1 0x1000

/* --- bits
 * ------------------------------------------------------------------------------------------------------- */
#define GLCFG_XNMI_BIT 00
#define GLCFG_XINTR_BIT 01
#define GLCFG_XINIT_BIT 02
#define SENSOR_EN_BIT 13
#define LOCK_BIT 00

#ifdef __cplusplus
extern "C" {
#endif

void InitAPI(int printMessages);
void SetConfigBit(unsigned int ConfigAddr, int BitPos, int BitValue);
void SetConfigReg(unsigned int ConfigAddr, int RegValue);
int ReadConfigReg(unsigned int ConfigAddr);
int *MallocConfigReg(unsigned int ConfigAddr); /* a copy of the register's value at the time of the call */
void FreeConfigReg(int *ConfigRegVirtualAddr);
void MPBalloc(t_vcharp *MPB, int x, int y, int core, int isOwn);
void MPBunalloc(t_vcharp *MPB);
void SHMalloc(t_vcharp *SHM);
void SHMunalloc(t_vcharp *SHM);
#ifdef SHMADD_CACHEABLE
int DCMflush(void);
#endif

#ifdef __cplusplus
}
#endif

#endif
