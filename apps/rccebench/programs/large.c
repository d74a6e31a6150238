/* SPDX-License-Identifier: Apache-2.0 */
/* The least that a UE can do, for machines of many cores; compile with -DGORY and -DRCCE_MAXNP=10000.
 *
 *   large idle    nothing: the UE starts and ends
 *   large init    RCCE_init and RCCE_finalize, with the library's tables of all ranks on every UE */
#include <string.h>

#include "RCCE.h"

int RCCE_APP(int argc, char **argv) {
  if (!strcmp(argv[argc - 1], "idle"))
    return 0;
  RCCE_init(&argc, &argv);
  RCCE_finalize();
  return 0;
}
