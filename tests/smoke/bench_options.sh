#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does every command of rccebench take rccerun's options: cores of a host file, statistics, parameters with
# several values?
set -eu
. "$SOURCE/tests/support/checks.sh"

# Cores of a host file. The far ones take longer, and the same whatever names them.
printf '47\n0\n' >far
printf '0\n1\n40\n' >near
time_of() { # time_of WORD...: simulated time of the last rank
  "$bench" bcast --algorithms linear --sizes 32 --cores 2 --format csv "$@" | tail -n 1 | cut -d, -f7
}
[ "$(time_of)" = "$(time_of -f near)" ] || fail "cores 0 and 1 by a host file take another time"
[ "$(time_of -f far)" != "$(time_of)" ] || fail "--hostfile is not heard"
for command in compare tune scaling; do
  "$bench" $command --algorithms cube --cores 2 --sizes 32 -f far \
    $([ $command != scaling ] || echo --meshes none) >out
  grep -q '^# machine .*cores as in far$' out || fail "$command does not say whose cores"
done
"$bench" pingpong -f near --sizes 32 --format csv | cut -d, -f1,2 | tail -n 2 | tr '\n' ' ' |
  grep -q '^0,1 0,40 $' ||
  fail "pingpong does not take its pairs from the file"
"$bench" cost --cores 2 --sizes 32 --algorithms linear --runs 1 -f far >/dev/null

# Statistics of every run, with its name.
rm -f of_all.csv tree.json
"$bench" compare --cores 3 --sizes 64 --algorithms cube,linear --statistics=of_all.csv >/dev/null
for run in linear:cores=3:bytes=64 cube:cores=3:bytes=64:part=4096; do
  [ "$(grep -c "^core.lines_put,run=scc:bcast/$run core=[012],lines," of_all.csv)" -eq 3 ] ||
    fail "no statistics of $run"
done
"$bench" pingpong --pairs 0:1,0:47 --sizes 32 --statistics >out 2>tables
[ "$(grep -c '^# scc:pingpong:0-' tables)" -eq 2 ] || fail "pingpong: tables of two runs wanted"
grep -q 'link(0,0)->east' tables || fail "pingpong: no links"
"$bench" barrier --cores 5 --algorithms tree --statistics=tree.json >with
[ "$(head -n 1 tree.json)" = '[' ] || fail "statistics are not in the format of the file's ending"
"$bench" barrier --cores 5 --algorithms tree >without
cmp with without || fail "statistics change a time"

# Several values of a parameter: rows, views, summary and notes of each.
swept='--set mesh.router_cycles=2,8'
check() { # check COMMAND WORD...: a row of each machine at least, each with its name
  "$bench" "$@" $swept --format csv >swept.csv
  for cycles in 2 8; do
    grep -q "scc mesh.router_cycles=$cycles," swept.csv || fail "$*: no row with $cycles"
  done
  "$bench" "$@" $swept --format json | grep -q 'mesh.router_cycles=8"' || fail "$*: json lacks its name"
  "$bench" "$@" $swept >swept
  grep -q '^# mesh.router_cycles=8' swept || fail "$*: a view lacks its name"
}
check compare --cores 12 --sizes 32 --algorithms linear,cube
check tune --cores 3 --sizes 1024 --algorithms cube
check scaling --meshes none --cores 12 --sizes 32 --algorithms linear
check validate
check cost --cores 2 --sizes 32 --algorithms linear --runs 1
"$bench" compare --cores 12 --sizes 32 --algorithms linear --format csv --set mesh.router_cycles=8 |
  tail -n 1 | cut -d, -f7 >alone
"$bench" compare --cores 12 --sizes 32 --algorithms linear --format csv $swept | tail -n 1 |
  cut -d, -f7 >among
cmp alone among || fail "a value among several gives another time"
"$bench" validate --machine opteron-6172 --set queue.hold=0.4,0.6 --format csv |
  grep -q '^opteron-6172 queue.hold=0.6,' ||
  fail "validate: a coherent machine is not swept"

# Who was last: of a scan by a chain the last rank. Bandwidth is size by time. Sizes of blocks are those of
# all ranks.
"$bench" scan --algorithms linear --cores 5 --sizes 1000 --format csv >last.csv
awk -F, '/^#/ { next } !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
  { apart = $column["bandwidth_mib_per_s"] * 1.048576 * $column["simulated_us_max"] / 1000 - 1
    good = $column["last_rank"] == 4 && apart < 1e-6 && apart > -1e-6 } END { exit !good }' last.csv ||
    fail "last rank, bandwidth: $(cat last.csv)"
"$bench" scan --algorithms linear --cores 5 --sizes 1000 --last >last.txt
# The table has the same distance, rounded.
awk -F, '/^#/ { next } !head { for (i = 1; i <= NF; i++) column[$i] = i; head = 1; next }
  { printf "%.3f\n", $column["last_behind_median_us"] }' last.csv >behind
grep -q 'Last rank  Behind median (us)' last.txt && grep -q "  4  *$(cat behind) " last.txt ||
  fail "--last: $(cat last.txt last.csv)"
"$bench" scan --algorithms linear --cores 5 --sizes 1000 | grep -q 'Behind median' && fail "not asked for"
"$bench" allgather --algorithms ring --cores 5 --sizes 1000 |
  grep -q '^# sizes  *bytes of all ranks together' || fail "allgather: whose bytes are its sizes?"
"$bench" pingpong --sizes 32 --format json >names.json # an earlier name of this version
grep -q '"bytes": 32' names.json && grep -q '"size_bytes": 32' names.json ||
  fail "pingpong: $(cat names.json)"

# What one run records: as rccerun has it, at no time's cost; of several runs nothing.
rm -f one.csv links.csv one.json why.json
"$bench" bcast --algorithms binomial --cores 5 --sizes 1000 >without
"$bench" bcast --algorithms binomial --cores 5 --sizes 1000 --matrix one.csv --links links.csv \
  --trace one.json --why=why.json >with
cmp with without || fail "recording changes a time"
grep -q '^pair.messages,sender=0 receiver=4,1,' one.csv || fail "no messages to rank 4: $(cat one.csv)"
grep -q '^link.packets,"link=link(0,0)->east",' links.csv || fail "no link: $(cat links.csv)"
grep -q '"name":"rank 4 (core 04)"' one.json || fail "no timeline"
awk '/"end"/ && !ends { match($0, /"end": [0-9]+/); ends = substr($0, RSTART + 7, RLENGTH - 7) }
  /"kind"/ { match($0, /"time": [0-9]+/);
  sum += substr($0, RSTART + 8, RLENGTH - 8) } /"name": "no contention".*"end"/ { other = 1 }
  END { exit !(ends && sum == ends && other) }' why.json || fail "the path does not add up: $(cat why.json)"
"$bench" barrier --algorithms tree --cores 3 --why 2>&1 >/dev/null |
  grep -q '^why: the measured part takes' || fail "no --why on stderr"
# Path, profile and matrix are of the operation alone, from the release to the last end: the path is as long
# as the table says, whatever goes before and between; no call of the harness is there; data are what is
# copied, too.
for point in 'bcast binomial --sizes 1024' 'bcast staged_pull --sizes 1024 --repetitions 3 --warm-up 2' \
  'reduce linear --sizes 800' 'barrier dissemination --repetitions 2'; do
  # shellcheck disable=SC2086
  set -- $point
  operation=$1 name=$2
  shift 2
  rm -f part.json part.csv part.matrix.csv part.trace
  "$bench" "$operation" --algorithms "$name" --cores 12 "$@" --format csv --why=part.json --profile=part.csv \
    --matrix part.matrix.csv \
    --trace part.trace >out 2>err ||
    fail "$point: $(cat err)"
  last=$(grep -v '^#' out | awk -F, 'NR == 1 {
    for (i = 1; i <= NF; ++i) if ($i == "simulated_us_max") at = i; next } { print $at }')
  awk -v last="$last" '/"end"/ && !ends { match($0, /"end": [0-9]+/);
    ends = substr($0, RSTART + 7, RLENGTH - 7) }
    /"kind"/ { match($0, /"time": [0-9]+/);
    sum += substr($0, RSTART + 8, RLENGTH - 8) } /"kind": "unknown"/ { bad = 1 }
    END { d = ends / 1000000 - last; exit !(ends && sum == ends && !bad && d < 0.001 && d > -0.001) }' \
    part.json ||
    fail "$point: $last us, but the path: $(cat part.json)"
  ! grep -qE 'rcce_sleep_until|RCCE_init|RCCE_finalize|iRCCE_init' part.json part.csv part.trace ||
    fail "$point: the harness: $(cat part.csv)"
  # The timeline begins with the release, has a row for each rank, and ends with the last rank.
  awk -v last="$last" '/"ph":"[BE]"/ { match($0, /"ts":[0-9.]+/);
    at = substr($0, RSTART + 5, RLENGTH - 5) + 0; if (at > most) most = at }
    /"name":"rank 11 \(core 11\)"/ { named = 1 } END { d = most - last; exit !(named && d < 0.001 &&
    d > -0.001) }' part.trace ||
    fail "$point: $last us, but the timeline: $(head -c 3000 part.trace)"
  # A rank's calls fill its part.
  awk -F, -v last="$last" '$1 == "profile.time" { sum += $NF } END { exit !(sum > 0 &&
    sum <= 12 * last + 0.001) }' part.csv || fail "$point: $(cat part.csv)"
  cp part.matrix.csv "$name.matrix.csv"
done
# The message, and looks at the line that tells of it.
awk -F, '$1 == "pair.bytes" { ++pairs; if ($2 !~ /^sender=0 / || $4 < 1024 || $4 > 1124) bad = 1 } END {
  exit bad || pairs != 11 }' staged_pull.matrix.csv ||
  fail "who sends to whom: $(cat staged_pull.matrix.csv)"
! grep -q '^pair' dissemination.matrix.csv || fail "a barrier has no data: $(cat dissemination.matrix.csv)"
status=0
"$bench" bcast --algorithms binomial --cores 5,7 --sizes 1000 --why 2>err >/dev/null || status=$?
[ $status = 2 ] && grep -q 'record one run, and 2 are asked for' err ||
  fail "several runs: status $status: $(cat err)"

# The same of a ping-pong of one pair.
rm -f pair.csv pair_links.csv pair.json pair_why.json
"$bench" pingpong --pairs 0:47 --sizes 32,64 >without
"$bench" pingpong --pairs 0:47 --sizes 32,64 --matrix pair.csv --links pair_links.csv --trace pair.json \
  --why=pair_why.json >with
cmp with without || fail "recording changes a time of pingpong"
grep -q '^pair.messages,sender=0 receiver=1,1,26$' pair.csv ||
  fail "13 round trips of two sizes: $(cat pair.csv)"
grep -q '^link.packets,"link=link(4,3)->west",' pair_links.csv || fail "no link: $(cat pair_links.csv)"
grep -q '"name":"rank 1 (core 47)"' pair.json || fail "no timeline of pingpong"
grep -q '"kind"' pair_why.json || fail "no path of pingpong"
status=0
"$bench" pingpong --pairs 0:1,0:2 --why 2>err >/dev/null || status=$?
[ $status = 2 ] && grep -q '2 are asked for: choose one of --pairs' err ||
  fail "several pairs: status $status: $(cat err)"

# What is there stays, as with rccerun, unless --force is given.
for recording in --statistics=kept '--matrix kept' '--links kept' '--trace kept' --why=kept --profile=kept; do
  for command in 'bcast --algorithms linear --cores 2' 'pingpong --pairs 0:1'; do
    echo mine >kept
    status=0
    "$bench" $command --sizes 32 $recording 2>err >out || status=$?
    [ $status = 2 ] && grep -q "'kept': the file exists; choose another, or overwrite it by --force" err ||
      fail "$command $recording: status $status: $(cat err)"
    [ "$(cat kept)" = mine ] && [ ! -s out ] ||
      fail "$command $recording: the file or the run was not left alone"
    "$bench" $command --sizes 32 $recording --force 2>err >out ||
      fail "$command $recording --force: $(cat err)"
    [ "$(head -n 1 kept)" != mine ] || fail "$command $recording --force: not written"
  done
done

# Tables for papers: the winner in bold, what their characters mean escaped, as many cells in each row.
for format in markdown latex; do
  "$bench" compare --cores 5 --sizes 32,8192 --algorithms linear,scatter_allgather --format $format \
    >paper.$format
done
grep -q '^| 5 | 8192 | [0-9.]* | \*\*[0-9.]*\*\* | bcast/scatter' paper.markdown &&
  grep -qF 'scatter\_allgather' paper.markdown &&
  grep -q 'bold marks the fastest.* Machine: scc: .* correct\.$' paper.markdown ||
  fail "markdown: $(cat paper.markdown)"
grep -qF '\textbf{' paper.latex && grep -qF 'scatter\_allgather' paper.latex &&
  grep -qF '0.5 \%' paper.latex ||
  fail "latex: $(cat paper.latex)"
awk -F' & ' '/begin.tabular/ { split($0, part, /[{}]/); columns = length(part[4]) }
  / & / { rows++; if (NF != columns) exit 1 } END { if (rows < 4) exit 1 }' paper.latex ||
  fail "latex, cells: $(cat paper.latex)"
[ "$(grep -c '^|' paper.markdown)" = "$(grep -c '^|.*|$' paper.markdown)" ] || fail "$(cat paper.markdown)"
"$BIN/rcceinfo" bcast/cube --format markdown | grep -q '^|.*bcast/cube' ||
  fail 'rcceinfo, a table without a title'
