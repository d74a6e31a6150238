#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --report: nothing changes by it, the same run gives the same page; and in a browser every figure is drawn
# and says what the page's JSON says (report_page.py). WHOLE=1: the page of the thesis too, a minute. Status
# 77 where the build has no charts or the host no browser.
set -eu
. "$SOURCE/tests/support/checks.sh"
program=$PROGRAMS/ring_shift
rm -rf ./*
if ! "$BIN/rccerun" -nue 3 --report first.html "$program" 1 10 >out 2>err &&
  grep -q 'uPlot was not there' err; then
  echo "skipped: this build writes no reports; sh apps/setup.sh fetches uPlot"
  exit 77
fi

# Times and digest stay as they are; the same bytes twice; on standard output, too.
"$BIN/rccerun" -nue 48 --digest "$program" 3 2001 >plain.out 2>plain.err
"$BIN/rccerun" -nue 48 --digest --report ring.html "$program" 3 2001 >out 2>err
cmp plain.out out && cmp plain.err err
mv ring.html before.html
"$BIN/rccerun" -nue 48 --digest --report ring.html "$program" 3 2001 >out 2>err
cmp ring.html before.html
"$BIN/rccerun" -nue 5 --report - "$program" 3 1001 >page 2>err
sed -n 1p page | grep -q '^<!doctype html>$' && grep -q 'rank 4: sum' err || fail "no page on standard output"
[ "$(wc -c <ring.html)" -lt 1000000 ] || fail "ring.html has $(wc -c <ring.html) bytes"
grep -q '(c) 2022 Leon Sorokin' ring.html || fail "no licence of the charts' library"
! grep -n 'https\?://' ring.html | grep -v 'github.com/leeoniya/uPlot\|www.w3.org/2000/svg' ||
  fail "the page names an address"

# Other shapes: a wrap-around mesh without messages, a deadlock, nothing contended for.
"$BIN/rccerun" -nue 12 --set mesh.topology=torus --set mesh.columns=3 --set mesh.rows=2 --report torus.html \
  "$PROGRAMS/gory_shift" 5 >out
status=0
"$BIN/rccerun" -nue 2 --report deadlock.html "$PROGRAMS/wrong" both-send >out 2>err || status=$?
[ $status -eq 121 ] || fail "a deadlock has status $status"
"$BIN/rccerun" -nue 3 --contention off --report still.html "$program" 1 100 >out
# A long run, of whose critical path the end is kept, of its slices the beginning.
"$BIN/rccerun" -nue 5 --report long.html "$program" 6000 1 >out

# The path on the timeline is that of --why and of the trace's track, from the beginning to the end.
"$BIN/rccerun" -nue 5 --report path.html --trace path.json --why=path.why.json --what-if off \
  "$program" 3 1001 >out
python3 - path.html path.json path.why.json <<'END' || fail "the critical path of a page"
import json, re, sys
page, trace, why = (open(name).read() for name in sys.argv[1:])
document = json.loads(re.search(r'<script[^>]*id="document"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
figure = next(one for one in document["figures"] if one["kind"] == "timeline")
track = [one for one in json.loads(trace, parse_float=str)["traceEvents"] if one.get("cat") == "path"]
assert [f"rank {rank} (core {rank:02})" for rank, _, _ in figure["path"]] == [one["name"] for one in track]
assert [[begin, duration] for _, begin, duration in figure["path"]] == [
    [int(one[name].replace(".", "")) for name in ("ts", "dur")] for one in track]
assert sum(duration for _, _, duration in figure["path"]) == json.loads(why)["end"] == figure["end"]
assert len(figure["path"]) > 1 and figure["path"][0][1] == 0
END

python=/usr/bin/python3
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null ||
  ! $python -c 'import selenium' 2>/dev/null; then
  echo "skipped: no Chromium with its driver and Selenium (Debian: chromium, chromium-driver, \
python3-selenium)"
  exit 77
fi
more=
if [ -x "$BIN/rccebench" ]; then
  bench() { # bench PAGE WORDS...
    page=$1
    shift
    "$BIN/rccebench" "$@" --report "$page" >"$page.out" || fail "rccebench $*"
    more="$more $page"
  }
  bench compare.html compare --sizes 256,8192,50000 --cores 4,12 --algorithms binomial,dopl,staged_pull
  # As many curves as there are broadcasts, and a kept schedule, which is of its own number of ranks.
  bench many.html compare --sizes 1024 --cores 48
  bench bcast.html bcast --sizes 32,1024,4096 --cores 4 --algorithms cube,linear
  bench pingpong.html pingpong --sizes 32-1024:x2 --pairs 0:1,0:47
  bench cluster.html reduce --machine cluster --nodes 16,32,64 --noise on
  bench machines.html compare --machine scc,opteron-6172 --operation reduce --cores 4,12 --sizes 8,1024
  bench barrier.html barrier --cores 5,48
  bench validate.html validate
  bench tune.html tune --algorithms cube,oc_tree --cores 4,12 --sizes 1024,8192,32768
  bench threads.html tune --machine opteron-6172
  bench scaling.html scaling --algorithms binomial,mcast --meshes 8x6 --sizes 32
  bench phi.html reproduce xeon-phi
  # A machine file in the place of the preset: head and foot are that machine's.
  "$BIN/rccerun" --print-machine --machine xeon-phi-5110p | sed 's/^clock = .*/clock = 2104/' >fast.machine
  "$bench" reproduce xeon-phi --with xeon-phi-5110p=fast.machine --report substitute.html \
    >substitute.html.out || fail "a substitute"
  grep -q '^# with  *xeon-phi-5110p=fast.machine$' substitute.html.out || fail "the head names no substitute"
  grep -q '"machine.clock","2104",' substitute.html || fail "the foot has the preset that was replaced"
  thesis=
  if [ -n "${WHOLE:-}" ]; then
    thesis=thesis
    bench thesis.html thesis --quick --format json -o thesis.json
    if /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then # here, where it has been run
      "$BIN/rccebench" plot thesis.json --only frames=random --only plain_store_dram_cycles=425 \
        --only cores=48 -o thesis.svg && grep -q '>bcast/dopl' thesis.svg || fail "no picture of thesis.json"
    fi
    [ "$(wc -c <thesis.html)" -lt 1000000 ] || fail "thesis.html has $(wc -c <thesis.html) bytes"
  fi
  # The parameters at the foot are those of the machine that was asked for, with what is set over it.
  "$BIN/rccebench" pingpong --sizes 32 --pairs 0:1 --set mesh.router_cycles=7 --report set.html >out
  grep -q '"mesh.router_cycles","7",' set.html || fail "the foot does not have what is set"
  for page in $thesis machines barrier bcast compare cluster phi; do
    grep -q '"kind":"schedule"' $page.html || fail "$page.html: no rounds"
  done
  for page in tune threads; do
    grep -q '"rings":"Rings are what is chosen."' $page.html ||
      fail "$page.html: no curves with what is chosen"
  done
  grep -q '"opteron-6172 ' machines.html || fail "machines.html: no parameters of the second machine"
  [ "$(grep -o '"kind":"curves","title":"Time on [a-z]*[-0-9]*, [0-9]* threads"' machines.html | wc -l)" \
    -eq 4 ] ||
    fail "machines.html: no curves of each machine and number of threads"
  grep -q '"name":"bcast/staged_pull","figures":\[{"kind":"die"' compare.html ||
    fail "compare.html: no die of each algorithm"
  "$BIN/rccebench" show bcast/cube --cores 48 -o show.html
  "$BIN/rccebench" show barrier/linear --cores 1 -o alone.html
  more="$more show.html alone.html"
  "$BIN/rccebench" pingpong --sizes 32 --pairs 0:1 --force --report - >page
  sed -n 1p page | grep -q '^<!doctype html>$' || fail "rccebench --report -: no page on standard output"
fi
# shellcheck disable=SC2086  # a list of names
PYTHONDONTWRITEBYTECODE=1 $python "$SOURCE/tests/smoke/report_page.py" "$PWD" ring.html torus.html \
  deadlock.html still.html long.html $more first.html
