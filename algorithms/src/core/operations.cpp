// SPDX-License-Identifier: Apache-2.0
// What a call of each operation has.
#include "algorithms/operation.h"

const rockcreek_operation_description rockcreek_operations[ROCKCREEK_OPERATIONS] = {
    {.name = "bcast",
     .has_message = 1,
     .has_root = 1,
     .combines = 0,
     .until = "has everything",
     .right = "every byte compared on every rank: correct",
     .wrong = "bytes arrived wrong"},
    {.name = "barrier",
     .has_message = 0,
     .has_root = 0,
     .combines = 0,
     .until = "is back",
     .right = "no rank left before the last one came: correct",
     .wrong = "ranks left too early"},
    {.name = "reduce",
     .has_message = 1,
     .has_root = 1,
     .combines = 1,
     .until = "is done",
     .right = "every element compared at the root, everybody else's buffers untouched: correct",
     .wrong = "bytes are wrong"},
    {.name = "allreduce",
     .has_message = 1,
     .has_root = 0,
     .combines = 1,
     .until = "has everything",
     .right = "every element compared on every rank: correct",
     .wrong = "bytes are wrong"},
};
