#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps/originals.sh on a small distribution of our own: every row is built, runs and is verified; a row that
# fails its own verification makes the script fail.
set -eu
tree=$SOURCE/tests/smoke/originals_tree
sh "$SOURCE/apps/originals.sh" --bin "$BIN" --timeout 60 "$tree" >table
cat table
for row in HELLO SHIFT-cshift SHIFT-csimshift STENCIL-synch-4 STENCIL-synch-48 STENCIL-Fdiv SHARE; do
  grep -q "^$row .* yes *yes *\(yes\|output\) " table
done
grep -q '^TABLE .* yes ' table
grep -q "^TABLE .* - *- *- *-$" table

# A tree that names the folder of somebody who has configured it for the chip, with and without what it was
# made from.
rm -rf configured
cp -R "$tree" configured
sed -i -e 's:_INSERT_ROOTDIR_INSERT_:/somebody/RCCE:' configured/common/symbols.in
sed -e 's:_INSERT_[A-Z]*_INSERT_:0:' configured/common/symbols.in >configured/common/symbols
for run in made_from_symbols.in configured; do
  sh "$SOURCE/apps/originals.sh" --bin "$BIN" --timeout 60 --only 'SHARE' configured >table
  grep -q '^SHARE .* yes *yes *\(yes\|output\) ' table
  rm -f configured/common/symbols.in
done
grep -q '^RCCEROOT=/somebody' configured/common/symbols

# Host seconds per second of communication, of a simulator that takes its time.
mkdir -p slow
ln -sf "$BIN/rccecc" slow/rccecc
cat >slow/rccerun <<'END'
#!/bin/sh
i=0
while [ $i -lt 1000000 ]; do i=$((i + 1)); done
exec "$BIN/rccerun" "$@"
END
chmod +x slow/rccerun
sh "$SOURCE/apps/originals.sh" --bin slow --timeout 60 --only 'STENCIL-synch-4' "$tree" >table
cat table
awk '/^STENCIL-synch-4 / { seen = 1; if ($9 * $6 < 0.1 || $9 * $6 > $8 + 0.1) bad = 1 } END { exit !(seen &&
  !bad) }' table

# A run that was cut off has no chip time.
mkdir -p late
ln -sf "$BIN/rccecc" late/rccecc
printf '#!/bin/sh\n"%s/rccerun" "$@"\nexit 124\n' "$BIN" >late/rccerun
chmod +x late/rccerun
if sh "$SOURCE/apps/originals.sh" --bin late --timeout 60 --only 'STENCIL-synch-4' --work late_work "$tree" \
  >table; then
  echo "a run that was cut off was not noticed"
  exit 1
fi
grep -q '^STENCIL-synch-4 .* yes *late *- *- .* -$' table

rm -rf broken
cp -R "$tree" broken
sed 's/0.5 \* (a\[i - 1\]/0.4 * (a[i - 1]/' "$tree/apps/STENCIL/stencil_synch.c" \
  >broken/apps/STENCIL/stencil_synch.c
if sh "$SOURCE/apps/originals.sh" --bin "$BIN" --timeout 60 --only 'STENCIL-synch-4' --work work broken \
  >table; then
  echo "a program that fails its own verification was not noticed"
  exit 1
fi
grep -q '^STENCIL-synch-4 .* yes *yes *NO ' table

# Without a BLAS the user is told how to get one. The stand-in for rccecc finds none.
mkdir -p bin without/apps/XHPL/bin/ia32 without/common
cp "$tree"/common/symbols* without/common/
printf 'all:\n\t$(CCOMPILE) xhpl.c $(LAlib)\n' >without/apps/XHPL/Makefile
ln -sf "$BIN/rccerun" bin/rccerun
cat >bin/rccecc <<'END'
#!/bin/sh
case $1 in -print-file-name=libblas.*) echo "${1#*=}" ;; *) echo "cannot find -lblas" >&2; exit 1 ;; esac
END
chmod +x bin/rccecc
if sh "$SOURCE/apps/originals.sh" --bin bin --timeout 60 --work without_work without >table 2>err; then
  echo "XHPL was built without a BLAS"
  exit 1
fi
grep -q 'setup.sh --with-blas' err
grep -q '^XHPL .* no ' table
