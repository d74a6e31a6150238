/* SPDX-License-Identifier: Apache-2.0 */
/* What a run of programs/collective.c is about, and what comes back, as one structure in the memory of
 * whoever runs the job (rcce::JobOptions::data, which the program finds by lab_given()). The runner owns
 * everything that the structure points to, sets it up before the run, and reads the results after it. Plain
 * C: the laboratory and the program share it. */
#ifndef ROCKCREEK_LAB_JOB_POINT_H
#define ROCKCREEK_LAB_JOB_POINT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LAB_TOO_LATE = -1, LAB_CALL_FAILED = -2 }; /* for `wrong` */

/* Status of a program of ours that refuses its options; standard error has the reason alone. */
enum { LAB_REFUSES = 78 }; /* EX_CONFIG of sysexits.h */

/* One rank's part of one repetition. */
typedef struct lab_time {
  int64_t arrived;    /* picoseconds from the common release until the rank enters */
  int64_t done;       /* picoseconds from the release until the rank has everything */
  /* wrong bytes in its buffers or around them; of an operation without a message 1 where the rank left too
     early; LAB_TOO_LATE where it heard of the release too late, LAB_CALL_FAILED where the call failed */
  int64_t wrong;
  int64_t first;      /* place of the first wrong byte, from the start of the buffer */
  int64_t of_operand; /* wrong bytes in the rank's own operand, which is to stay */
  int64_t result;     /* of inexact operands: a digest of the result, to compare ranks by */
  int64_t written;    /* 1 when the rank has been here */
} lab_time;

/* What a rank has taken of its message-passing buffer: the same on every rank, or RCCE itself does not
 * work. */
typedef struct lab_space {
  int64_t payload; /* bytes that are left for messages */
  int64_t flags;   /* that have been allocated and not freed */
} lab_space;

/* What "auto" takes for a message of that many bytes; an empty name where it takes nothing. */
typedef struct lab_choice {
  int64_t bytes;
  char algorithm[64], options[192];
} lab_choice;

/* Bytes of a call of a check that depend on the machine: what an MPB has left for a message, and one element
 * more. */
enum { LAB_ONE_BUFFER = -1, LAB_OVER_ONE_BUFFER = -2 };

/* One call of a check: calls in a row with no release between them. */
typedef struct lab_check_call {
  int32_t size; /* position in `sizes` */
  int32_t root;
  int32_t late; /* rank that comes late to it; -1: nobody */
  /* 1: it comes late because the next rank takes a message of its so late, which lies in its payload area */
  int32_t sends;
  int32_t nulls; /* 1: other ranks than the root pass NULL for a buffer that only the root has */
} lab_check_call;

enum { LAB_NOT_BEGUN, LAB_IN_CALL, LAB_DONE, LAB_REFUSED }; /* for `state` */

/* One rank's part of it. */
typedef struct lab_check_time {
  int64_t bytes;                     /* what the size came to */
  int64_t entered, left;             /* picoseconds since the start of the run */
  int64_t wrong, first, of_operand;  /* as lab_time has them */
  int64_t of_message;                /* wrong bytes in the message that it got before the call */
  int64_t state;
} lab_check_time;

/* A result of the checker of an exercise: of one rank in one repetition, below 0 in one that is not timed. */
typedef struct lab_line {
  int64_t rank, repetition, picoseconds;
  int64_t wrong, first; /* as lab_time has them */
} lab_line;

typedef struct lab_job_point {
  /* "bcast"; null: the point is in the program's arguments, and `lines` takes the results */
  const char *operation;
  const char *algorithm; /* "bcast/cube" */
  const char *options;   /* "part=4096 fan_out=2", as algorithms/collectives.h takes them */
  const char *type, *op; /* of reductions: int, long, float or double; sum, min, max or prod */
  int64_t bytes;         /* of the message or vector */
  int32_t root;
  int32_t warm_up, repetitions; /* first those that warm up, then the timed ones */
  /* every rank reads its buffer before each repetition, as a benchmark that checks it does */
  int32_t reads;
  /* nanoseconds that each rank comes late, [repetitions][ranks]; null: nobody does */
  const int64_t *arrivals;
  /* [warm-up + repetitions][ranks]; of an operation without a message one repetition more, the first: a test
     in which the ranks come one after the other */
  lab_time *times;
  lab_space *spaces;            /* [ranks], written by each before every repetition and compared; null: not */
  /* 0: the run leaves payload where it is: buffers are neither filled nor compared */
  int32_t moves_payload;
  /* operands are such that a sum tells the order in which it was made: the results of the first repetition
     are what those of the others must be, bit by bit; the number is that of their draw, from 1 on */
  int32_t inexact;
  lab_choice *choices;          /* null: measure; else only fill these in for `operation` and `root` */
  int32_t choice_count;
  /* null: measure; else only make these calls, the first `size_count` of them apart from each other */
  const lab_check_call *calls;
  int32_t call_count, size_count;
  /* [size_count] bytes of the vector, rounded up to whole elements, or LAB_ONE_BUFFER, ... */
  const int64_t *sizes;
  lab_check_time *checked; /* [call_count][ranks] */
  lab_line *lines;         /* [line_room]; those beyond are counted alone */
  int64_t line_room, *line_count;
} lab_job_point;

#ifdef ROCKCREEK_H
void *rockcreek_job_data(void *ue);
long long rockcreek_flags_taken(void *ue);
int rockcreek_comm_bcast(void *ue, char *buffer, size_t num, int root, void *comm);

/* In the program: null where it was started otherwise. */
static __inline__ const lab_job_point *lab_given(void) {
  return (const lab_job_point *)rockcreek_job_data(rockcreek_image.ue);
}

/* Of the calling rank. */
static __inline__ int64_t lab_flags_taken(void) { return rockcreek_flags_taken(rockcreek_image.ue); }

/* RCCE_bcast from rank 0 to all ranks. RCCE takes the communicator by value: 40 KB of each rank's stack where
 * a program may have 10,000. */
static __inline__ int lab_tell_all(void *data, size_t bytes) {
  return rockcreek_comm_bcast(rockcreek_image.ue, (char *)data, bytes, 0, &RCCE_COMM_WORLD);
}
#endif

#ifdef __cplusplus
}
#endif
#endif
