// SPDX-License-Identifier: Apache-2.0
// Combining two vectors of elements by one of RCCE's operators, and copies within private memory: what
// reductions consist of beside messages.
#pragma once

#include <cstddef>

#include "library/protocol/library.hpp"

namespace rcce::protocol {

/// Checks that these are RCCE_SUM ... RCCE_PROD and RCCE_INT ... RCCE_DOUBLE. Returns none, illegal_op or
/// illegal_type.
[[nodiscard]] Error check_combination(int op, int type);

/// `count` as a size; ends the UE where it is negative.
[[nodiscard]] std::size_t elements_of(const Library& library, int count);

/// For a checked type or operator.
[[nodiscard]] std::size_t element_bytes(int type);
[[nodiscard]] const char* type_name(int type);
[[nodiscard]] const char* operator_name(int op);

/// target[i] = target[i] op source[i] for all elements, stored in the element type after every step; op and
/// type are checked ones. Buffers have any alignment and do not overlap, or are the same. The core is charged
/// for the elements, for lines of both that are not in its first-level cache, and for those in message
/// buffers.
void combine(Library& library, int op, int type, char* target, const char* source, std::size_t elements);

/// The same as far as the core is concerned, for elements that the program combines by itself, but for lines
/// of message buffers, which its own code has paid for. An element of more than 8 bytes costs as many as it
/// has 8 bytes.
void charge_combining(Library& library, const void* target, const void* source, std::size_t elements,
                      std::size_t element_bytes);

/// Copies, and charges the core for that: 20 cycles, 2 for each 8 bytes, and lines that are not in its
/// first-level cache. Plain copies store to lines of the target that are nowhere near 4 bytes at a time;
/// others fetch them first. Buffers have any alignment and do not overlap, or are the same: then nothing is
/// done.
void copy_privately(Library& library, char* target, const char* source, std::size_t bytes, Copy how);

} // namespace rcce::protocol
