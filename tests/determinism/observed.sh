# SPDX-License-Identifier: Apache-2.0
# A program that rccecc --observe has compiled takes the picoseconds of one that it has not, at every level,
# and watching it changes none; the closing line alone names the option: loops through pointers (observed.c),
# random programs that store to and wait for plain memory (polling.c).
set -e
run() { # run NAME options...: output, digest and closing line, in $name.out
  name=$1
  shift
  "$BIN/rccerun" --digest --compute blocks "$@" >"$name.out" 2>&1 ||
    { echo "$name $*"; cat "$name.out"; exit 1; }
  sed -i 's/; rccecc --observe may have moved .*//' "$name.out"
}
same() {
  cmp plain.out "$1.out" || { echo "$2"; diff plain.out "$1.out"; exit 1; }
}
for level in -O0 -O1 -O2 -O3; do
  for program in determinism/observed determinism/polling; do
    "$BIN/rccecc" $level "$SOURCE/tests/$program.c" -o plain
    "$BIN/rccecc" $level --observe "$SOURCE/tests/$program.c" -o observed
    seeds=$(seq 8) ues=1
    [ $program = determinism/polling ] || seeds=1
    for seed in $seeds; do
      [ $program = determinism/observed ] || ues=$((2 + seed * 7 % 20))
      run plain -nue $ues ./plain "$seed" 60
      run observed -nue $ues ./observed "$seed" 60
      same observed "$program $level $seed"
      run checked -nue $ues --check mpb ./observed "$seed" 60
      same checked "$program $level $seed --check mpb"
    done
  done
done
