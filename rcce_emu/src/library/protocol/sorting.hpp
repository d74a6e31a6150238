// SPDX-License-Identifier: Apache-2.0
// RCCE_qsort: a sort with one result on every host, also for elements that compare equal (the C library's own
// leaves their order open).
#pragma once

#include <cstddef>

namespace rcce::protocol {

void sort_elements(char* base, std::size_t count, std::size_t bytes,
                   int (*compare)(const void*, const void*));

} // namespace rcce::protocol
