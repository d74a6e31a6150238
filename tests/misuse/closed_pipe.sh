# SPDX-License-Identifier: Apache-2.0
# The reader of standard output goes away: the run ends soon, without a crash report, by SIGPIPE's status, or
# by the one for output that cannot be written, if --help tells of it.
{
  "$BIN/rccerun" -nue 2 "$PROGRAMS/wrong" chatter 2>err
  echo $? >status
} | head -1 >out
read -r status <status
case $status in
0 | 141) ;;
74) "$BIN/rccerun" --help | grep -q "74 " || { echo "--help does not tell of status 74"; exit 1; } ;;
*)
  echo "status $status"
  cat err
  exit 1
  ;;
esac
! grep -i -E 'segmentation|crash|abort' err
