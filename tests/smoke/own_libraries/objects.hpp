// SPDX-License-Identifier: Apache-2.0
#pragma once

extern thread_local int hits;
inline int shared_by_inline = 5;

void use();
void throw_from_library();
void* block_of_library(unsigned long bytes);
