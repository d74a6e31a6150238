#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles every C++ source of the tree by itself, as the presets of developers do, as far as errors and
# warnings are found.
#   sources_alone.sh BUILD WORK
set -eu
build=$1 work=$2
source=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")
rm -rf "$work"
cmake -S "$source" -B "$work" -G Ninja -DROCKCREEK_UNITY=OFF -DROCKCREEK_WERROR=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O0 -fsyntax-only" >/dev/null
# What is generated is taken from the build that is there.
python3 - "$work" "$build" <<'END' >"$work/commands"
import json, sys
work, build = sys.argv[1:]
for entry in json.load(open(work + "/compile_commands.json")):
    if entry["file"].endswith(".cpp"):
        command = entry["command"].split(" -o ")[0].replace(work, build)
        file = entry["file"]
        source = file.replace(work, build)
        print(f"{command} -c {source} -o /dev/null || echo 'does not compile alone: {file}'")
END
count=$(wc -l <"$work/commands")
[ "$count" -gt 300 ] || { echo "only $count sources"; exit 1; }
xargs -P "$(getconf _NPROCESSORS_ONLN)" -d '\n' -n 1 sh -c <"$work/commands" >"$work/said" 2>&1
if grep -q 'does not compile alone' "$work/said"; then
  grep -E 'error|does not compile alone' "$work/said"
  exit 1
fi
echo "$count sources"
