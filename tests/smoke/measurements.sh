#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measurements from outside: does every column of a row count or get refused, by file, line and column? Is a
# number a whole field, are units converted both ways, are files of other systems read? Does --check end with
# status 1? Does rcceinfo list what rows can name?
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
wrong() { # wrong MESSAGE HEADER ROW: of the table's second line
  table wrong.csv "$2" "$3"
  refused "'wrong.csv' line 2: $1" validate --data wrong.csv ${4:-}
}
cell() { # cell FILE COLUMN: of the first row
  awk -F, -v name="$2" '/^#/ { next } !head { for (i = 1; i <= NF; ++i) if ($i == name) at = i; head = 1;
    next } { print $at; exit }' "$1"
}

# A number is a whole field.
for value in '"140,5"' 70us 0x10 inf nan -1 0 '' ' 140' 1e999; do
  wrong "column 'value': " group,id,value,algorithm,cores,bytes "t,A1,$value,bcast/mcast,48,8192"
done
for value in 1e307,s 1e-322,ns 1e-320,GB/s; do
  wrong "column 'value': [^ ]* ${value#*,} is out of range" group,id,value,unit,algorithm,cores,bytes \
    "t,A1,$value,bcast/mcast,48,8192"
done
wrong "column 'bytes': '8192.7' is no whole number" group,id,value,algorithm,cores,bytes \
  t,A1,140,bcast/mcast,48,8192.7
wrong "column 'cores': '7.9' is no whole number" group,id,value,algorithm,cores,bytes \
  t,A1,140,bcast/mcast,7.9,8192
wrong "column 'hops': '1x'" $chip pingpong_rcce10,P1,fit,1.9,us,533,800,800,2,32,1x,time,own
wrong "column 'core_a': '0.5'" $lines C1,xeon-x5650,cas_half_round_trip,,,0.5,1,0,,,50,ns,1,check,own, \
  --machine=xeon-x5650
wrong "column 'tolerance': '5%'" $lines C1,xeon-x5650,cas_half_round_trip,,,0,1,0,,,50,ns,5%,check,own, \
  --machine=xeon-x5650
wrong "7 fields, and there are 6 columns" group,id,value,algorithm,cores,bytes t,A1,140,5,bcast/mcast,48,8192
wrong "5 fields, and there are 6 columns" group,id,value,algorithm,cores,bytes t,A1,140,bcast/mcast,48
wrong "column 3: a double quote is not closed" group,id,value,algorithm,cores,bytes \
  't,A1,"140,bcast/mcast,48,8192'

# A wrong unit is far off.
table far.csv group,id,value,unit,algorithm,cores,bytes t,A,75,us,bcast/cube,8,8192 \
  t,B,75,ms,bcast/cube,8,8192 t,C,75,ns,bcast/cube,8,4096
"$bench" validate --data far.csv >far.txt || fail "$(cat far.txt)"
grep -q '^# 2 of 3 rows are more than 100 times off the model, the first is B: is the unit right?$' far.txt ||
  fail "no word of a unit: $(cat far.txt)"
sed -i '/,[BC],/d' far.csv
"$bench" validate --data far.csv >far.txt && ! grep -q 'is the unit right' far.txt || fail "$(cat far.txt)"

# Every column counts, or is refused.
table column.csv group,id,value,algoritm,algorithm t,A1,140,x,bcast/mcast
refused "no column 'algoritm'.*did you mean 'algorithm'" validate --data column.csv
table twice.csv group,id,value,value,algorithm t,A1,140,140,bcast/mcast
refused "two columns are called 'value'" validate --data twice.csv
echo 'group, id,value' >blanks.csv
printf 'id;cores;us\na;48;10,5\n' >semicolons.csv
refused "'semicolons.csv' line 1: fields are separated by semicolons; write commas between them" \
  validate --data semicolons.csv
refused "'blanks.csv' line 1: column ' id': leave out blanks" validate --data blanks.csv
printf 'group,id,value\rt,a,5\r' >returns.csv
refused "end lines with a line feed" validate --data returns.csv
wrong "column 'core_mhz': the row is of 800 MHz, and machine 'scc' has 533 MHz" $chip \
  barrier,B1,fit,59478,ns,800,800,,48,,,b,own
wrong "column 'mesh_mhz': the row is of 1600 MHz" $chip barrier,B1,fit,59478,ns,533,1600,,48,,,b,own
wrong "column 'dram_mhz': the row is of 1066 MHz" $chip barrier,B1,fit,59478,ns,533,800,1066,48,,,b,own
wrong "column 'hops': no core is 40 from core 0" $chip \
  pingpong_rcce10,P1,fit,1.9,us,533,800,800,2,32,40,time,own
wrong "column 'hops': core 12 is 1 from core 0, not 3" $chip \
  'tas,TAS-12,fit,200,core cycles,533,800,,1,,3,time,own'
wrong "column 'bytes': the group barrier has no such column" $chip \
  barrier,B1,fit,59478,ns,533,800,,48,32,,b,own
for rest in 8192,,, ,5,, ,,double, ,,,max; do
  wrong "column '.*': barrier/tree has none" group,id,value,algorithm,cores,bytes,root,type,op \
    "t,A1,6,barrier/tree,48,$rest"
done
wrong "column 'type': bcast/mcast has none" group,id,value,algorithm,cores,bytes,type \
  t,A1,140,bcast/mcast,48,8192,float
wrong "column 'cores': the group rtt32 is of 2, not of 8" $chip rtt32,R1,fit,5,us,533,800,,8,32,1,b,own
wrong "column 'group': nothing measures 'pingpong'; did you mean 'pingpong_rcce10'" $chip \
  pingpong,P1,fit,1.9,us,533,800,800,2,32,1,time,own
wrong "column 'use': 'fitted' is none of fit, report" $chip barrier,B1,fitted,59478,ns,533,800,,48,,,b,own
wrong "column 'threads': cas_half_round_trip has no such column" $lines \
  C1,,cas_half_round_trip,,,0,1,0,8,,50,ns,1,check,own, --machine=xeon-x5650
wrong "column 'core_b': 99 is out of range; machine 'xeon-x5650' has cores 0..11" $lines \
  C1,,cas_half_round_trip,,,0,99,0,,,50,ns,1,check,own, --machine=xeon-x5650
wrong "column 'core_b': 1 is core_a too" $lines C1,,cas_half_round_trip,,,1,1,0,,,50,ns,1,check,own, \
  --machine=xeon-x5650
wrong "column 'operation': 'lode' is none of .*did you mean 'load'" $lines \
  C1,,access,lode,shared,0,1,0,,,50,ns,1,check,own, --machine=xeon-x5650
wrong "column 'threads': 400 is out of range 1..24" $lines \
  C1,,barrier,barrier/dissemination,,,,,400,,50,ns,1,check,own, --machine=xeon-x5650
wrong "column 'threads': 24 is out of range 2..23 of machine 'xeon-x5650'" $lines \
  C1,,readers_slope,,,,,,24,,50,ns/reader,1,check,own, --machine=xeon-x5650
wrong "\"algorithm\" 'bcast/mcats': there is no" group,id,value,algorithm,cores,bytes \
  t,A1,140,bcast/mcats,48,8192
for id in DRV-L1-SUM DRV-L2-SUM DRV-V1-DRAM; do
  table wrong.csv group,id,value,unit,hops "line_cost,$id,0.3,us/line,0"
  refused "row '$id' of group 'line_cost' is computed from curves with other sizes" validate --data wrong.csv
done

# What rows do not say is told; what they say, and what an operation has not, is not.
table unsaid.csv group,id,value,algorithm,cores,bytes t,A1,140,bcast/mcast,, t,A2,9,barrier/tree,4, \
  t,A3,140,reduce/linear,8,512
"$bench" validate --data unsaid.csv >unsaid.txt
grep -q "^# taken *cores=48, bytes=8192, type=double, op=sum, where rows do not say it" unsaid.txt ||
  { cat unsaid.txt; fail "what was taken is not told"; }
table said.csv group,id,value,algorithm,cores,bytes t,A1,140,bcast/mcast,8,32
! "$bench" validate --data said.csv | grep "^# taken" || fail "all was said"

# One row has one id.
table twice.csv group,id,value,algorithm,cores,bytes t,A1,140,bcast/mcast,8,32 t,A1,141,bcast/mcast,8,32
refused "'twice.csv' line 3: column 'id': there is a row 'A1' of group 't' already" validate --data twice.csv

# Units: what is measured as a bandwidth may be given as a time, and the other way round.
wrong "column 'unit': 'MB/s' cannot be compared with what is measured here, in ns; allowed are ns, us" $chip \
  barrier,B1,fit,5,MB/s,533,800,,48,,,b,own
wrong "column 'unit': 'parsec'" $chip pingpong_rcce10,P1,fit,1.9,parsec,533,800,800,2,32,1,time,own
wrong "column 'unit': 'cycles' cannot" group,id,value,unit,algorithm,cores,bytes \
  t,A1,140,cycles,reduce/awake_tree,16,8 --machine=alc
wrong "column 'unit': 'MB/s' cannot" group,id,value,unit,algorithm,cores t,A1,140,MB/s,barrier/linear,16
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

# The distance counts: farther cores are slower.
table far.csv $chip pingpong_rcce10,P1,fit,10,MiB/s,533,800,800,2,32,0,t,own \
  pingpong_rcce10,P2,fit,10,MiB/s,533,800,800,2,32,8,t,own
"$bench" validate --data far.csv --format csv -o far.txt
awk -F, '$2 == "P1" { near = $4 } $2 == "P2" { far = $4 } END { exit !(far < near) }' far.txt ||
  { cat far.txt; fail "hops do not count"; }

# Rows of another machine are left out; a machine file is what its preset is.
table machines.csv $lines C1,xeon-x5650,cas_half_round_trip,,,0,1,0,,,50,ns,1,check,own, \
  C2,opteron-6172,cas_half_round_trip,,,0,1,0,,,50,ns,1,check,own,
printf '[machine]\nkind = coherent\npreset = xeon-x5650\n' >mine.machine
"$bench" validate --data machines.csv --machine mine.machine >mine.txt
grep -q "C1" mine.txt && ! grep -q "C2" mine.txt || { cat mine.txt; fail "not the preset's rows"; }
refused "no row of machine 'xeon-e5-2680v2'; its rows are of xeon-x5650, opteron-6172" validate \
  --data machines.csv --machine xeon-e5-2680v2
table points.csv group,id,machine,value,algorithm,cores,bytes t,A1,scc,140,bcast/mcast,48,8192 \
  t,A2,alc,140,bcast/mcast,48,8192
"$bench" validate --data points.csv >points.txt
grep -q A1 points.txt && ! grep -q A2 points.txt || { cat points.txt; fail "rows of another machine count"; }

# A tolerance.
status=0
"$bench" validate --machine xeon-x5650 --data machines.csv --check >check.txt || status=$?
[ $status -eq 1 ] && grep -q "0 of 1 rows with a tolerance are within it" check.txt ||
  { cat check.txt; fail "--check: status $status"; }
table wide.csv group,id,value,algorithm,cores,bytes,tolerance t,A1,140,bcast/mcast,48,8192,1000
"$bench" validate --data wide.csv --check >check.txt || fail "beyond a wide tolerance"
sed 's/,1000$/,1000.25/' wide.csv >parts.csv
"$bench" validate --data parts.csv >parts.txt
grep -q ' 1000\.25  yes' parts.txt || { cat parts.txt; fail "the tolerance is shown as another"; }
table none.csv group,id,value,algorithm,cores,bytes t,A1,140,bcast/mcast,48,8192
refused "no row of 'none.csv' has a tolerance" validate --data none.csv --check
refused "no published row of machine 'tile-gx36' has a tolerance" validate --machine tile-gx36 --check

# Files of other systems.
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

# Points in JSON are as strict.
for point in '"cores": 7.9' '"cores": "8"' '"bytes": -1' '"bytes": 1e30' '"cores": 99999999999' \
  '"options": 3' '"reads": 1' '"check": "no"' '"machine": 3' '"seed": -1'; do
  echo "[{\"algorithm\": \"bcast/linear\", $point}]" >wrong.json
  status=0
  "$bench" points wrong.json >out.txt 2>err.txt || status=$?
  [ $status -eq 2 ] && grep -q "point 1: " err.txt && ! grep -q json.exception err.txt ||
    { cat err.txt; fail "$point: status $status"; }
done
echo '[{"algorithm": "bcast/linear", "cores": 2, "seed": 18446744073709551615}]' >seed.json
"$bench" points seed.json >out.txt || fail "the largest seed: $(cat out.txt)"

# What rows can name.
"$BIN/rcceinfo" measurements --format csv >measurements.csv
for name in pingpong_rcce10 line_cost cas_half_round_trip stream_read algorithm; do
  grep -q "^measurements,.*,$name," measurements.csv || { cat measurements.csv; fail "rcceinfo lacks $name"; }
done
