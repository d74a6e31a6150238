# SPDX-License-Identifier: Apache-2.0
# A pair of UEs that keeps to itself measures the same times however many others are loaded beside it. The
# pair sits on cores 0 and 47 in both runs and the others, on cores in between, only wait in a barrier at the
# end.
set -e
printf '00\n47\n' >pair
{ printf '00\n47\n'; seq -f '%02g' 20 27; } >ten
"$BIN/rccerun" -nue 2 -f pair "$PROGRAMS/beside" >alone
"$BIN/rccerun" -nue 10 -f ten "$PROGRAMS/beside" >beside
cmp alone beside || { diff alone beside; exit 1; }
[ -s alone ]
