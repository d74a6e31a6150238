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
# What the statements rest on can be asked for by itself, with points of the laboratory beside it.
[ "$name" = xeon-phi ] || exit 0
point='{"algorithm": "barrier/dissemination", "machine": "x4600", "cores": 4}'
echo "[{\"quantity\": \"read\", \"arguments\": [\"M\", 15]}, {\"point\": $point}]" |
  "$BIN/rccebench" quantities xeon-phi >found.json
"$BIN/rccebench" reproduce xeon-phi --statement 1-M --format json >one.json
ns=$(sed -n 's/.*"simulated": \([0-9.]*\),*$/\1/p' one.json)
[ -n "$ns" ] && grep -q "^ $ns," found.json && grep -q '"algorithm": "barrier/dissemination"' found.json ||
  fail "quantities: $(cat found.json), and read(M, 15) is $ns"
for wrong in '{"quantity": "raed"}' '{"quantity": "read", "arguments": ["M"]}' '{"point": {"cores": 4}}' 7 \
  '{"quantity": "read", "arguments": ["M", 0]}' '{"quantity": "read", "arguments": ["M", 60]}' \
  '{"quantity": "read", "arguments": ["Z", 15]}' '{"quantity": "two_writers", "arguments": [100000000]}' \
  '{"quantity": "time", "arguments": ["bcast", 2.5, "plain"]}' \
  '{"quantity": "lines", "arguments": ["M", 0]}' '{"quantity": "read", "arguments": ["M", 15], "more": 1}'; do
  status=0
  echo "[$wrong]" | "$BIN/rccebench" quantities xeon-phi 2>err || status=$?
  [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "quantities $wrong: status $status, $(cat err)"
done
