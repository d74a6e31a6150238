#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is the README's picture what `rccebench show` draws today? sh tests/accept.sh accepts a new one.
set -eu
picture=apps/picture/broadcast.svg
"$BIN/rccebench" show bcast/binomial --cores 48 -o broadcast.svg
if [ "${ACCEPT:-}" ]; then cp broadcast.svg "$SOURCE/$picture"; fi
cmp broadcast.svg "$SOURCE/$picture" || { echo 'the picture is not what the project draws'; exit 1; }
grep -q "]($picture)" "$SOURCE/README.md" || { echo 'the README does not show the picture'; exit 1; }
