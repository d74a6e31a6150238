# SPDX-License-Identifier: Apache-2.0
# Runs program $1 with every number of UEs from 1 to 48; each UE has to say that it is well. The argument
# tells the program to leave out what does not depend on their number.
status=0
n=1
while [ $n -le 48 ]; do
  if ! "$BIN/rccerun" -nue $n "$PROGRAMS/$1" short >out 2>&1 ||
    [ "$(grep -c '^rank [0-9]* ok$' out)" -ne $n ]; then
    echo "with $n UEs:"
    head -20 out
    status=1
  fi
  n=$((n + 1))
done
exit $status
