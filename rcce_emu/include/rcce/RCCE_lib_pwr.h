/* SPDX-License-Identifier: Apache-2.0 */
/* RCCE_lib_pwr.h - the inside of power management. Needs RCCE_lib.h before it and RC_POWER_MANAGEMENT. */
#ifndef RCCE_LIB_PWR_H
#define RCCE_LIB_PWR_H

#define RC_GLOBAL_CLOCK_MHZ 1600
#define RPC_ROOT 0
#define RC_NUM_VOLTAGE_DOMAINS 6
#define RC_MIN_VOLTAGE_LEVEL 0
#define RC_MAX_VOLTAGE_LEVEL 6
#define RC_NUM_VOLTAGE_LEVELS 7
#define RC_MIN_FREQUENCY_DIVIDER 2
#define RC_MAX_FREQUENCY_DIVIDER 16
#define RC_NUM_FREQUENCY_DIVIDERS 17
#define RC_DEFAULT_VOLTAGE_LEVEL 4
#define RC_DEFAULT_FREQUENCY_DIVIDER 3
#define RPC_PHYSICAL_ADDRESS 0xFB000000
#define TILEDIVIDER 0x80
#define RC_WAIT_CYCLES 1000000

struct triple {
  float volt;
  int VID;
  int MHz_cap;
};

#ifdef __cplusplus
extern "C" {
#endif

extern RCCE_COMM RCCE_V_COMM; /* UEs of the own voltage domain */
extern RCCE_COMM RCCE_F_COMM; /* UEs of the own tile */
extern int RCCE_ue_F_masters[4]; /* first UE of each tile of the own voltage domain; -1 where there is none */
extern int RCCE_FDOM_masters[RC_NUM_VOLTAGE_DOMAINS][4]; /* first core of each tile of a voltage domain */
extern int RCCE_set_power_active;
extern int RC_current_voltage_level;
extern int RC_current_frequency_divider;
extern struct triple RC_V_MHz_cap[RC_NUM_VOLTAGE_LEVELS];
extern unsigned int RC_frequency_change_words[RC_NUM_FREQUENCY_DIVIDERS];

int RCCE_init_RPC(int *cores, int core, int ues); /* part of RCCE_init */
int RCCE_V_color(int rank, void *nothing); /* voltage domain of a UE */
int RCCE_F_color(int rank, void *nothing); /* tile of a UE */
int RC_voltage_level(int Fdiv);            /* least level for a divider */
unsigned int FID_word(int Fdiv);           /* control word of a divider */
unsigned int VID_word(int Vlevel, int domain); /* control word of a level in a logical voltage domain */
int get_divider(int tile);
void print_dividers(void);
long long RC_global_clock(void);
int RCCE_set_frequency(int Fdiv);

#ifdef __cplusplus
}
#endif

#endif
