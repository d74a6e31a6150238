# SPDX-License-Identifier: Apache-2.0
# Operations on blocks: the algorithms by name, on both generations; more in blocks.c.
set(on_blocks ${algorithms})
list(FILTER on_blocks INCLUDE REGEX "^(gather|scatter|allgather|alltoall)/")
collectives(blocks ${on_blocks})
collectives_checked(blocks gather/direct_get scatter/direct_put allgather/direct_get alltoall/direct_put)
