# SPDX-License-Identifier: Apache-2.0
# What the comparing scripts of apps/ share: wrong words, and no folder left when they are interrupted.
failed=0
cat >probe.sh <<'END'
. "$SOURCE/apps/compare_options.sh"
make_work
echo "$work"
[ -d "$work" ] || exit 1
kill -"$SIGNAL" $$
echo "goes on after $SIGNAL"
END
for one in 'HUP 129' 'INT 130' 'TERM 143'; do
  SIGNAL=${one% *} sh probe.sh --bin "$BIN" >out
  status=$?
  [ "$status" -eq "${one#* }" ] || { echo "$one: status $status"; failed=1; }
  [ "$(wc -l <out)" -eq 1 ] || { cat out; failed=1; }
  [ ! -e "$(head -n 1 out)" ] || { echo "$one: $(cat out) is left"; failed=1; }
done
refused() { # refused TEXT WORDS...
  text=$1
  shift
  for script in compare_mpi compare_smpi; do
    sh "$SOURCE/apps/$script.sh" "$@" >out 2>err
    status=$?
    [ "$status" -eq 2 ] || { echo "$script $*: status $status, expected 2"; failed=1; }
    grep -qF -e "$script.sh: $text" err || { echo "$script $*: no '$text' in:"; cat err; failed=1; }
  done
}
refused "unknown option '--fast'; --help lists them" --fast
refused "option --runs needs a value" --runs
refused "--runs '0': give a whole number above 0" --runs 0
refused "--runs 'many': give a whole number above 0" --runs many
refused "--bin 'nowhere': there is no such folder" --bin nowhere
exit $failed
