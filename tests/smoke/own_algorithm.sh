#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example without messages: right for odd sizes, roots and lengths, with its flags counted beyond 255.
set -eu
. "$SOURCE/tests/support/checks.sh"
cp "$BIN/../share/rockcreek/programs/my_one_sided.c" .
put_chain() { # put_chain CORES ROOT SIZES
  "$bench" reduce --with my_one_sided.c --algorithms put_chain --cores $1 --root $2 --sizes $3 \
    --part-bytes $parts >out 2>err || fail "my_one_sided: $(cat out err)"
}
parts=64,100000
if [ -z "${WHOLE:-}" ]; then
  put_chain 1,2,7 0 0,8,1000,50000 # 1 core has rank 0 alone
  put_chain 3 2 0,1000,8192
  put_chain 13 2 8,8192
else
  parts=64,1024,100000
  put_chain 1,2,3,7 0 0,8,1000,8192,50000
  put_chain 3,7 2 0,8,1000,8192,50000
  put_chain 48 0 0,8,1000,8192,50000
  put_chain 48 2 0,8,1000,8192,50000
fi
# Long vectors, whose operands are combined straight from memory: not below the limit.
"$bench" reduce --with my_one_sided.c --algorithms put_chain --cores 12 --sizes 1048576 --format csv 2>err |
  awk -F, '
  /^#/ { next } !of { for (i = 1; i <= NF; ++i) if ($i == "of_limit_percent") of = i; next } { seen = 1;
  if ($of > 100) exit 1 }
  END { exit !seen }' || fail "my_one_sided: faster than its limit: $(cat err)"
