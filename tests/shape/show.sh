#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Are the rounds that rccebench show takes from a run those of the schedules: numbers of rounds at odd sizes
# too, and edge by edge the known vectors; are all forms whole documents?
set -eu
. "$SOURCE/tests/support/checks.sh"
vectors=$(dirname "$0")/vectors
# edges ALGORITHM CORES WORD...: a line "ROUND FROM TO KIND" for each, KIND d (data) or s (signal)
edges() {
  "$bench" show "$1" --cores "$2" --drawing list $(shift 2 && echo "$@") | awk '
    /^round / { round = $2 + 0; next }
    /^    / { for (i = 1; i <= NF; ++i) {
      kind = index($i, "→") ? "d" : "s"
      gsub(/→|⇢/, " ", $i)
      print round, $i, kind } }'
}
rounds() { awk '$1 > most { most = $1 } END { print most + 0 }'; }
log2() { awk -v n="$1" 'BEGIN { while (2 ^ r < n) ++r; print r + 0 }'; } # rounded up

for n in 1 3 5 12 47 48; do
  edges bcast/binomial $n >all
  [ "$(rounds <all)" -eq "$(log2 $n)" ] || fail "bcast/binomial on $n: $(rounds <all) rounds"
  [ "$(awk '{ print $3 }' all | sort -n | uniq | wc -l)" -eq $((n - 1)) ] ||
    fail "bcast/binomial on $n: not every rank has it once"
  [ "$(wc -l <all)" -eq $((n - 1)) ] || fail "bcast/binomial on $n: $(wc -l <all) edges"
  edges bcast/linear $n >all
  [ "$(rounds <all)" -eq $((n - 1)) ] || fail "bcast/linear on $n: $(rounds <all) rounds"
  awk '$2 != 0 || $3 != $1 { exit 1 }' all || fail "bcast/linear on $n: rank i is not served in round i"
  for machine in scc opteron-6172; do
    edges barrier/dissemination $n --machine $machine >all
    [ "$(rounds <all)" -eq "$(log2 $n)" ] ||
      fail "barrier/dissemination on $n of $machine: $(rounds <all) rounds"
    awk -v n=$n '$3 != ($2 + 2 ^ ($1 - 1)) % n || $4 != "s" { exit 1 }' all ||
      fail "barrier/dissemination on $n of $machine: $(cat all)"
    [ "$(wc -l <all)" -eq $((n * $(log2 $n))) ] ||
      fail "barrier/dissemination on $n of $machine: $(wc -l <all) edges"
  done
done
edges bcast/binomial 12 --root 5 | awk '$1 == 1 && $2 == 5 { found = 1 } END { exit !found }' ||
  fail "the root is not heard"

# f-nomial trees on cards: parent and phase of every rank.
for tree in '5 2' '13 4' '47 3'; do
  set -- $tree
  edges reduce/f_nomial "$1" --machine alc --parameter "degree=$2" | awk '{ print $2, $3, $1 }' | sort >found
  awk -F, -v n="$1" -v f="$2" '$1 == n && $2 == f && $4 >= 0 { print $3, $4, $5 + 1 }' \
    "$vectors/fnomial.csv" | sort >wanted
  [ -s wanted ] || continue
  cmp -s found wanted || fail "reduce/f_nomial of degree $2 on $1: $(diff found wanted)"
done

# The cube: of one part round by round, of several every message; pairs that find each other: three rounds an
# iteration.
for n in 3 5 7 12 36 48; do
  edges bcast/cube $n --bytes 1024 --parameter part=1024 | awk '{ print $1 - 1, $2, $3 }' | sort >found
  awk -F, -v n=$n '$1 == n && $2 == 1 { print $3, $5, $6 }' "$vectors/cube-arbitrary.csv" | sort >wanted
  [ -s wanted ] && cmp -s found wanted || fail "bcast/cube on $n: $(diff found wanted)"
done
for shape in '5 3' '12 3' '48 5'; do
  set -- $shape
  edges bcast/cube "$1" --bytes $((256 * $2)) --parameter part=256 | awk '{ print $2, $3 }' | sort >found
  awk -F, -v n="$1" -v parts="$2" '$1 == n && $2 == parts { print $5, $6 }' "$vectors/cube-arbitrary.csv" |
    sort >wanted
  [ -s wanted ] && cmp -s found wanted || fail "bcast/cube of $2 parts on $1: $(diff found wanted)"
done
for n in 2 3 5 6 7 8 12 13; do
  edges reduce/pair_tree $n | awk '{ low = $2 < $3 ? $2 : $3;
    print int(($1 - 1) / 3), low, $2 + $3 - low }' | sort -u >found
  awk -F, -v n=$n '$1 == n { print $2, $3, $4 }' "$vectors/pair-tree.csv" | sort >wanted
  [ -s wanted ] && cmp -s found wanted || fail "reduce/pair_tree on $n: $(diff found wanted)"
done

# A level tree passes on what its children have: parents, and the deepest level in round 1.
edges reduce/level_tree 10 --parameter fan_outs=3,2 | awk '$4 == "d" { print $2, $3 }' | sort >found
awk -F, '$1 == 10 && $2 == "3 2" && $5 >= 0 { print $3, $5 }' "$vectors/level-tree.csv" | sort >wanted
cmp -s found wanted || fail "reduce/level_tree: $(diff found wanted)"
edges bcast/level_tree 10 --parameter fan_outs=3,2 | awk '$4 == "d" { print $3, $2 }' | sort |
  cmp -s - wanted ||
  fail "bcast/level_tree: other parents"

# DOPL: on 12 cores of one row of tiles the row's pipe of two segments, then the columns, each rank by itself.
edges bcast/dopl 12 >all
[ "$(rounds <all)" -eq 8 ] || fail "bcast/dopl: $(rounds <all) rounds"
awk '{ by = $3 - $2 }
  by == 2 { row[$2] = $1; ++rows; next }
  by == 1 { if ($1 <= row[$2]) exit 1; ++columns; next }
  { exit 1 }
  END { if (rows != 10 || columns != 12) exit 1 }' all ||
  fail "bcast/dopl: not rows, then columns: $(cat all)"

# A lock: each thread holds it once, one after the other, and hands it over to the next.
for name in tas ttas ticket mcs clh; do
  for n in 1 5 12; do
    "$bench" show lock/$name --cores $n --parameter hold=2000 >out || fail "show lock/$name on $n"
    sed -n 's/^  thread \([0-9]*\) from \(.*\) to \(.*\) us$/\1 \2 \3/p' out >holds
    [ "$(cut -d' ' -f1 holds | sort -nu | wc -l)" -eq $n ] && [ "$(wc -l <holds)" -eq $n ] ||
      fail "lock/$name on $n: $(cat out)"
    awk '$2 < last || $3 - $2 < 0.951 || $3 - $2 > 0.954 { exit 1 } { last = $3 }' holds ||
      fail "lock/$name on $n overlaps: $(cat out)"
    edges lock/$name $n --parameter hold=2000 | awk '{ print $2, $3 }' >found
    awk 'NR > 1 { print before, $1 } { before = $1 }' holds | cmp -s - found ||
      fail "lock/$name on $n: hand-overs $(cat out)"
  done
done
"$bench" show lock/mcs --cores 5 --format json | grep -c '"end_us"' | grep -qx 14 ||
  fail "lock/mcs: four rounds, their edges, five holds, the end"

# Every algorithm of the catalogue, at odd sizes.
# Its help names them, in lines that fit.
"$bench" show --help >help
! grep -q '.\{121\}' help || fail "lines of the help: $(grep '.\{121\}' help)"
all=$(sed -n '/^Positionals/,/^$/p' help | grep -o '[a-z][a-z_]*/[a-z0-9_][a-z0-9_]*')
[ "$(echo "$all" | wc -w)" -gt 40 ] || fail "names in the help: $all"
for name in $all; do
  for n in 1 3 5; do
    "$bench" show "$name" --cores $n >out || fail "show $name on $n cores"
    grep -q '^# [0-9]* rounds*, done at' out || fail "show $name on $n cores: $(head -5 out)"
    [ $n -eq 1 ] || grep -q '^round 1, ends at' out || fail "show $name on $n cores: no round"
  done
done

# The forms, each twice the same.
for format in text svg html json; do
  "$bench" show bcast/cube --cores 12 --format $format >one
  "$bench" show bcast/cube --cores 12 --format $format | cmp - one ||
    fail "$format: other bytes the second time"
  [ $format = text ] || "$bench" show bcast/cube --cores 12 -o "file.$format"
  # The page has the command that made it.
  [ $format = text ] || sed -i 's/"command":"[^"]*"//' one "file.$format"
  [ $format = text ] || cmp one "file.$format" || fail "-o file.$format is not $format"
done
echo 'file(READ ${FILE} text)
string(JSON count LENGTH "${text}" rounds)
message("${count}")' >count.cmake
[ "$(cmake -DFILE="$PWD/file.json" -P count.cmake 2>&1)" = "$("$bench" show bcast/cube --cores 12 |
  grep -c '^round ')" ] ||
  fail "json and text have another number of rounds"
[ "$(grep -c '<g transform' file.svg)" = "$("$bench" show bcast/cube --cores 12 | grep -c '^round ')" ] ||
  fail "svg: panels"
! grep 'https\?://' file.html | grep -qv 'github.com/leeoniya/uPlot\|www.w3.org/2000/svg' ||
  fail "the page refers to something outside"
