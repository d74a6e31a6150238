#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packages of the present tree: Debian packages (rockcreek, rockcreek-dev, rockcreek-doc with the handbook),
# the release tarball, the wheel with the commands and the Python module.
#
#   sh apps/package.sh [FOLDER]    into FOLDER, build/packages where none is given
#
# What the host cannot make is left out, and said. The tarball builds without a network: sh apps/setup.sh in
# it asks for nothing where all that it needs is installed; the library of the reports' charts, which setup.sh
# fetches, lies in it. ROCKCREEK_BUILD names a folder that is built already; ROCKCREEK_HANDBOOK=--quick makes
# the handbook without the long reproductions, ROCKCREEK_HANDBOOK=built takes the one that is there.
set -eu
umask 022 # packages are for everybody, whoever makes them
root=$(cd "$(dirname "$0")/.." && pwd)
say() { printf 'package: %s\n' "$*" >&2; }
case ${1-} in
-*) say "'$1' is no folder; usage: sh apps/package.sh [FOLDER]"; exit 2 ;;
esac
[ $# -le 1 ] || { say "one folder at most, not $#; usage: sh apps/package.sh [FOLDER]"; exit 2; }
out=${1-$root/build/packages}
mkdir -p "$out"
out=$(cd "$out" && pwd)

build=${ROCKCREEK_BUILD-}
[ -z "$build" ] || build=$(cd "$build" && pwd)
cd "$root"
if [ -z "$build" ]; then
  build=$root/build
  cmake --preset release >"$out/configure.log" 2>&1 || { cat "$out/configure.log" >&2; exit 1; }
  rm -f "$out/configure.log"
  cmake --build build
fi
if [ "${ROCKCREEK_HANDBOOK-}" != built ]; then
  ROCKCREEK_BUILD=$build sh apps/handbook.sh ${ROCKCREEK_HANDBOOK:+"$ROCKCREEK_HANDBOOK"} || [ $? -eq 77 ]
fi
missing=
for tool in dpkg-deb dpkg-shlibdeps file; do command -v $tool >/dev/null || missing="$missing $tool"; done
if [ -z "$missing" ]; then
  (cd "$build" && cpack -G DEB -B "$out" >"$out/deb.log" 2>&1) || { cat "$out/deb.log" >&2; exit 1; }
  rm -f "$out/deb.log"
else
  say "no Debian packages, which take what is not here:$missing (Debian: dpkg-dev, file)"
fi
# The tree as it is, without what was built and without its history; the same bytes for the same files.
version=$(sed -n 's/^project(rockcreek VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)
# What setup.sh would fetch goes along.
charts=$(sed -n 's/^ROCKCREEK_UPLOT:PATH=//p' "$build/CMakeCache.txt")
stage=
if [ -e "$charts/uPlot.iife.min.js" ] && [ "$charts" != "$root/rcce_emu/report/uplot" ]; then
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  mkdir -p "$stage/rcce_emu/report/uplot" "$stage/LICENSES"
  cp "$charts/uPlot.iife.min.js" "$charts/uPlot.min.css" "$charts/LICENSE" "$stage/rcce_emu/report/uplot/"
  cp "$charts/LICENSE" "$stage/LICENSES/MIT.txt" # where REUSE.toml's statement about it leads
fi
# S in the transformation: targets of symbolic links stay as they are.
# shellcheck disable=SC2086  # nothing, or four words
tar --sort=name --mode=u+rwX,go=rX --owner=0 --group=0 --numeric-owner --exclude=./.git --exclude='./build' \
  --exclude='./build-*' --exclude=__pycache__ \
  --exclude=./shared --exclude="./${out#"$root/"}" --transform "s,^\.,rockcreek-$version,S" \
  -czf "$out/rockcreek-$version.tar.gz" . \
  ${stage:+-C "$stage" ./rcce_emu/report/uplot ./LICENSES/MIT.txt}
rm -rf "$out/_CPack_Packages"
ROCKCREEK_BUILD=$build sh apps/python/wheel.sh "$out" || [ $? -eq 77 ]
ls "$out"
