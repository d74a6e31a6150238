#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A sweep that is shared out, killed, resumed or cached gives the file of one run, byte for byte but for host
# times.
set -eu
. "$SOURCE/tests/support/checks.sh"
rm -rf ./*.json ./*.part cache out err
timeless() { # timeless FILE: without host times
  sed -E 's/"host_us": [0-9.e+-]+/"host_us": 0/' "$1"
}
same() { # same FILE FILE WHAT
  timeless "$1" >left
  timeless "$2" >right
  cmp left right || fail "$3: not the file of one run"
}

# Every command and world, in odd numbers of parts.
shared_out() { # shared_out PARTS WORD...
  parts=$1
  shift
  rm -f part-*.json
  "$bench" "$@" --format json -o one.json
  number=1
  while [ $number -le "$parts" ]; do
    "$bench" "$@" --shard $number/"$parts" --format json -o 'part-{shard}.json' >out ||
      fail "$* --shard $number/$parts"
    number=$((number + 1))
  done
  "$bench" merge part-*.json -o merged.json || fail "$*: cannot be merged"
  same one.json merged.json "$*, $parts parts"
}
shared_out 1 bcast --algorithms linear,cube --cores 4 --sizes 64
shared_out 12 bcast --algorithms linear --cores 4 --sizes 64,96
shared_out 5 compare --operation bcast --algorithms linear,cube --cores 4,8 --sizes 64,1024
shared_out 3 compare --operation barrier --machine scc,x4600 --cores 4,8
shared_out 3 reduce --machine alc --cores 8,64 --elements 1,4
shared_out 2 reduce --machine alc --cores 8,64 --study model
shared_out 3 allreduce --cores 4 --sizes 64 --algorithms recursive_doubling,reduce_bcast \
  --set mesh.router_cycles=3,4
shared_out 2 scaling --sizes 64 --cores 4,8 --algorithms binomial --meshes 8x6
shared_out 3 tune --cores 8 --sizes 1024 --algorithms cube
shared_out 2 tune --machine x4600 --cores 4
shared_out 3 pingpong --pairs 0:1,0:47 --sizes 32 --set mesh.router_cycles=3,4
shared_out 3 validate
cat >asked <<'END'
[{"algorithm": "bcast/cube", "cores": 4, "bytes": 64}, {"algorithm": "barrier/tree", "cores": 4},
 {"algorithm": "reduce/level_tree", "machine": "x4600", "cores": 4, "bytes": 64}]
END
"$bench" points asked -o one.json
for number in 1 2; do "$bench" points asked --shard $number/2 -o part-$number.json; done
"$bench" merge part-1.json part-2.json -o merged.json
cmp one.json merged.json || fail "points"

# What is missing can be computed.
sweep='bcast --algorithms linear,cube --cores 4 --sizes 64,96,128'
rm -f part-*.json
for number in 1 3; do "$bench" $sweep --shard $number/3 --format json -o part-$number.json; done
"$bench" $sweep --format json -o one.json
"$bench" merge --fill part-1.json part-3.json -o merged.json
same one.json merged.json "--fill"

# `auto`: launchers and arrays.
part() { # part N: how many points a part that is called N has
  grep -c 'model=[0-9]*": ' "part-$1.json" || :
}
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS \
  SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_COUNT
auto() { # auto NUMBER VARIABLE=VALUE...: writes part-NUMBER.json
  number=$1
  shift
  rm -f part-*.json
  env "$@" "$bench" $sweep --shard auto --resume 'part-{shard}.json' >out || fail "$*"
  [ -s "part-$number.json" ] || fail "$*: no part $number but $(ls part-*)"
}
auto 2 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3
[ "$(part 2)" -eq 2 ] || fail "part 2 of 3 has $(part 2) of 6 points"
auto 3 PMI_RANK=2 PMI_SIZE=3
auto 3 SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=3
auto 1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1
[ "$(part 1)" -eq 6 ] || fail "one task is not all"
auto 3 SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2
auto 6 SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 PMI_RANK=2 PMI_SIZE=3
# Without --shard they do not count.
OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 "$bench" $sweep --format json -o merged.json
same one.json merged.json "a process of mpirun without --shard"

# Killed at any moment: what has been written down is not computed again.
long='bcast --algorithms linear,cube,binomial --cores 48 --sizes 8192,16384,32768,65536,131072 '\
'--repetitions 12 --jobs 1'
"$bench" $long --format json -o one.json
rm -f night.json night.json.part before.part
for results in 1 3 7; do # each time a few more
  # The last results come within a tenth of a second: on a busy host the signal may be late. Another try.
  for try in 1 2 3 4 5 6 7 8 9; do
    [ ! -e before.part ] || cp before.part night.json.part
    "$bench" $long --resume night.json >out 2>err &
    until [ -e night.json.part ] && [ "$(grep -c '^{"scc:' night.json.part)" -ge $results ] ||
      ! kill -0 $! 2>/dev/null; do sleep 0.01; done
    kill -KILL $! 2>/dev/null || :
    wait $! || :
    [ -e night.json ] || break
    rm -f night.json
  done
  [ -s night.json.part ] || fail "the sweep has always ended before $results results were there: $(cat err)"
  cp night.json.part before.part
done
[ -s night.json.part ] && [ ! -e night.json ] || fail "no results of a killed sweep: $(ls)"
cp night.json.part kept.part
# as the file has them
sed -n 's/^{"\(scc:[^"]*\)":\({.*}\)}$/    "\1": \2/p' night.json.part | head -n 5 >kept
ends 1 'points are missing' "$bench" merge night.json
# in the middle of a line
head -c "$(($(wc -c <night.json.part) - 20))" night.json.part >cut && mv cut night.json.part
"$bench" $long --resume night.json --format json -o resumed.json
same one.json resumed.json "resumed after kill -9"
[ ! -e night.json.part ] || fail "the part stays"
sed 's/,$//' night.json | grep -cxFf kept | grep -qx 5 ||
  fail "five results that were there have been computed again"
[ "$(grep -c '^    "scc:' night.json)" -eq 15 ] || fail "results are lost or doubled"
"$bench" $long --resume night.json --format json -o again.json
cmp resumed.json again.json || fail "resumed from a whole file: computed again"
"$bench" merge night.json -o merged.json
cmp resumed.json merged.json || fail "merge of one file"
# More points: the others are not computed again, and stay.
"$bench" bcast --algorithms linear --cores 48 --sizes 64,8192 --repetitions 12 --resume night.json >out
[ "$(grep -c '^    "scc:' night.json)" -eq 16 ] || fail "the results of another command do not stay"
sed 's/"model_revision":[0-9]*/"model_revision":1/' kept.part >old.json.part
rm -f old.json
refused 'are of model revision 1, and this is' $long --resume old.json
[ -s old.json.part ] || fail "the results of another revision are gone"
# One at a time: the other one, which takes half a second, is stopped meanwhile, and another is begun where a
# busy host has stopped it too late.
for try in 1 2 3 4 5 6 7 8 9; do
  rm -f busy.json busy.json.part
  "$bench" $long --resume busy.json >out 2>err &
  other=$!
  until [ -s busy.json.part ] || ! kill -0 $other 2>/dev/null; do sleep 0.01; done
  kill -STOP $other 2>/dev/null || :
  [ ! -e busy.json.part ] || break
  kill -CONT $other 2>/dev/null || :
  wait $other
done
refused 'another run is writing it' $sweep --resume busy.json
[ -e busy.json.part ] || fail "who is refused takes the other's results away"
kill -CONT $other
wait $other

# The cache: the same file, host times too, for nothing is computed again.
"$bench" $sweep --cache cache --format json -o fresh.json
"$bench" $sweep --cache cache --format json -o cached.json
cmp fresh.json cached.json || fail "cached: computed again"
[ "$(find cache -name '*.json' | wc -l)" -eq 6 ] || fail "six results are no six entries"
for entry in $(find cache -name '*.json' | head -n 3); do echo '{"key": 1' >"$entry"; done
"$bench" $sweep --cache cache --format json -o cached.json 2>err
same fresh.json cached.json "a damaged cache"
[ "$(grep -c 'is damaged; its point is computed again' err)" -eq 3 ] ||
  fail "three entries are damaged: $(cat err)"
"$bench" $sweep --cache cache --format json -o cached.json 2>err
[ ! -s err ] || fail "a repaired cache: $(cat err)"
# Another machine, software cost or file of arrivals is another point.
for other in '--set mesh.router_cycles=9' '--contention off' '--spread late' '--repetitions 2'; do
  printf '0 1 2 3\n' >late
  before=$(find cache -name '*.json' | wc -l)
  "$bench" $sweep $other --cache cache >out
  [ "$(find cache -name '*.json' | wc -l)" -eq $((before + 6)) ] ||
    fail "$other: taken from the cache of another"
done
printf '0 1 2 9\n' >late
"$bench" $sweep --spread late --cache cache >out
"$bench" $sweep --spread late >err
cmp out err || fail "another file of arrivals of the same name"
# Its limit, in blocks of 4 KiB: 256 of them. A file of the user's is no entry, and stays.
head -c 2000000 /dev/zero >cache/mine.json
"$bench" reduce --machine alc --algorithms f_nomial --noise off --cores 2-151:1 --elements 1,2 --cache cache \
  --cache-size 1 >out
rm cache/mine.json || fail "the cache removes a file that is not its own"
[ "$(find cache -name '*.json' | wc -l)" -le 256 ] ||
  fail "the cache has $(find cache -name '*.json' | wc -l) entries"
# Times of this host are never kept.
rm -rf cache
"$bench" barrier --machine host,x4600 --cores 2 --cache cache >out
! grep -rq host: cache || fail "a time of this host is cached"
"$bench" barrier --machine host --cores 2 --resume host.json >out
! grep -q 'machine=[0-9a-f]* program' host.json || fail "a time of this host is kept"
# A folder that cannot be written.
: >file
"$bench" $sweep --cache file --format json -o cached.json 2>err
same fresh.json cached.json "no cache"
# What is no file of ours is neither read nor written to: links and pipes in the place of an entry and of
# results.
rm -rf cache
"$bench" $sweep --cache cache --format json -o fresh.json
entry=$(find cache -name '*.json' | sort | head -n 1)
other=$(find cache -name '*.json' | sort | tail -n 1)
cp "$entry" kept
mv "$entry" elsewhere && ln -s "$PWD/elsewhere" "$entry"
rm "$other" && mkfifo "$other"
timeout 60 "$bench" $sweep --cache cache --format json -o cached.json 2>err
same fresh.json cached.json "a link and a pipe in the cache"
[ -f "$entry" ] && [ ! -L "$entry" ] && [ -f "$other" ] && cmp kept elsewhere ||
  fail "a link or a pipe stays in the cache, or is written through"
sed 's/"max_us":[0-9]/"max_us":1/' kept >"$entry"
"$bench" $sweep --cache cache --format json -o cached.json 2>err
same fresh.json cached.json "a changed number in the cache"
grep -q 'is damaged; its point is computed again' err || fail "a changed number is a result"

# Publications: all from the cache, side effects too.
"$bench" reproduce xeon-phi --cache cache --format json -o fresh.json
"$bench" reproduce xeon-phi --cache cache --format json -o cached.json
cmp fresh.json cached.json || fail "reproduce: computed again"
shared_out 2 reproduce xeon-phi
shared_out 3 reproduce dynamic-reduction --statement D-03 # whose points follow from the result of another
