#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reproduce.sh NAME CLAIM...: the publication's statements are printed, counted right, and those named hold; JSON and CSV agree.
set -eu
name=$1
shift
fail() {
  echo "$*"
  exit 1
}
"$BIN/rccebench" reproduce "$name" --format json >result.json
sed -n '/"summary"/,$p' result.json >summary
number() {
  sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" summary | head -n 1
}
claims=$(number claims) hold=$(number hold) missed=$(number fail)
[ "$claims" -gt 10 ] && [ "$claims" -eq $((hold + missed)) ] || fail "$claims statements, of which $hold hold and $missed fail"
[ "$(grep -c '"holds": ' summary)" -eq "$claims" ] || fail "the summary has not each of the $claims statements"
[ "$(grep -c '"holds": true' summary)" -eq "$hold" ] || fail "the summary counts wrong"
for id in "$@"; do
  grep -A 3 "\"id\": \"$id\"" summary | grep -q '"holds": true' || fail "$name: statement $id does not hold"
done
# Every failure has its reason.
[ "$(grep -c '"reason": "' result.json)" -ge "$missed" ] || fail "a statement fails without a reason"
