# SPDX-License-Identifier: Apache-2.0
# Whatever a UE does to end itself, the run ends soon, with the status of the signal, the lines printed
# before, and a report that names the UE; on both engines, with the others waiting and with one computing.
failed=0
for engine in sim threads; do
  while read -r kind status text; do
    for others in wait compute; do
      [ $others = wait ] && word= || word=busy
      # A runtime that has to be given up takes its time.
      [ $kind$word = heap-and-callbusy ] && continue
      timeout -k 5 30 "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/crash" $kind $word >out 2>err
      got=$?
      case $got in $status) ;; *) false ;; esac ||
        { echo "$kind, $engine, others $others: status $got, expected $status"; cat err; failed=1; }
      case $kind in heap-*) who=crashed ;; *) who='rank 1 (core 01.* crashed' ;; esac
      grep -q "$who" err || { echo "$kind, $engine, others $others: no report of rank 1:"; cat err
        failed=1; }
      grep -q -- "$text" err || { echo "$kind, $engine, others $others: no '$text' in:"; cat err; failed=1; }
      # A runtime whose memory is damaged promises its report, not the lines. What a wild store meets hangs on
      # how large the environment is.
      case $kind in heap-*)
        timeout -k 5 30 env -i "$BIN/rccerun" -nue 3 --engine $engine "$PROGRAMS/crash" $kind $word \
          >/dev/null 2>err
        grep -q crashed err || { echo "$kind, $engine, others $others, no environment: no report:"; cat err
          failed=1; }
        continue ;;
      esac
      [ "$(grep -c 'is here$' out)" -eq 3 ] ||
        { echo "$kind, $engine, others $others: lines are missing"; cat out; failed=1; }
    done
  done <<END
store 139 write to address 0x10, a null pointer
jump 139 a null function pointer
jump-low 139 jump to address 0x1234, which holds no code
stack 139 stack overflow: its stack has 16384 KB; --stack-size gives it more
stack-pointer 139 segmentation fault
abort 134 abort() was called
divide 136 division of an integer by zero
illegal 132 illegal instruction
bus 135 bus error
free-twice 134 abort() was called
handler 139 write to address 0x8
kill-self 139 signal 11
heap-and-store 13[49] crashed
heap-and-call 13[4579] crashed
END
done
exit $failed
