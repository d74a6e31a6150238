#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does `calibrate` find a preset again by the preset's own output with 5 % of noise, does it say what the data leave open, and does the
# machine file that it writes give what was printed? Does it read what `validate` has? A build without NLopt says what it lacks: status 77.
set -eu
bench=$BIN/rccebench
cd "$WORK"
fail() {
  echo "$*"
  exit 1
}
# Noise of up to 5 %: the same in every run.
noisy() { # noisy MODEL_CSV
  awk -F, -v OFS=, '
    /^#/ { next }
    !head { for (i = 1; i <= NF; ++i) column[$i] = i; head = 1; next }
    { seed = (seed * 1103 + 12345) % 65536; print $column["id"], $column["model"] * (0.95 + 0.1 * seed / 65535) }' "$1"
}
within() { # within FILE NAME WANTED: the fitted value is determined, and within 5 %
  awk -v name="$2" -v wanted="$3" '
    index($0, "\"" name "\"") { inside = 1 }
    inside && /"fitted"/ { gsub(/[^0-9.e+-]/, "", $2); value = $2 }
    inside && /"determined"/ { exit !($0 ~ /true/ && value / wanted < 1.05 && wanted / value < 1.05) }' "$1" ||
    { cat "$1"; fail "$2 is not found again"; }
}

if ! ldd "$bench" | grep -q nlopt; then
  printf 'group,id,value,algorithm,cores,bytes\nlinear,P1,100,bcast/linear,4,256\n' >one.csv
  status=0
  "$bench" calibrate --measured one.csv --fit cache.l2_line_cycles >out.txt 2>&1 || status=$?
  [ $status -eq 2 ] && grep -q 'calibrate: this build has no optimiser; install NLopt' out.txt || { cat out.txt; fail "status $status"; }
  echo "skipped: this build has no NLopt (Debian package libnlopt-dev)"
  exit 77
fi

# Points of the laboratory, on the chip.
points=points.csv
echo group,id,value,algorithm,cores,bytes,copies >exact.csv
row=0
for algorithm in linear binomial cube; do
  for bytes in 32 256 512 1024 2048 4096 8192 20000 30000 40000 60000 80000 100000 120000; do
    row=$((row + 1))
    echo "$algorithm,P$row,1,bcast/$algorithm,4,$bytes,prefetching" >>exact.csv
  done
done
"$bench" validate --data exact.csv --format csv -o model.csv
noisy model.csv >noise.csv
{
  head -n 1 exact.csv
  tail -n +2 exact.csv | while IFS=, read -r group id _ rest; do echo "$group,$id,$(sed -n "s/^$id,//p" noise.csv),$rest"; done
} >$points
read_cycles=$("$BIN/rccerun" --print-machine | sed -n 's/^mpb_read_cycles = \([0-9]*\).*/\1/p')
line_cycles=$("$BIN/rccerun" --print-machine | sed -n 's/^l2_line_cycles = \([0-9]*\).*/\1/p')
"$bench" calibrate --measured $points --hold-out half --set tile.mpb_read_cycles=100 --set cache.l2_line_cycles=15 \
  --fit tile.mpb_read_cycles,cache.l2_line_cycles,cache.plain_store_dram_cycles --format json -o fitted.machine >fitted.json
within fitted.json tile.mpb_read_cycles "$read_cycles"
within fitted.json cache.l2_line_cycles "$line_cycles"
# No plain copy stores a word here.
grep -A 3 plain_store_dram_cycles fitted.json | grep -q '"determined": false' || fail "a parameter without effect is determined"
"$bench" validate --data $points --machine fitted.machine >again.txt
grep -q "median absolute difference" again.txt || fail "no summary"
grep -q "^preset = scc" fitted.machine && grep -q "Data: points.csv" fitted.machine || fail "the machine file does not say what it is from"

# Lines of a machine with coherent caches, by the published rows' own file.
data=$BIN/../share/rockcreek/published/coherent.csv
"$bench" validate --machine opteron-6172 --data "$data" --format csv -o model.csv
noisy model.csv >noise.csv
sed -n '/^id,/p' "$data" >lines.csv
awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } $1 in value && $3 == "cas_half_round_trip" { $11 = value[$1]; print }' noise.csv "$data" >>lines.csv
"$bench" calibrate --measured lines.csv --machine opteron-6172 --set "cas.modified=150 150 300 300" \
  --fit "cas.modified[0],cas.modified[1]" --format json >lines.json
within lines.json "cas.modified[0]" 110
within lines.json "cas.modified[1]" 197

# Reductions on a cluster's cards and hosts.
row=0
echo group,id,value,algorithm,cores,bytes,options >exact.csv
for nodes in 4 8 16 32 64 128 256 512 900; do
  for bytes in 8 64 256 1024 2048 4096; do
    for algorithm in f_nomial,degree=2 f_nomial,degree=4 f_nomial,degree=8 4_ary_broadcast,; do
      row=$((row + 1))
      echo "${algorithm%,*},C$row,1,reduce/${algorithm%,*},$nodes,$bytes,${algorithm#*,}" >>exact.csv
    done
  done
done
"$bench" validate --machine alc --data exact.csv --format csv -o model.csv --force
noisy model.csv >noise.csv
awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } FNR > 1 { $3 = value[$2] } { print }' noise.csv exact.csv >cards.csv
"$bench" calibrate --measured cards.csv --machine alc --set "combine.float64_sum=2.4 4.72 9.28 18.496" --set host.latency=7 \
  --fit combine.float64_sum,host.latency --format json >cards.json
within cards.json combine.float64_sum 1.5
within cards.json host.latency 4

# What is wrong is said.
refused() {
  message=$1
  shift
  "$bench" calibrate "$@" 2>wrong.txt && fail "accepted: $*"
  grep -q -- "$message" wrong.txt || { cat wrong.txt; fail "another message: $message"; }
}
echo a,b >empty.csv
refused "none of the columns" --measured empty.csv --fit cache.l2_line_cycles
refused "did you mean" --measured $points --fit cache.l2_lin_cycles
refused "neither half" --measured $points --fit cache.l2_line_cycles --hold-out third
refused "is no number" --measured $points --fit dram.frames
