/* Output in pieces, by every way that C has, with others running in between: lines stay whole and a UE's
 * order is kept. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "RCCE.h"

int RCCE_APP(int argc, char** argv) {
  int me, n;
  char text[64];
  RCCE_init(&argc, &argv);
  me = RCCE_ue();
  setvbuf(stdout, NULL, _IONBF, 0);
  for (n = 0; n < 3; ++n) {
    printf("<%d", me);
    RCCE_barrier(&RCCE_COMM_WORLD);
    putchar(' ');
    if (n == 2) {
      wprintf(L"l%lc", (wint_t)L'i');
      putwchar(L'n');
      fputws(L"e", stdout);
    } else {
      fputs("line", stdout);
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    fprintf(stdout, " %d", n);
    fflush(NULL);
    RCCE_barrier(&RCCE_COMM_WORLD);
    sprintf(text, " of 3>\n");
    if (n == 1)
      write(1, text, strlen(text));
    else
      puts(" of 3>");
    fflush(stdout);
  }
  return 0;
}
