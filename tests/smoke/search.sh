#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A search of schedules: the same for a seed and a number of tries, whatever the processors, and goes on where
# it was; what it finds is measured and drawn.
set -eu
. "$SOURCE/tests/support/checks.sh"
rm -f ./*.schedule ./*.json ./*.part

search="search bcast --cores 12 --bytes 2000 --seed 3"
"$bench" $search --tries 60 --jobs 1 -o one.schedule >one || fail "search: $(cat one)"
grep -q '^# best row .*bcast/' one || fail "no row to compare with: $(cat one)"
"$bench" $search --tries 60 --jobs 3 -o two.schedule >two
grep -v '\.schedule: ' one >left
grep -v '\.schedule: ' two >right
cmp left right || fail "the number of processors changes the search"
cmp one.schedule two.schedule || fail "the number of processors changes the schedule"
"$bench" $search --tries 60 --payload none -o blind.schedule >/dev/null
cmp one.schedule blind.schedule || fail "a search without payload finds another schedule"
"$bench" $search --tries 20 --resume kept.json >/dev/null
"$bench" $search --tries 60 --resume kept.json -o three.schedule >/dev/null
cmp one.schedule three.schedule || fail "a search that goes on finds another schedule"
"$bench" $search --tries 60 --format json >four.json
grep -q '"best_us"' four.json || fail "no summary: $(cat four.json)"

# What is measured is what was found.
found=$(sed -n 's/^# bcast .*: \([0-9.]*\) us; .*/\1/p' one.schedule)
"$bench" bcast --algorithms schedule --schedule one.schedule --cores 12 --sizes 2000 >row
grep -q "^bcast/schedule .* $found .* ok$" row || fail "not $found us: $(cat row)"
"$bench" bcast --algorithms schedule --schedule one.schedule,plain --cores 12 --sizes 0,1,31,4097 --root 5 \
  --format csv >rows.csv
[ "$(grep -c '^bcast/schedule.*,true' rows.csv)" -eq 8 ] || fail "wrong bytes: $(cat rows.csv)"
"$bench" show bcast/schedule --parameter schedule=one.schedule --cores 12 >rounds ||
  fail "show: $(cat rounds)"
grep -q '^round ' rounds || fail "no rounds: $(cat rounds)"

# Reductions: both families of plans, other roots, and sizes that leave segments empty.
for operation in reduce allreduce; do
  "$bench" search $operation --cores 12 --bytes 4096 --tries 40 --payload none -o $operation.schedule >sums
  grep -q 'tree of sums' sums || fail "no tree: $(cat sums)"
  grep -q 'owners, groups of' sums || fail "no owners: $(cat sums)"
  found=$(sed -n "s/^# $operation of .*: \([0-9.]*\) us; .*/\1/p" $operation.schedule)
  "$bench" $operation --algorithms schedule --schedule $operation.schedule --cores 12 --sizes 4096 >sums
  grep -q "^$operation/schedule .* $found .* ok$" sums || fail "not $found us: $(cat sums)"
  "$bench" $operation --algorithms schedule --schedule $operation.schedule --cores 12 --sizes 0,8,40,16384 \
    --format csv >rows.csv
  [ "$(grep -c "^$operation/schedule.*,true" rows.csv)" -eq 4 ] || fail "wrong elements: $(cat rows.csv)"
  "$bench" show $operation/schedule --parameter schedule=$operation.schedule --cores 12 >rounds ||
    fail "show: $(cat rounds)"
done
"$bench" reduce --algorithms schedule --schedule reduce.schedule,plain --cores 12 --sizes 40,4096 --root 5 \
  --format csv >rows.csv
[ "$(grep -c '^reduce/schedule.*,true' rows.csv)" -eq 4 ] ||
  fail "wrong elements for another root: $(cat rows.csv)"

# Results are those of the file's text, not of its name.
"$bench" bcast --algorithms schedule --schedule one.schedule --cores 12 --sizes 2000 --resume named.json \
  >/dev/null
sed -i 's/^first_bytes .*/first_bytes 32/' one.schedule
"$bench" bcast --algorithms schedule --schedule one.schedule --cores 12 --sizes 2000 --resume named.json \
  >other
cmp -s row other && fail "a file that was changed has the results of before"

# A program takes it from the folder of the command, also where a script has gone elsewhere.
printf '#!/bin/sh\ncd "%s"\nexec ./collective_times "$@"\n' "$PROGRAMS" >elsewhere.sh
chmod +x elsewhere.sh
"$BIN/rccerun" -nue 12 --collectives bcast/schedule:schedule=two.schedule ./elsewhere.sh >out 2>err ||
  fail "another folder: $(cat out err)"
! grep -q 'schedule' err || fail "another folder: $(cat err)"
