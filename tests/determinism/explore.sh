# SPDX-License-Identifier: Apache-2.0
# rccerun --explore says the same each time, on a busy host as well, and the run that it names is the run that
# it saw.
set -e
rm -f digests
explore() { # explore NAME: report on standard output to NAME, status to NAME.status
  status=0
  "$BIN/rccerun" -nue 3 --explore 40 --seed 7 "$PROGRAMS/racing" any-source >"$1" 2>"$1.err" || status=$?
  echo $status >"$1.status"
  [ ! -s "$1.err" ] || { cat "$1.err"; exit 1; }
}
explore first
grep -q differs first || grep -q "prints another line" first || { cat first; exit 1; }
[ "$(cat first.status)" = 1 ] || { cat first; exit 1; }
explore again
cmp first again
# Beside something that takes turns with it on the same processor.
(ulimit -t 100; while :; do :; done) & # if this test fails it is left to disturb the others
load=$!
explore busy
kill $load
cmp first busy

# The command behind "replay:" prints what the report shows of that run, and always the same.
command=$(sed -n 's/^replay: rccerun //p' first)
shown=$(sed -n 's/^    seed [0-9]*: "\(.*\)"$/\1/p' first)
[ -n "$command" ] && [ -n "$shown" ] || { cat first; exit 1; }
eval "\"$BIN/rccerun\" --digest $command" >replayed 2>replayed.digest
grep -qx "$shown" replayed || { cat first replayed; exit 1; }
"$BIN/rccerun" -nue 3 "$PROGRAMS/racing" any-source >unperturbed
if cmp -s replayed unperturbed; then echo "the named run is like the unperturbed one"; exit 1; fi
eval "\"$BIN/rccerun\" --digest $command" >twice 2>twice.digest
cmp replayed twice
cmp replayed.digest twice.digest

# A run named by orders, too; an argument that a shell would cut comes back whole.
"$BIN/rccerun" -nue 2 --explore all "$PROGRAMS/racing" lock-order 'two words' >orders && exit 1
command=$(sed -n 's/^replay: rccerun //p' orders)
status=0
eval "\"$BIN/rccerun\" $command" 2>report || status=$?
[ $status -eq 121 ] && grep -q "cycle: rank 0 -> 1 -> 0" report || { cat orders report; exit 1; }

# Seed 0 is the run without delays.
for replay in "" "--replay 0"; do
  "$BIN/rccerun" -nue 5 --digest $replay "$PROGRAMS/collective_times" 2>&1 >/dev/null | grep digest >>digests
done
[ "$(sort -u digests | wc -l)" = 1 ] || { cat digests; exit 1; }
