#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plot: a picture of each kind from what commands write, the same SVG twice.
# WHOLE=1: every picture twice, and those of a cluster and of a publication whose points take seconds.
set -eu
. "$SOURCE/tests/support/checks.sh"
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import matplotlib' 2>/dev/null; then break; fi
  python=
done
if [ -z "$python" ]; then
  echo "no Matplotlib: pictures are left out"
  exit 0
fi
"$bench" bcast --algorithms linear,cube --cores 5,12 --sizes 32,1024,8192 --format json -o bcast.json
"$bench" pingpong --pairs 0:1,0:47 --sizes 32,1024 --format json -o pingpong.json
"$bench" validate --format json -o validate.json
"$bench" compare --cores 4,5,6,12 --sizes 32,64,128,256,512 --format json -o compare.json
"$bench" scaling --algorithms binomial,mcast --meshes 8x6 --sizes 32 --format json -o scaling.json
"$bench" reproduce xeon-phi --format json -o xeon-phi.json
whole=
if [ -n "${WHOLE:-}" ]; then
  whole="cluster fork-join"
  "$bench" reduce --machine alc --algorithms f_nomial,serial --nodes 64,128 --noise off --format json \
    -o cluster.json
  "$bench" reproduce fork-join --format json -o fork-join.json
fi

for name in bcast pingpong validate; do
  "$bench" plot $name.json -o $name.svg
  grep -q '</svg>' $name.svg || fail "$name.svg is not whole"
done
# What cannot be written leaves the picture that is there.
echo old >old.svg
status=0
(ulimit -f 1 && exec "$bench" plot bcast.json -o old.svg) 2>err || status=$?
[ $status -eq 2 ] && grep -q "^rccebench: --output 'old.svg': cannot" err && [ "$(cat old.svg)" = old ] ||
  fail "a picture is lost: status $status, $(cat err)"
for name in scaling xeon-phi $whole; do
  "$bench" plot $name.json -o $name.svg 2>err && [ ! -s err ] && grep -q '</svg>' $name.svg ||
    fail "$name: $(cat err)"
done
again=bcast
[ -z "$whole" ] || again="bcast pingpong validate scaling xeon-phi $whole"
for name in $again; do
  "$bench" plot $name.json -o again.svg
  sed 's/again/'$name'/g' again.svg | cmp - $name.svg || fail "$name: other bytes the second time"
done
for line in 'linear, cores 5' 'cube, cores 12'; do
  grep -q "bcast/$line<" bcast.svg || fail "bcast: no line '$line'"
done
grep -q '>limit, cores 12<' bcast.svg || fail "bcast: no limit"
grep -q '>rccebench bcast [0-9.]*, scc<' bcast.svg || fail "bcast: no machine in the title"
"$bench" plot compare.json -o compare.svg --only algorithm=bcast/cube,bcast/mcast --only cores=5,12 2>err ||
  fail "$(cat err)"
grep -q 'bcast/mcast, cores 12' compare.svg && ! grep -q 'dopl\|cores 4' compare.svg ||
  fail "--only is not heard"
grep -q '>cores<' scaling.svg || fail "scaling: not by cores"
grep -q 'ns, published' xeon-phi.svg || fail "xeon-phi: units are not told apart"
grep -q 'published' validate.svg || fail "no published points"
"$bench" plot bcast.json -o bandwidth.svg --bandwidth --title 'one two'
cp bcast.json _a.json
"$bench" plot _a.json bcast.json -o names.svg --title 'at $1 or $2' --only algorithm=bcast/cube --only cores=5
grep -q '>at $1 or $2<' names.svg && grep -q '> *_a<' names.svg && grep -q '>bcast<' names.svg ||
  fail "names are not drawn as they are: $(grep '<text' names.svg)"
grep -q 'MiB/s' bandwidth.svg && grep -q 'one two' bandwidth.svg || fail "no bandwidth, or no title"
"$bench" plot bcast.json -o picture.png
[ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fail "no PNG"
"$bench" plot bcast.json -o picture.pdf
[ "$(head -c 4 picture.pdf)" = %PDF ] || fail "no PDF"
