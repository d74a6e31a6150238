/* SPDX-License-Identifier: Apache-2.0 */
/* An algorithm: one row of the table, defined by ROCKCREEK_ALGORITHM in the one file that holds its code.
   Tests, help texts, `rccebench compare` and programs find it by its name. The file may lie outside of this
   library: a program's table has the rows of all files that are linked into it. C and C++. */
#ifndef ROCKCREEK_ALGORITHMS_ALGORITHM_H
#define ROCKCREEK_ALGORITHMS_ALGORITHM_H

#include <stddef.h>

#include "algorithms/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROCKCREEK_MOST_PARAMETERS 8
#define ROCKCREEK_MOST_BYTES (1LL << 30)
#define ROCKCREEK_MOST_RANKS (1LL << 16)

/* A parameter of an algorithm: "part=4096" in the options of a call, --part-bytes of rccebench. */
typedef struct rockcreek_parameter {
  const char *name;       /* lower case, underscores */
  const char *unit;       /* "bytes"; NULL for a count */
  long long least, most;  /* allowed values, both included; unused with words */
  __extension__ union {
    long long default_value; /* an allowed value; or 0, if that is none: the algorithm chooses */
    long long standard __attribute__((deprecated("it is called default_value"))); /* works in version 0.1 */
  };
  /* "ring folded": a choice among words, whose value is the position; NULL: a number */
  const char *words;
  /* numbers that `rccebench tune` tries, as its lists are written: "256-8192:x2"; NULL: none */
  const char *tried;
  int fixed;              /* its value is fixed when the algorithm is prepared */
  int or_file;            /* with words: the path of a file is allowed beside them; read by rockcreek_text */
  const char *help;       /* one line, without a full stop */
} rockcreek_parameter;

/* What an algorithm needs besides messages and MPB space, and other properties. */
enum {
  ROCKCREEK_NEEDS_MESH = 1,      /* the UEs as rows x columns of cores */
  /* locks or counters, which a program may use itself or lack: "auto" leaves it out */
  ROCKCREEK_NEEDS_REGISTERS = 2,
  ROCKCREEK_NEEDS_AIR = 4,       /* the program is compiled with -DAIR */
  ROCKCREEK_NEEDS_TAGS = 256,    /* iRCCE's tagged flags: the program is compiled without -DSINGLEBITFLAGS */
  ROCKCREEK_USES_REQUESTS = 8,   /* iRCCE's non-blocking calls */
  /* copies by iRCCE_put and iRCCE_get, whatever the machine's rcce.copies is */
  ROCKCREEK_OWN_COPIES = 16,
  /* "auto" takes it for the number of ranks and the root, 0, alone that it was measured with */
  ROCKCREEK_EXACT_RANKS = 64,
  /* what it does depends on data longer than a line of 32 bytes: rccebench refuses `--payload none` */
  ROCKCREEK_READS_PAYLOAD = 128,
  /* operands are combined in an order that arrival does not change: sums of floating-point numbers have the
     same bits in every run with the same ranks, root and parameters. rccebench checks it of rows in a user's
     file */
  ROCKCREEK_FIXED_ORDER = 32
};

struct rockcreek_algorithm;

/* A call that has been checked. The caller owns the buffers, which do not overlap. */
typedef struct rockcreek_call {
  const struct rockcreek_algorithm *algorithm;
  const long long *values; /* one for each parameter; read by rockcreek_value */
  /* bcast: the message, at the root before, at every rank afterwards. Else the result, the share that
     operation.h states; do not write it at ranks that have none. NULL while preparing */
  char *buffer;
  /* size of the whole message or vector, whose blocks rockcreek_block_begin tells; 0 if the operation has
     none */
  size_t bytes;
  int root;                /* 0 <= root < RCCE_num_ues(); 0 if the operation has none */
  const char *source;      /* what this rank hands in, the share that operation.h states; do not change it */
  size_t count;            /* of operations that combine: elements of the whole vector, INT_MAX at most */
  int type, op;            /* RCCE_INT ... RCCE_DOUBLE, RCCE_SUM ... RCCE_PROD, as rcce_combine takes them */
} rockcreek_call;

typedef struct rockcreek_algorithm {
  const char *name; /* "bcast/cube": operation, slash, lower case and underscores */
  rockcreek_operation operation;
  const char *summary; /* one line: what it does and what it is good for */
  const char *cost;    /* one line for n ranks: number and kind of successive steps; NULL: not stated */
  const char *source;  /* author, title */
  /* up to the first without a name; a row with one more than the most cannot be used */
  rockcreek_parameter parameters[ROCKCREEK_MOST_PARAMETERS + 1];
  unsigned needs;
  /* that each message-passing buffer has to have left for messages (RCCE_LINE_SIZE bytes each); a call of
     something to move between ranks is refused where there are fewer. 0: it says by itself what it needs */
  unsigned lines;
  /* Allocates what the algorithm keeps until the end (flags, MPB space). Collective; called once before the
     first run. NULL: it keeps nothing. Both return RCCE_SUCCESS, the error of a call that they make, or
     rockcreek_refuse(...). */
  int (*prepare)(const rockcreek_call *call);
  int (*run)(const rockcreek_call *call);
} rockcreek_algorithm;

/* Carries out a call of any operation: what its function in collectives.h does, with the same errors.
   `arguments` has what that function takes, and keeps it; algorithm and values are ignored, and bytes where
   the operation combines elements. */
int rockcreek_run(rockcreek_operation operation, const char *algorithm, const rockcreek_call *arguments,
                  const char *options);

/* The value of one of the algorithm's own parameters. An unknown name ends the program. */
long long rockcreek_value(const rockcreek_call *call, const char *parameter);

/* The same of a parameter with words: the word, or the path. Valid until the program ends. */
const char *rockcreek_text(const rockcreek_call *call, const char *parameter);

/* Prints to stderr, once for all UEs, why a call cannot be carried out; returns RCCE_ERROR_ID. */
int rockcreek_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#define ROCKCREEK_DECLARE_ROW(identifier) \
  extern "C" {                            \
  extern const rockcreek_algorithm rockcreek_row_##identifier; \
  }
#else
#define ROCKCREEK_DECLARE_ROW(identifier) extern const rockcreek_algorithm rockcreek_row_##identifier;
#endif

/* Defines a row by its members: ROCKCREEK_ALGORITHM(bcast_mine, .name = "bcast/mine", .operation =
   ROCKCREEK_BCAST, ...); in C++ in the order of the members above. Choose any identifier. A pointer to the
   row goes to a section that the library walks. */
#define ROCKCREEK_ALGORITHM(identifier, ...)                                               \
  ROCKCREEK_DECLARE_ROW(identifier)                                                        \
  const rockcreek_algorithm rockcreek_row_##identifier = {__VA_ARGS__};                    \
  static const rockcreek_algorithm *const rockcreek_place_##identifier                     \
      __attribute__((used, section("rockcreek_rows"))) = &rockcreek_row_##identifier

#endif
