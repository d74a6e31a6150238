#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reproduce.sh NAME CLAIM...: the publication's statements are printed, counted right, and those named hold;
# JSON and CSV agree.
set -eu
name=$1
shift
. "$SOURCE/tests/support/checks.sh"
"$BIN/rccebench" reproduce "$name" --format json >result.json
sed -n '/"summary"/,$p' result.json >summary
number() {
  sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" summary | head -n 1
}
claims=$(number claims) hold=$(number hold) missed=$(number fail)
[ "$claims" -gt 10 ] && [ "$claims" -eq $((hold + missed)) ] ||
  fail "$claims statements, of which $hold hold and $missed fail"
[ "$(grep -c '"holds": ' summary)" -eq "$claims" ] ||
  fail "the summary has not each of the $claims statements"
[ "$(grep -c '"holds": true' summary)" -eq "$hold" ] || fail "the summary counts wrong"
for id in "$@"; do
  grep -A 3 "\"id\": \"$id\"" summary | grep -q '"holds": true' || fail "$name: statement $id does not hold"
done
# The page has each main result with the same yes or no.
page=$SOURCE/apps/rccebench/publications/$name/README.md
sed -n 's/.*"result": "\(.*\)",$/\1/p' summary >results
[ "$(wc -l <results)" -eq 5 ] || fail "$name has $(wc -l <results) main results, not 5"
while read -r result; do
  entry=$(grep -A 4 -F "\"result\": \"$result\"" summary)
  out=no
  case $entry in *'"comes_out": true'*) out=yes ;; esac
  entry=$(echo "$entry" | tr -d '\n')
  of=$(echo "$entry" | sed 's/.*"statements": \([0-9]*\).*/\1/') \
    hold=$(echo "$entry" | sed 's/.*"hold": \([0-9]*\).*/\1/')
  evidence=$(echo "$entry" | sed 's/.*"evidence": \([0-9]*\).*/\1/')
  [ "$of" -eq 0 ] && counts=' |' || counts=" $hold of $of | $evidence of $of"
  grep -qF "| $result | $out |$counts |" "$page" || fail "$page does not say: | $result | $out |$counts |"
done <results
# Every failure has its reason.
[ "$(grep -c '"reason": "' result.json)" -ge "$missed" ] || fail "a statement fails without a reason"
