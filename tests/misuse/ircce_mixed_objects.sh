# SPDX-License-Identifier: Apache-2.0
# Objects of different generations of iRCCE do not make one program; objects without it fit to both.
printf '#include "iRCCE.h"\nint helper(void) { return iRCCE_PENDING; }\n' >helper.c
printf '#include "RCCE.h"\nint plain(void) { return RCCE_ue(); }\n' >plain.c
printf '#include "iRCCE.h"\nint helper(void), plain(void);\n' >main.c
printf 'int main(int c, char **v) { RCCE_init(&c, &v); iRCCE_init(); return helper() != iRCCE_PENDING || '\
'plain() < 0; }\n' >>main.c
failed=0
mix() { # mix EXPECTED "FLAGS OF MAIN" "FLAGS OF HELPER" "FLAGS OF LINK"
  "$BIN/rccecc" $2 -c main.c -o main.o && "$BIN/rccecc" $3 -c helper.c -o helper.o &&
    "$BIN/rccecc" -c plain.c -o plain.o ||
    { failed=1; return; }
  "$BIN/rccecc" $4 main.o helper.o plain.o -o mixed >out 2>&1 && "$BIN/rccerun" -nue 2 ./mixed >>out 2>&1
  status=$?
  if [ "$1" = works ] && [ $status -ne 0 ]; then
    echo "'$2' with '$3' linked with '$4' failed:"
    cat out
    failed=1
  elif [ "$1" != works ] && { [ $status -eq 0 ] || ! grep -q "$1" out; }; then
    echo "'$2' with '$3' linked with '$4' was not refused with '$1':"
    cat out
    failed=1
  fi
}
mix works "" "" ""
mix works "--ircce 1.x" "--ircce 1.x" "--ircce 1.x"
mix works "--ircce 1.x" "--ircce 1.x" ""
mix "main.o' is compiled for iRCCE 1.x .*helper.o' for iRCCE 2.0" "--ircce 1.x" "" ""
mix "the objects are compiled for iRCCE 1.x .* but linking asks for iRCCE 2.0" "--ircce 1.x" "--ircce 1.x" \
  "--ircce 2.0"
"$BIN/rccecc" --ircce 3.0 -c main.c >out 2>&1 && failed=1
grep -q "ircce '3.0': no such generation of iRCCE; there are 1.x and 2.0, and tm2c" out ||
  { cat out; failed=1; }
"$BIN/rccecc" -DGORY -c main.c >out 2>&1 && failed=1
grep -q "simplified interface only" out || { cat out; failed=1; }
exit $failed
