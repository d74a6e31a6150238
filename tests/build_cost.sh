#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What building takes, and what a touched header costs, by what ninja has written down of the last builds.
# Builds nothing.
#
#   sh tests/build_cost.sh [BUILD]
#
# Seconds are those of the clock while an edge ran, so compare figures of a machine with nothing beside. An
# edge counts to the commands where a plain `ninja` makes it. For what is not in the log, an edge that was
# never run, there is no time.
set -u
build=${1:-$(dirname "$0")/../build}
[ -f "$build/.ninja_log" ] || { echo \
  "build_cost.sh: no '$build/.ninja_log'; give a folder that ninja has built in" >&2; exit 2; }
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The outputs that `all` stands for are those whose edges ninja would run in an empty folder.
ninja -C "$build" -t inputs all 2>/dev/null | sort >"$work/all"
ninja -C "$build" -t deps 2>/dev/null >"$work/deps"
awk -v source="$source/" -v build="$(cd "$build" && pwd)/" -v work="$work" '
  function beside(target) { return sprintf("target %4d", target) }
  FILENAME == work "/all" { plain[$0] = 1; next }
  FILENAME != work "/deps" {
    # start, end, change, output, hash: outputs of one edge have one start, end and hash
    if (split($0, field, "\t") != 5) next
    output = field[4]; sub("^" build, "", output)
    if (output == "build.ninja" || output ~ /cmake_install/) next
    time[output] = (field[2] - field[1]) / 1000; edge[output] = field[1] " " field[2] " " field[5]
    next
  }
  /^[^ ]/ { output = $1; sub(/:$/, "", output); next }
  /^    / {
    header = $1; sub("^" build "include/mesh_sim", source "mesh_sim/include/mesh_sim", header)
    if (output in plain && (header ~ "^" source "mesh_sim/include/" || header ~ /\/rcce_emu\/engine.hpp$/)) {
      sub("^" source, "", header); sub(".*/include/", "", header)
      if (!((header, output) in reach)) { reach[header,
          output] = 1; touch[header] += time[output]; touched[header]++ }
    }
  }
  END {
    for (output in time) {
      if (edge[output] in seen) { if (output in plain) part[edge[output]] = 1; continue }
      seen[edge[output]] = output; cost[edge[output]] = time[output]
      if (output in plain) part[edge[output]] = 1
    }
    for (one in seen) { total += cost[one]; edges++
      if (one in part) { commands += cost[one]; of_commands++ } }
    printf "%8s %6s\n", "seconds", "edges"
    printf "%8.0f %6d  plain ninja, %s\n", commands, of_commands, beside(300)
    printf "%8.0f %6d  with tests, %s\n\nThe longest edges:\n", total, edges, beside(560)
    fflush()
    for (one in seen) printf "%8.1f  %s\n", cost[one], seen[one] | "sort -rn | head -15"
    close("sort -rn | head -15")
    printf "\nWhat plain ninja makes again after a touch of a header, the worst first" \
      " (%s; of kernel.hpp and resource.hpp %d):\n", beside(90), 60
    fflush()
    for (header in touch) printf "%8.0f %6d  %s\n", touch[header], touched[header], header | "sort -rn"
  }' "$work/all" "$build/.ninja_log" "$work/deps"
