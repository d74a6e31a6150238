#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Is every unknown name that rccebench is given answered with the nearest one: commands, options, algorithms
# on every kind of machine, machines, parameters, operations, types, operators, formats, publications,
# exercises, joins?
set -eu
bench=$BIN/rccebench
# meant NAME WORD...: status 2, one line, which asks for NAME
meant() {
  name=$1
  shift
  status=0
  "$bench" "$@" >out 2>err || status=$?
  [ "$status" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -e "did you mean '$name'?" err || {
    echo "rccebench $*: status $status, '$name' is not asked for: $(cat err)"
    exit 1
  }
}
meant bcast bcat
meant show shwo
meant --algorithms bcast --algoritms cube
meant --figures reproduce nic-reduction --figure x
meant bcast/cube bcast --algorithms cub
meant bcast/cube cost --algorithms cub
meant reduce/f_nomial reduce --machine alc --algorithms f_nomal
meant barrier/dissemination explore --algorithms barrier/dissemnation
meant bcast/level_tree show bcast/levl_tree
meant flat likelihood --joins flt
meant scc-fast bcast --machine scc-fats
meant router_cycles bcast --set mesh.router_cycels=2
meant reduce compare --operation redcue
meant float64 reduce --machine alc --type flot64
meant sum reduce --op summ
meant json bcast --format jsn
meant html show bcast/cube --format htm
meant list show bcast/cube --drawing lst
meant contiguous bcast --frames contigous
meant sendrecv pingpong --variant sndrecv
meant fork-join reproduce fork-jion
meant broadcast grade --start broadcst
