# SPDX-License-Identifier: Apache-2.0
# The comparing scripts of apps/ leave no folder when they are interrupted.
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
exit $failed
