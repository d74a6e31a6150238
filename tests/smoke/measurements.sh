#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measurements from outside: are units converted both ways, and are files of other systems read? What is
# refused and what is said are pages, measurements_refused.md and measurements_read.md.
set -eu
. "$SOURCE/tests/support/checks.sh"
cd "$WORK"
chip=group,id,use,value,unit,core_mhz,mesh_mhz,dram_mhz,cores,bytes,hops,quantity,source
lines=id,machine,quantity,operation,state,core_a,core_b,home,threads,base_threads,value,unit
lines=$lines,tolerance,use,source,beyond
table() { # table FILE HEADER ROW...
  file=$1
  shift
  printf '%s\n' "$@" >"$file"
}
cell() { # cell FILE COLUMN: of the first row
  awk -F, -v name="$2" '/^#/ { next } !head { for (i = 1; i <= NF; ++i) if ($i == name) at = i; head = 1;
    next } { print $at; exit }' "$1"
}

# Units: what is measured as a bandwidth may be given as a time, and the other way round.
same() { # same HEADER ROW OTHER_ROW: their differences agree to 0.1 %
  table one.csv "$1" "$2"
  table two.csv "$1" "$3"
  "$bench" validate --data one.csv --format csv -o one.txt --force ${4:-}
  "$bench" validate --data two.csv --format csv -o two.txt --force ${4:-}
  [ "$(cell one.txt unit)" = "$5" ] || { cat one.txt; fail "not in $5"; }
  awk -v a="$(cell one.txt difference_percent)" -v b="$(cell two.txt difference_percent)" \
    'BEGIN { exit !(a - b < 0.1 && b - a < 0.1) }' ||
    { cat one.txt two.txt; fail "other differences"; }
}
same $chip pingpong_rcce10,P1,fit,2.7,us,533,800,800,2,32,0,t,own \
  pingpong_rcce10,P1,fit,11.30281,MiB/s,533,800,800,2,32,0,t,own "" MiB/s
same $chip pingpong_rcce10,P1,fit,0.01185186,GB/s,533,800,800,2,32,3,t,own \
  pingpong_rcce10,P1,fit,1439.1,cycles,533,800,800,2,32,3,t,own "" MiB/s
same $chip barrier,B1,fit,59.478,us,533,800,,48,,,b,own barrier,B1,fit,59478,ns,533,800,,48,,,b,own "" ns
same group,id,value,unit,algorithm,cores,bytes t,A1,58.5143,MB/s,bcast/mcast,48,8192 \
  t,A1,140,us,bcast/mcast,48,8192 "" us
same $lines S1,,stream_read,,,,,1,6,,10,GB/s,,check,own, S1,,stream_read,,,,,1,6,,6.4,ns,,check,own, \
  --machine=xeon-x5650 GB/s
same $lines C1,,cas_half_round_trip,,,0,1,0,,,0.05,us,,check,own, \
  C1,,cas_half_round_trip,,,0,1,0,,,133.5,cycles,,check,own, --machine=xeon-x5650 us

# Files of other systems.
table none.csv group,id,value,algorithm,cores,bytes t,A1,140,bcast/mcast,48,8192
table machines.csv $lines C1,xeon-x5650,cas_half_round_trip,,,0,1,0,,,50,ns,1,check,own, \
  C2,opteron-6172,cas_half_round_trip,,,0,1,0,,,50,ns,1,check,own,
for file in none.csv machines.csv; do
  { printf '\357\273\277'; sed 's/$/\r/' $file; } >other.csv
  machine=scc
  [ $file = none.csv ] || machine=xeon-x5650
  "$bench" validate --machine $machine --data $file | sed 's/other.csv//;s/$file//' >plain.txt
  "$bench" validate --machine $machine --data other.csv >other.txt
  for one in plain other; do grep -v "^# data" $one.txt >$one.rows; done
  cmp plain.rows other.rows || fail "$file with CR LF is read otherwise"
done
printf '\357\273\277[machine]\r\nkind = coherent\r\npreset = xeon-x5650\r\n' >other.machine
"$bench" validate --data machines.csv --machine other.machine >other.txt
printf '\357\273\277# delays\r\n1,2\r\n3,4\r\n' >other.spread
"$bench" bcast --cores 2 --sizes 32 --algorithms linear --spread other.spread >spread.txt
printf '\357\273\277[\r\n{"algorithm": "bcast/linear", "cores": 2}\r\n]\r\n' >other.json
"$bench" points other.json >points.txt
printf '\357\273\2771\t2\r\n100000\t3\r\n' >other.noise
"$bench" reduce --machine alc --nodes 4 --noise other.noise --algorithms awake_tree --sizes 8 >noise.txt
