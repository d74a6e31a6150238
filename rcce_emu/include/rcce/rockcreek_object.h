/* SPDX-License-Identifier: Apache-2.0 */
/* Included by RCCE.h: leaves in the object file, in a section that no program keeps, what its source was
 * compiled for. rccecc reads it when it links, because generation and gory mode change what the calls
 * mean. */
#ifndef ROCKCREEK_OBJECT_H
#define ROCKCREEK_OBJECT_H

#define ROCKCREEK_TEXT_(x) #x
#define ROCKCREEK_TEXT(x) ROCKCREEK_TEXT_(x)
#ifdef GORY
#define ROCKCREEK_GORY "1"
#else
#define ROCKCREEK_GORY "0"
#endif
#ifdef SINGLEBITFLAGS
#define ROCKCREEK_SMALLFLAGS "1"
#else
#define ROCKCREEK_SMALLFLAGS "0"
#endif
#ifdef ROCKCREEK_RWTH
#define ROCKCREEK_RWTH_TEXT "1"
#else
#define ROCKCREEK_RWTH_TEXT "0"
#endif
__asm__(".pushsection .rockcreek,\"e\",@progbits\n"
        ".asciz \"generation=" ROCKCREEK_TEXT(
            ROCKCREEK_RCCE) " gory=" ROCKCREEK_GORY " smallflags=" ROCKCREEK_SMALLFLAGS
                            " rwth=" ROCKCREEK_RWTH_TEXT " maxnp=" ROCKCREEK_TEXT(RCCE_MAXNP) "\"\n"
                                                                                              ".popsection");

#endif
