# SPDX-License-Identifier: Apache-2.0
# Fortran below a C main: every UE has units and saved variables of its own, on both engines; lines stay
# whole.
command -v gfortran >/dev/null || { echo "left out: there is no gfortran"; exit 0; }
cat >work.f90 <<'END'
subroutine work(me) bind(c)
  use iso_c_binding
  integer(c_int), value :: me
  integer, save :: calls = 0
  real(8), allocatable :: a(:)
  allocate(a(1000))
  a = me
  calls = calls + 1
  write(*, '(a,i0,a,i0,a,f0.1)') 'rank ', me, ', call ', calls, ': ', sum(a)
end subroutine
END
cat >main.c <<'END'
#include "RCCE.h"
void work(int rank);
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  work(RCCE_ue());
  RCCE_barrier(&RCCE_COMM_WORLD);
  work(RCCE_ue());
  RCCE_finalize();
  return 0;
}
END
gfortran -fPIC -O1 -c work.f90
"$BIN/rccecc" main.c work.o -lgfortran -lm -o program
for rank in 0 1 2; do for call in 1 2; do echo "rank $rank, call $call: $rank""000.0"; done; done |
  sed 's/: 0000/: /' >expected
for engine in sim threads; do
  "$BIN/rccerun" -nue 3 --engine $engine ./program 2>err | sort >out
  cmp out expected || { echo "$engine:"; cat out err; exit 1; }
done
"$BIN/rccerun" --libraries ./program | grep -q "^copied  libgfortran" ||
  { echo "libgfortran is shared"; exit 1; }
