# SPDX-License-Identifier: Apache-2.0
# The executable may be a shell script that ends up calling the real program with "$@".
set -e
printf '#!/bin/sh\ncd "%s"\n./plain_main "$@"\n' "$PROGRAMS" >launch.sh
chmod +x launch.sh
"$BIN/rccerun" -nue 4 ./launch.sh >out
[ "$(grep -c 'constructed once' out)" -eq 4 ] || { cat out; exit 1; }
