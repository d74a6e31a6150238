/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the rows of an operation that "auto" may take whatever a program does itself, in one line with
 * commas between them. Argument: the operation. */
#include "RCCE.h"

#include "rows.h"

int RCCE_APP(int argc, char** argv) {
  const rockcreek_algorithm* const* row;
  const char* between = "";
  RCCE_init(&argc, &argv);
  for (row = rockcreek_own_rows; *row != NULL; ++row) {
    const size_t length = strlen(argv[1]);
    if (strncmp((*row)->name, argv[1], length) != 0 || (*row)->name[length] != '/') continue;
    if (((*row)->needs & (ROCKCREEK_NEEDS_REGISTERS | ROCKCREEK_NEEDS_AIR)) != 0) continue;
    printf("%s%s", between, (*row)->name + length + 1);
    between = ",";
  }
  printf("\n");
  RCCE_finalize();
  return 0;
}
