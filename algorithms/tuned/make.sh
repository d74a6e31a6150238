#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the tables of this folder anew by measuring the simulated machine. What follows from them is what
# `auto` takes: build again afterwards. Takes an hour and a half on 2 processors, half of it for reductions on
# each number of cores.
#
#   sh algorithms/tuned/make.sh [BIN]      BIN: folder of rccebench, default build/bin
set -eu
here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$here/../../build/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# tune FILE words...: appends the rows, and their columns to a file without
tune() {
  file=$1
  shift
  "$bin/rccebench" tune "$@" --store "$work/rows" >"$work/log" || { cat "$work/log" >&2; exit 1; }
  if grep -q ^machine, "$file"; then sed 1d "$work/rows"; else cat "$work/rows"; fi >>"$file"
}
begin() { # begin FILE WHAT
  printf '# What auto takes: %s. Measured by make.sh; not edited by hand.\n' "$2" >"$1"
}

parts=1024,2048,3072,4096,8192,16384
# Sizes of a row of tunings, between which more are measured where algorithms change places.
sizes="--bisect 10 --payload none --sizes 8,32-524288:x4"
# Algorithms change places with the number of cores as with the size. What RCCE 2.0 takes on the chip is
# measured on each number.
few=2-6:1,8,12,16,24,32,48 all=2-48:1
for machine in scc scc-fast; do
  begin "$work/$machine.csv" "preset $machine"
  for rcce in 1.0 2.0; do
    # Flags of 1.0 take a line each: a program that prepares all that auto takes has no room for those of many
    # rows.
    rows= cores=2,4,8,16,24,32,48
    [ $machine-$rcce != scc-2.0 ] || cores=2-47:1 # 48 cores are in found.csv
    [ $rcce = 2.0 ] || rows='--algorithms linear,binomial,scatter_allgather,cube,dopl,mcast,staged_pull'
    # shellcheck disable=SC2086 # words of a command line
    tune "$work/$machine.csv" --machine $machine --rcce $rcce --cores $cores $sizes \
      --part-bytes $parts --pipe-bytes 2048 $rows
    tune "$work/$machine.csv" --machine $machine --rcce $rcce --cores $all --operation barrier
  done
done

# Larger meshes of the same tiles; RCCE 2.0 only, for the flags of 1.0 leave no buffer there. Rows that are
# nowhere near the best there are left out: they would take most of the time. What is sent does not matter to
# a time, so it is not moved.
begin "$work/meshes.csv" 'preset scc with 8x4 to 32x32 tiles'
for tiles in 8x4 10x5 8x8 12x8 16x8 16x12 16x16 32x32; do
  cores=$((2 * ${tiles%x*} * ${tiles#*x}))
  printf '[mesh]\ncolumns = %s\nrows = %s\n' "${tiles%x*}" "${tiles#*x}" >"$work/scc-$tiles"
  tune "$work/meshes.csv" --machine "$work/scc-$tiles" --cores $cores --operation barrier
  while read -r operation rows; do
    sizes=32-131072:x4
    case $tiles:$operation in
      8x4:* | 10x5:*) sizes=8,64,256,1000,2000,4096,8192,20000,65536,131072 ;;
      *:bcast | *:scan) sizes=$sizes,1000,4096 ;;
      *:reduce) sizes=$sizes,256,1000 ;;
      *:allreduce) sizes=$sizes,256,1000,4096 ;;
      *:gather) sizes=$sizes,4096,20000 ;;
      *:scatter) sizes=$sizes,8,64,2000,4096 ;;
      *:allgather) sizes=$sizes,20000 ;;
      *:reduce_scatter) sizes=$sizes,8,64,1000 ;;
    esac
    [ $tiles != 32x32 ] || case $operation in
      bcast) sizes=32,8192,131072 ;;
      reduce | allreduce) sizes=32,8192 ;;
      *) continue ;;
    esac
    # shellcheck disable=SC2086 # words of a command line
    tune "$work/meshes.csv" --machine "$work/scc-$tiles" --cores $cores --sizes $sizes --payload none \
      --operation $operation --algorithms $rows
  done <<END
bcast binomial,scatter_allgather,cube,oc_tree,staged_pull,clusters,tagged --part-bytes 3072,4096
reduce f_nomial,f_nomial_split,tagged,owners,grouped_owners,nested_groups,chain --degree 2,4 --splits 3,5
allreduce recursive_doubling,reduce_scatter,tagged,owners,grouped_owners
gather binomial,direct_get --group 1,4,8,16,32,64,128,256,512
scatter binomial,direct_put
allgather bruck,direct_get --group 1,4,8,16,32,64,128,256,512
alltoall bruck,direct_put
reduce_scatter recursive_halving,direct_put
scan linear,recursive_doubling
END
done
# Schedules that were found (*.schedule), beside the best of other rows, on their meshes. Where `auto` looks
# for a point, this table comes before the others by its name.
begin "$work/found.csv" 'broadcasts on meshes for which there are schedules that were found'
printf '[mesh]\ncolumns = 32\nrows = 16\n' >"$work/scc-32x16"
printf '[mesh]\ncolumns = 6\nrows = 4\n' >"$work/scc-6x4"
kept=$(cd "$here" && ls 6x4-*.schedule | sed 's/.schedule//' | paste -sd,)
tune "$work/found.csv" --machine "$work/scc-6x4" --cores 48 $sizes,190000 --part-bytes $parts \
  --pipe-bytes 2048 --schedule "$kept"
for tiles in 8x8 16x8 32x16; do
  kept=$(cd "$here" && ls $tiles-*.schedule | sed 's/.schedule//' | paste -sd,)
  lengths=32,8192,190000
  [ $tiles = 32x16 ] || lengths=32-131072:x4,1000,4096,190000
  tune "$work/found.csv" --machine "$work/scc-$tiles" --cores $((2 * ${tiles%x*} * ${tiles#*x})) \
    --sizes $lengths --payload none \
    --part-bytes 3072,4096 --algorithms oc_tree,staged_pull,clusters,tagged,schedule --schedule "$kept"
done
# Reductions of doubles; combining other elements takes as long. An element more than whole lines is as usual
# as whole lines, and may be another algorithm's.
begin "$work/reductions.csv" 'reductions on presets scc and scc-fast'
for machine in scc scc-fast; do
  for rcce in 1.0 2.0; do
    reduce="reduce --degree 2-4:1 --splits 2-5:1" allreduce=allreduce cores=$few
    [ $machine-$rcce != scc-2.0 ] || cores=$all
    # Flags of 1.0 take a line each: a program that prepares all that auto takes has no room for those of the
    # other rows.
    if [ $rcce = 1.0 ]; then
      reduce="$reduce --algorithms \
linear,f_nomial,f_nomial_split,pair_tree,owners,chain,tagged"
      allreduce="$allreduce --algorithms reduce_bcast,recursive_doubling,reduce_scatter,owners,tagged"
    fi
    for operation in "$reduce" "$allreduce"; do
      # shellcheck disable=SC2086 # words of a command line
      tune "$work/reductions.csv" --machine $machine --rcce $rcce --cores $cores $sizes,40,136,520,2056,8200 \
        --operation $operation
    done
  done
done
# Operations on blocks and scans. Sizes are those of all ranks together: below 8 bytes most ranks have
# nothing.
begin "$work/blocks.csv" 'operations on blocks, and scans, on preset scc'
for rcce in 1.0 2.0; do
  cores=$few
  [ $rcce != 2.0 ] || cores=$all
  for operation in gather scatter allgather alltoall reduce_scatter scan; do
    case $operation in reduce_scatter | scan) least= ;; *) least=,1 ;; esac
    # shellcheck disable=SC2086 # words of a command line
    tune "$work/blocks.csv" --rcce $rcce --cores $cores $sizes$least --operation $operation
  done
done
cp "$work"/*.csv "$here"
