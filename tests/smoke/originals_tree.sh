#!/bin/sh
# apps/originals.sh on a small distribution of our own: every row is built, runs and is verified; a row that fails its own
# verification makes the script fail.
set -eu
tree=$SOURCE/tests/smoke/originals_tree
sh "$SOURCE/apps/originals.sh" --bin "$BIN" --timeout 60 "$tree" >table
cat table
for row in HELLO SHIFT-cshift SHIFT-csimshift STENCIL-synch-4 STENCIL-synch-48 STENCIL-Fdiv SHARE; do
  grep -q "^$row .* yes *yes *\(yes\|output\) " table
done
grep -q '^TABLE .* yes ' table

rm -rf broken
cp -R "$tree" broken
sed 's/0.5 \* (a\[i - 1\]/0.4 * (a[i - 1]/' "$tree/apps/STENCIL/stencil_synch.c" >broken/apps/STENCIL/stencil_synch.c
if sh "$SOURCE/apps/originals.sh" --bin "$BIN" --timeout 60 --only 'STENCIL-synch-4' --work work broken >table; then
  echo "a program that fails its own verification was not noticed"
  exit 1
fi
grep -q '^STENCIL-synch-4 .* yes *yes *NO ' table
