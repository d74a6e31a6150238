/* SPDX-License-Identifier: Apache-2.0 */
/* What concerns the program file as a whole. It names the dynamic linker, as every program that can be
 * started does: the linker leaves this to us because programs are linked with -shared. */
#if defined(__x86_64__)
#define DYNAMIC_LINKER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define DYNAMIC_LINKER "/lib/ld-linux-aarch64.so.1"
#else
#error "no dynamic linker known for this processor"
#endif

static const char interpreter[] __attribute__((section(".interp"), used, retain)) = DYNAMIC_LINKER;

#ifdef ROCKCREEK_ADDRESS_SANITIZER
/* At the end of a run no stack of a UE is left that could hold a pointer: everything would count as leaked.
 * And what libstdc++ allocates by `new` can reach `free` through a copy of `delete` in the program. */
const char *__asan_default_options(void) { return "detect_leaks=0:alloc_dealloc_mismatch=0"; }
#endif
