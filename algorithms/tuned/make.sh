#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the tables of this folder anew by measuring the simulated machine. What follows from them is what `auto` takes: build
# again afterwards. Takes some ten minutes on 2 processors, most of them 128 KB on 2,048 cores.
#
#   sh algorithms/tuned/make.sh [BIN]      BIN: folder of rccebench, default build/bin
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$here/../../build/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
head='machine,core_mhz,rcce,copies,operation,cores,bytes,rank,algorithm,options,us'

# tune FILE words...: appends the rows
tune() {
  file=$1
  shift
  "$bin/rccebench" tune "$@" --store "$work/rows" >"$work/log" || { cat "$work/log" >&2; exit 1; }
  sed 1d "$work/rows" >>"$file"
}
begin() { # begin FILE WHAT
  printf '# What auto takes: %s. Measured by make.sh; not edited by hand.\n%s\n' "$2" "$head" >"$1"
}

parts=1024,2048,3072,4096,8192,16384
for machine in scc scc-fast; do
  begin "$work/$machine.csv" "preset $machine"
  for rcce in 1.0 2.0; do
    tune "$work/$machine.csv" --machine $machine --rcce $rcce --cores 2,4,8,16,24,32,48 --sizes 32-524288:x4 \
      --part-bytes $parts --pipe-bytes 2048
    tune "$work/$machine.csv" --machine $machine --rcce $rcce --cores 2,4,8,16,24,32,48 --operation barrier
  done
done

# Larger meshes of the same tiles; RCCE 2.0 only, for the flags of 1.0 leave no buffer there.
begin "$work/meshes.csv" 'preset scc with 8x8, 16x16 and 32x32 tiles'
for side in 8 16 32; do
  printf '[mesh]\ncolumns = %s\nrows = %s\n' "$side" "$side" >"$work/scc-${side}x$side"
  tune "$work/meshes.csv" --machine "$work/scc-${side}x$side" --cores $((2 * side * side)) --sizes 32,8192,131072 \
    --algorithms binomial,scatter_allgather,cube,oc_tree,staged_pull --part-bytes 3072,4096
  tune "$work/meshes.csv" --machine "$work/scc-${side}x$side" --cores $((2 * side * side)) --operation barrier
  for operation in "reduce --degree 2,4 --splits 3,5" allreduce; do
    tune "$work/meshes.csv" --machine "$work/scc-${side}x$side" --cores $((2 * side * side)) --sizes 32,8192 --operation $operation
  done
done
# Reductions of doubles; combining other elements takes as long. On few cores another algorithm is best at every other size, and the
# best by far.
begin "$work/reductions.csv" 'reductions on presets scc and scc-fast'
for machine in scc scc-fast; do
  for rcce in 1.0 2.0; do
    for grid in "--cores 2,3,4,5,6 --sizes 32-524288:x2" "--cores 8,16,24,32,48 --sizes 32-524288:x4"; do
      for operation in "reduce --degree 2-4:1 --splits 2-5:1" allreduce; do
        tune "$work/reductions.csv" --machine $machine --rcce $rcce $grid --operation $operation
      done
    done
  done
done
cp "$work"/*.csv "$here"

# Teams of threads: reductions on the presets of coherent machines.
# Each grid lies between the points of those before it; together they have every number of threads up to 60.
for grid in "first 2,3,4,6,8,12,16,24,32,48,60 8,16,32,64,128,256,512,768,1024,1536,2048,3072,4096,6144,8192,16384,32768,65536" \
  "second 4,5,7,8,10,14,16,20,28,40,54,60 16,24,48,96,192,384,640,896,1280,1792,2560,3584,5120,7168,12288,24576,49152" \
  "third 5,9,11,13,18,22,26,30,36,44,57 16,40,80,160,320,448,576,704,832,1152,1664,2304,3328,4608,10240,20480,40960" \
  "fourth 15,17,19,21,23,25,27,29,31,33,34,35,37,38,39,41,42,43,45,46,47,49,50,51,52,53,55,56,58,59 8,32,64,128,256,384,512,640,768,1024,1280,1536,2048,3072,4096,8192"; do
  # shellcheck disable=SC2086  # three words
  set -- $grid
  for machine in $("$bin/rcceinfo" machines | awk '$2 == "coherent" { print $1 }'); do
    # A machine that has fewer processors than any of these has no sheet.
    "$bin/rccebench" compare --operation reduce --machine "$machine" --cores "$2" --sizes "$3" --format csv >"$work/$machine.$1.sheet" ||
      rm "$work/$machine.$1.sheet"
  done
done
python3 "$here/teams/table.py" "$work"/*.sheet >"$work/teams"
cp "$work/teams" "$here/teams/reductions.csv"
