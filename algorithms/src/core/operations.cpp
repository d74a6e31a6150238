// SPDX-License-Identifier: Apache-2.0
// What a call of each operation has, for C.
#include <algorithm>

#include "algorithms/operations.hpp"

using algorithms::operations;

constexpr rockcreek_operation_description rockcreek_operations[ROCKCREEK_OPERATIONS] = {
    operations[ROCKCREEK_BCAST],     operations[ROCKCREEK_BARRIER],  operations[ROCKCREEK_REDUCE],
    operations[ROCKCREEK_ALLREDUCE], operations[ROCKCREEK_GATHER],   operations[ROCKCREEK_SCATTER],
    operations[ROCKCREEK_ALLGATHER], operations[ROCKCREEK_ALLTOALL], operations[ROCKCREEK_REDUCE_SCATTER],
    operations[ROCKCREEK_SCAN],
};
static_assert(std::ranges::equal(rockcreek_operations, operations, {}, &rockcreek_operation_description::name,
                                 &rockcreek_operation_description::name));
