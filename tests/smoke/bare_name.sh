# SPDX-License-Identifier: Apache-2.0
# A program named without a slash is found in the working directory, whatever PATH says.
set -e
cp "$PROGRAMS/plain_main" ./baremain
"$BIN/rccerun" -nue 2 baremain >out
[ "$(grep -c 'constructed once' out)" -eq 2 ] || { cat out; exit 1; }
