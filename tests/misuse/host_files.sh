# SPDX-License-Identifier: Apache-2.0
# Host files with one fault each: refused with status 2, the file's name and, where it is a line's fault, its
# number.
fault() { # fault NAME CONTENT PATTERN...
  name=$1
  printf "$2" >"$name"
  shift 2
  "$BIN/rccerun" -nue 2 -f "$name" "$PROGRAMS/wrong" no-init >out 2>&1
  status=$?
  [ $status -eq 2 ] || { echo "$name: status $status"; cat out; failed=1; }
  for pattern in "$name" "$@"; do
    grep -q -- "$pattern" out || { echo "$name: no '$pattern' in:"; cat out; failed=1; }
  done
}
failed=0
fault too_few '00\n'
fault empty ''
fault out_of_range '00\n48\n' 48 'line 2'
fault negative '00\n-1\n' 'line 2'
fault not_a_number '00\nabc\n' abc 'line 2'
fault twice '05\n05\n' '0*5' 'line 2'
fault binary '\001\177ELF\033[2Jxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n' \
  "'??ELF?.2Jx*[.][.][.]'"
printf '47\n00\n' >good
"$BIN/rccerun" -nue 2 -f good "$PROGRAMS/wrong" no-init || { echo "a good file was refused"; failed=1; }
printf '08\n09\n' >decimal
"$BIN/rccerun" -nue 2 -f decimal "$PROGRAMS/wrong" no-init || { echo "08 is decimal"; failed=1; }
mkdir -p folder
"$BIN/rccerun" -nue 2 -f folder "$PROGRAMS/wrong" no-init >out 2>&1
grep -q "Could not find or read hostfile 'folder'" out ||
  { echo "a folder as host file:"; cat out; failed=1; }
exit $failed
