# SPDX-License-Identifier: Apache-2.0
# Objects of different generations or interfaces do not make one program; flag modes do, the link step
# decides.
printf '#include "RCCE.h"\nint helper(void) { return RCCE_ue(); }\n' >helper.c
printf '#include "RCCE.h"\nint helper(void);\nint RCCE_APP(int c, char **v) { RCCE_init(&c, &v); return '\
'helper() < 0; }\n' >main.c
failed=0
mix() { # mix EXPECTED "FLAGS OF MAIN" "FLAGS OF HELPER" "FLAGS OF LINK"
  "$BIN/rccecc" $2 -c main.c -o main.o && "$BIN/rccecc" $3 -c helper.c -o helper.o || { failed=1; return; }
  "$BIN/rccecc" $4 main.o helper.o -o mixed >out 2>&1 && "$BIN/rccerun" -nue 2 ./mixed >>out 2>&1
  status=$?
  if [ "$1" = works ] && [ $status -ne 0 ]; then
    echo "'$2' with '$3' linked with '$4' failed:"
    cat out
    failed=1
  elif [ "$1" = refused ] && [ $status -eq 0 ]; then
    echo "'$2' with '$3' linked with '$4' was not refused"
    failed=1
  fi
}
mix works "" "" ""
mix works "" "" "-DSINGLEBITFLAGS"
mix works "-DGORY" "-DGORY" "-DGORY"
mix refused "--rcce 1.0" "" "--rcce 1.0"
mix refused "-DGORY" "" "-DGORY"
mix works "--rwth" "--rwth" ""
mix refused "--rwth" "--rcce 1.0" ""
mix refused "--rcce 1.0" "--rcce 1.0" "--rwth"
mix refused "--rwth" "--rwth" "--rcce 2.0"
"$BIN/rccecc" --rwth --rcce 2.0 -c main.c >out 2>&1 && failed=1
grep -q "RWTH's RCCE is a 1.0; leave --rcce out" out || { cat out; failed=1; }
# The algorithms library exists for the simplified interface.
mix works "" "" "-lrockcreek_algorithms"
mix works "--rcce 1.0" "--rcce 1.0" "--rcce 1.0 -lrockcreek_algorithms"
mix refused "-DGORY" "-DGORY" "-lrockcreek_algorithms"
mix refused "--rcce 1.0 -DSINGLEBITFLAGS" "--rcce 1.0 -DSINGLEBITFLAGS" "--rcce 1.0 -lrockcreek_algorithms"
mix refused "--rwth" "--rwth" "-lrockcreek_algorithms"
exit $failed
