#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --statistics, --matrix and --links: what they count is right, nothing changes by them.
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/ring_shift
"$BIN/rccerun" -nue 5 --digest "$program" 3 1000 >plain.out 2>plain.err

rm -f all.csv pairs.csv threads.csv ircce.csv ircce-pairs.csv

# Nobody's time or digest moves.
"$BIN/rccerun" -nue 5 --digest --statistics=all.csv --matrix pairs.csv "$program" 3 1000 >out 2>err
cmp plain.out out && cmp plain.err err

# What a core does adds up to the run.
awk -F, '$1 ~ /^core[.](waiting|computing|copying|accessing|idle)$/ {
  sum[$2] += $4 } $1 == "run.simulated_time" { end = $4 }
  $1 ~ /^core[.](putting|getting)$/ { parts[$2] += $4 } $1 == "core.copying" { copies[$2] = $4 }
  END { for (core in sum) { ++cores; d = sum[core] - end; c = copies[core] - parts[core]; if (d * d > 1e-8 ||
  c * c > 1e-8) bad = 1 }
        exit bad || cores != 5 }' all.csv || fail "the cores' times do not add up: $(cat all.csv)"

# Every name stands in the page about them, with its unit.
"$BIN/rccerun" -nue 5 --energy --profile=profile.csv --force --statistics=energy.csv "$program" 3 1000 \
  >/dev/null 2>&1
for file in all.csv pairs.csv energy.csv profile.csv; do
  sed 1d "$file" | sed 's/"[^"]*"//' | cut -d, -f1,3 | sort -u | while IFS=, read -r name unit; do
    grep -q "^| \`$name\` | $unit |" "$1" || echo "$name ($unit)"
  done
done >unnamed
[ ! -s unnamed ] || fail "not in $1: $(cat unnamed)"

# The other engine has messages, too.
"$BIN/rccerun" -nue 5 --engine threads --matrix threads.csv "$program" 3 1000 >/dev/null
cmp pairs.csv threads.csv || fail "the engines differ: $(cat threads.csv)"

# iRCCE's messages; what has been sent has been received.
"$BIN/rccerun" -nue 7 --statistics=ircce.csv --matrix ircce-pairs.csv "$PROGRAMS/ircce_guess" >/dev/null
awk -F, '$1 == "core.messages_sent" { sent += $4 } $1 == "core.messages_received" { received += $4 }
  END { exit !(sent > 0 && sent == received) }' ircce.csv || fail "sent and received differ: $(cat ircce.csv)"

# Links by name: those of the statistics and no more, and nothing changes by them. A packet has one flit of 16
# bytes or, with a line, three.
rm -f links.csv
"$BIN/rccerun" -nue 5 --digest --links links.csv "$program" 3 1000 >out 2>err
cmp plain.out out && cmp plain.err err
grep -E '^(link|mpb_port|controller)\.' all.csv >wanted
sed "1,2d; s/,[0-9]*,[0-9]*,[a-z]*$//" links.csv | cmp - wanted || fail "links and statistics differ"
sed 's/(\([0-9]*\),/(\1 /' links.csv >plain.csv # a place's comma is no separator
awk -F, '$1 == "mpb_port.packets" { lines[$2] = $4 } $1 == "mpb_port.bytes" && $4 != 32 * lines[$2] {
  bad = 1 }
  $1 == "link.packets" { packets[$2] = $4 } $1 == "link.share" && !($4 > 0 && $4 < 100) { bad = 1 }
  $1 == "link.bytes" { ++links; if ($4 % 16 || $4 < 16 * packets[$2] || $4 > 48 * packets[$2]) bad = 1 }
  END { exit bad || !links }' plain.csv || fail "wrong: $(cat links.csv)"
# A queue has at most a packet of each other core, and nobody waits longer than all together.
awk -F, '{ split($1, name, "."); at = name[1] " " $2; value[at, name[2]] = $4; all[at] }
  END { for (at in all) {
          if ((value[at, "queued"] > 0) != (value[at, "worst_queue"] > 0) ||
          value[at, "worst_queue"] > 4) bad = 1
          if (value[at, "longest_wait"] > value[at, "queued"]) bad = 1
          if (value[at, "longest_wait"] > 0) ++waited
        }
        exit bad || !waited }' plain.csv || fail "wrong queues: $(cat links.csv)"

# Lines that wait for nobody but themselves count alike, whether they are simulated one by one or in runs: on
# this way those from memory and those to the buffer leave by one link.
printf '00\n04\n' >hosts
for granularity in exact lines; do
  "$BIN/rccerun" -nue 2 -f hosts --granularity $granularity --statistics=$granularity.csv --force \
    "$program" 3 25000 >/dev/null 2>&1
done
cmp exact.csv lines.csv || fail "runs of lines are counted otherwise: $(diff exact.csv lines.csv | head -6)"
grep -q '^link.queued,"link=link(0,0)->east",us,[1-9]' exact.csv || fail "no line has waited for itself"
# Nor does it matter to the longest queue that somebody else's packet comes while two of a line are there.
cat >between.c <<'C'
#include "RCCE.h"
static char memory[8192] __attribute__((aligned(4096)));
int RCCE_APP(int argc, char **argv) {
  RCCE_init(&argc, &argv);
  t_vcharp buffer = RCCE_malloc(4096);
  if (RCCE_ue() == 1) RCCE_get((t_vcharp)memory, buffer, 4096, 0);
  if (RCCE_ue() == 0) rcce_compute(5123);
  if (RCCE_ue() == 0) RCCE_put(buffer, (t_vcharp)memory, 32, 1);
  return RCCE_finalize();
}
C
"$BIN/rccecc" -DGORY between.c -o between
printf '00\n02\n' >hosts
for granularity in exact lines; do
  "$BIN/rccerun" -nue 2 -f hosts --compute none --granularity $granularity --links $granularity.csv --force \
    ./between >/dev/null 2>&1
done
cmp exact.csv lines.csv || fail "a queue in a run of lines: $(diff exact.csv lines.csv | head -6)"
