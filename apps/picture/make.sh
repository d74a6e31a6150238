#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README's picture, from the project's own output: broadcasts compared on 48 cores beside the published
# points, and the die while the fastest of them runs. sh apps/picture/make.sh [FILE]; without a file
# apps/picture/broadcast.svg.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=${ROCKCREEK_BIN:-$here/../../build/bin}
page=$(mktemp)
trap 'rm -f "$page"' EXIT
"$bin/rccebench" compare --sizes 32,256,2048,8192,50000,190000 --cores 48 \
  --algorithms binomial,scatter_allgather,cube,dopl,oc_tree,staged_pull --force --report "$page" >/dev/null
python3 "$here/draw.py" "$page" >"${1:-$here/broadcast.svg}"
