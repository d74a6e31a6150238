#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does `calibrate` find a preset again by the preset's own output with 5 % of noise? What it calls determined
# has to be within 5 %, over a draw of the noise (WHOLE=1: several, from more rows), on every kind of machine.
# Does it say what the data leave open, and does its machine file give what was printed? Does it read what
# `validate` has? A build without NLopt says what it lacks: status 77.
set -eu
. "$SOURCE/tests/support/checks.sh"
cd "$WORK"
noises=0 # seeds
[ -z "${WHOLE:-}" ] || noises="0 40009"
# Noise of up to 5 %: the same in every run.
noisy() { # noisy MODEL_CSV SEED
  awk -F, -v OFS=, -v seed="$2" '
    /^#/ { next }
    !head { for (i = 1; i <= NF; ++i) column[$i] = i; head = 1; next }
    { seed = (seed * 1103 + 12345) % 65536;
    print $column["id"], $column["model"] * (0.95 + 0.1 * seed / 65535) }' "$1"
}
: >found.txt
# within FILE NAME WANTED: the fitted value is within 5 % if it is called determined; found.txt counts these
within() {
  awk -v name="$2" -v wanted="$3" '
    index($0, "\"" name "\"") { inside = 1 }
    inside && /"fitted"/ { gsub(/[^0-9.e+-]/, "", $2); value = $2 }
    inside && /"determined"/ {
      determined = $0 ~ /true/
      print name, value, wanted, determined ? "determined" : "open" >>"found.txt"
      exit determined && (value / wanted > 1.05 || wanted / value > 1.05)
    }' "$1" || { cat "$1"; fail "$2 is called determined and is not found again"; }
}
if ! ldd "$bench" | grep -q nlopt; then
  printf 'group,id,value,algorithm,cores,bytes\nlinear,P1,100,bcast/linear,4,256\n' >one.csv
  status=0
  "$bench" calibrate --measured one.csv --fit cache.l2_line_cycles >out.txt 2>&1 || status=$?
  [ $status -eq 2 ] && grep -q 'calibrate: this build has no optimiser; install NLopt' out.txt ||
    { cat out.txt; fail "status $status"; }
  echo "skipped: this build has no NLopt (Debian package libnlopt-dev)"
  exit 77
fi

# Points of the laboratory, on the chip.
points=points.csv
echo group,id,value,algorithm,cores,bytes,copies >exact.csv
row=0
sizes="32 512 2048 8192 30000 60000 120000"
[ -z "${WHOLE:-}" ] || sizes="32 256 512 1024 2048 4096 8192 20000 30000 40000 60000 80000 100000 120000"
for algorithm in linear binomial cube; do
  for bytes in $sizes; do
    row=$((row + 1))
    echo "$algorithm,P$row,1,bcast/$algorithm,4,$bytes,prefetching" >>exact.csv
  done
done
"$bench" validate --data exact.csv --format csv -o model.csv
read_cycles=$("$BIN/rccerun" --print-machine | sed -n 's/^mpb_read_cycles = \([0-9]*\).*/\1/p')
line_cycles=$("$BIN/rccerun" --print-machine | sed -n 's/^l2_line_cycles = \([0-9]*\).*/\1/p')
for seed in $noises; do
  noisy model.csv "$seed" >noise.csv
  awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } FNR > 1 { $3 = value[$2] } { print }' noise.csv \
    exact.csv >$points
  "$bench" calibrate --measured $points --hold-out half --set tile.mpb_read_cycles=100 \
    --set cache.l2_line_cycles=15 --starts 1 \
    --fit tile.mpb_read_cycles,cache.l2_line_cycles,cache.plain_store_dram_cycles --format json \
    -o fitted.machine >fitted.json
  within fitted.json tile.mpb_read_cycles "$read_cycles"
  within fitted.json cache.l2_line_cycles "$line_cycles"
  # No plain copy stores a word here.
  grep -A 3 plain_store_dram_cycles fitted.json | grep -q '"determined": false' ||
    fail "a parameter without effect is determined"
done
"$bench" validate --data $points --machine fitted.machine >again.txt
grep -q "median absolute difference" again.txt || fail "no summary"
grep -q "^preset = scc" fitted.machine && grep -q "Data: points.csv" fitted.machine ||
  fail "the machine file does not say what it is from"
printf '[machine]\npreset = scc-fast\n[mesh]\ncolumns = 3\n' >small.machine
printf 'group,id,value,algorithm,cores,bytes\nlinear,P1,150,bcast/linear,4,1256\n' >one.csv
"$bench" calibrate --measured one.csv --machine small.machine --fit tile.mpb_read_cycles --starts 1 \
  -o again.machine --format csv | cut -d, -f4 >printed.txt
"$bench" validate --data one.csv --machine again.machine --format csv | cut -d, -f4 >again.txt
[ "$(tail -n 1 printed.txt)" = "$(tail -n 1 again.txt)" ] || fail "the machine of a machine file is another"
# The least value that is tried is a whole one, too.
printf 'group,id,value,algorithm,cores,bytes\n%s,4,256\n%s,4,64\n' \
  linear,P1,1,bcast/linear linear,P2,2,bcast/linear >low.csv
"$bench" calibrate --measured low.csv --fit tile.mpb_read_cycles --starts 1 >low.txt
grep -q 'tile.mpb_read_cycles = 6 sits on its bound, 6:' low.txt || fail "a bound: $(cat low.txt)"

# Barriers on the chip, and in shared memory on a machine with coherent caches.
step=2
[ -z "${WHOLE:-}" ] || step=1
barriers() { # barriers ALGORITHM...
  row=0
  echo group,id,value,algorithm,cores,bytes
  for algorithm; do
    for cores in $(seq 2 $step 48); do
      row=$((row + 1))
      echo "$algorithm,B$row,1,barrier/$algorithm,$cores,0"
    done
  done
}
barriers linear dissemination tree >exact.csv
"$bench" validate --data exact.csv --format csv -o model.csv
for seed in $noises; do
  noisy model.csv "$seed" >noise.csv
  awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } FNR > 1 { $3 = value[$2] } { print }' noise.csv \
    exact.csv >barriers.csv
  "$bench" calibrate --measured barriers.csv --set tile.mpb_read_cycles=100 --starts 1 \
    --fit tile.mpb_read_cycles --format json >barriers.json
  within barriers.json tile.mpb_read_cycles "$read_cycles"
done
barriers central_sense dissemination mcs_tree >exact.csv
"$bench" validate --machine opteron-6172 --data exact.csv --format csv -o model.csv
load=$("$BIN/rccerun" --machine opteron-6172 --print-machine |
  sed -n '/^\[load\]/,/^\[/s/^modified = \([0-9]*\).*/\1/p')
for seed in $noises; do
  noisy model.csv "$seed" >noise.csv
  awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } FNR > 1 { $3 = value[$2] } { print }' noise.csv \
    exact.csv >barriers.csv
  "$bench" calibrate --measured barriers.csv --machine opteron-6172 --set "load.modified=120 240 258 378" \
    --starts 1 --fit load.modified --format json >barriers.json
  within barriers.json load.modified "$load"
done

# Lines of one, by the published rows' own file: two rows for each number leave it open.
data=$BIN/../share/rockcreek/published/coherent.csv
"$bench" validate --machine opteron-6172 --data "$data" --format csv -o model.csv
noisy model.csv 0 >noise.csv
sed -n '/^id,/p' "$data" >lines.csv
awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } $1 in value && $3 == "cas_half_round_trip" {
  $11 = value[$1]; print }' noise.csv "$data" >>lines.csv
"$bench" calibrate --measured lines.csv --machine opteron-6172 --set "cas.modified=150 150 300 300" \
  --fit "cas.modified[0],cas.modified[1]" --format json >lines.json
grep -q '"determined": true' lines.json && fail "four rows determine two parameters"
# Rows of one point leave two parameters open, however many there are and however alike.
{ echo group,id,value,algorithm,cores,bytes
  for id in 1 2 3 4; do echo "t,P$id,200,bcast/mcast,48,8192"; done; } >alike.csv
"$bench" calibrate --measured alike.csv --fit tile.mpb_read_cycles,mesh.router_cycles --starts 1 \
  --format json >alike.json
grep -q '"determined": true' alike.json &&
  fail "rows of one point determine two parameters: $(cat alike.json)"

# Reductions on a cluster's cards and hosts.
row=0
echo group,id,value,algorithm,cores,bytes,options >exact.csv
cluster_nodes="4 16 64 256"
[ -z "${WHOLE:-}" ] || cluster_nodes="4 8 16 32 64 128 256 512 900"
for nodes in $cluster_nodes; do
  for bytes in 8 64 256 1024 2048 4096; do
    for algorithm in f_nomial,degree=2 f_nomial,degree=4 f_nomial,degree=8 4_ary_broadcast,; do
      row=$((row + 1))
      echo "${algorithm%,*},C$row,1,reduce/${algorithm%,*},$nodes,$bytes,${algorithm#*,}" >>exact.csv
    done
  done
done
"$bench" validate --machine alc --data exact.csv --format csv -o model.csv --force
for seed in $noises; do
  noisy model.csv "$seed" >noise.csv
  awk -F, -v OFS=, 'NR == FNR { value[$1] = $2; next } FNR > 1 { $3 = value[$2] } { print }' noise.csv \
    exact.csv >cards.csv
  "$bench" calibrate --measured cards.csv --machine alc --set "combine.float64_sum=2.4 4.72 9.28 18.496" \
    --set host.latency=7 --starts 1 \
    --fit combine.float64_sum,host.latency --format json >cards.json
  within cards.json combine.float64_sum 1.5
  within cards.json host.latency 3.98
done
cat found.txt
for kind in tile combine; do grep -q "^$kind.* determined" found.txt ||
  fail "nothing is determined: $kind"; done

# A value that ends where the search ends is no result: it is said.
printf 'group,id,value,unit,algorithm,cores,bytes\nlinear,P1,9000,us,bcast/linear,4,1256\n' >slow.csv
"$bench" calibrate --measured slow.csv --fit tile.mpb_read_cycles --starts 1 >slow.txt
grep -q '^# tile.mpb_read_cycles = .* sits on its bound, 620: values beyond were not tried' slow.txt ||
  { cat slow.txt; fail "its bound"; }
"$bench" calibrate --measured slow.csv --fit tile.mpb_read_cycles --starts 1 --format json |
  tee slow.json | grep -q '"at_bound": true' || fail "its bound, JSON"
grep -q '"held_out_median_percent": null' slow.json || fail "a median of no rows, JSON"
