#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands of a page about clusters: each way to start a sweep gives the file of one run. What is not
# installed is left out, and said.
set -eu
page=$1
. "$SOURCE/tests/support/checks.sh"
rm -f ./*.json ./*.part ./*.sbatch out err one left right
PATH=$BIN:$PATH
export PATH
rccebench compare --operation bcast --cores 8,48 --sizes 32-8192:x4 --format json -o one
timeless() {
  sed -E 's/"host_us": [0-9.e+-]+/"host_us": 0/' "$1"
}
line() { # line BEGINNING: the page's command that begins so
  found=$(grep -F -- "$1" "$page" | head -n 1)
  [ -n "$found" ] || fail "the page has no '$1'"
  printf '%s\n' "$found"
}
merges() { # merges NAME: joins the parts as the page says
  sh -c "$(line "rccebench merge $1-part-")" || fail "$1: no merge"
  timeless one >left
  timeless "$1.json" >right
  cmp left right || fail "$1: not the file of one run"
}
skipped=
# Slurm: by its own daemons, of one node; where there are none, the script itself, once for each task.
sed -n '/^#!\/bin\/sh$/,/^```$/p' "$page" | sed '$d' >sweep.sbatch
[ -s sweep.sbatch ] || fail "the page has no script"
last=$(sed -n 's/^#SBATCH --array=1-//p' sweep.sbatch)
# shellcheck source=../support/slurm.sh
. "$SOURCE/tests/support/slurm.sh"
if start_slurm "$WORK/slurm"; then
  trap stop_slurm EXIT
  sbatch --wait sweep.sbatch >out || fail "sbatch: $(cat out)"
else
  skipped="$skipped slurm ($no_slurm)"
  for task in $(seq "$last"); do
    SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=$last sh sweep.sbatch >out ||
      fail "task $task of the script"
  done
fi
merges slurm
if parallel --version 2>err | grep -q '^GNU parallel'; then
  sh -c "$(line 'parallel rccebench')" >out || fail "parallel: $(cat out)"
  merges parallel
else
  skipped="$skipped parallel"
fi
# By each MPI that there is: Debian's have names of their own beside mpirun.
launched=
for launcher in mpirun.openmpi mpirun.mpich mpirun; do
  command -v $launcher >out || continue
  [ $launcher != mpirun ] || [ -z "$launched" ] || continue
  launched="$launched $launcher"
  rm -f mpi*.json
  # Of Open MPI: as root, and with more processes than processors.
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    sh -c "$(line 'mpirun -np' | sed "s/^mpirun/$launcher/")" >out 2>err </dev/null ||
    fail "$launcher: $(cat err)"
  [ "$(ls mpi-part-*.json | wc -l)" -eq 4 ] || fail "$launcher: four files are wanted: $(ls)"
  merges mpi
done
[ -n "$launched" ] || skipped="$skipped mpirun"
[ -z "$skipped" ] || echo "left out:$skipped"
