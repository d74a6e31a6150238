#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel of the Python module from its tree, without a network: sh apps/python/wheel.sh FOLDER.
# Status 77, and why on stderr, where no Python can.
set -eu
[ $# -eq 1 ] || { echo "usage: sh apps/python/wheel.sh FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
for python in python3 /usr/bin/python3 none; do
  if "$python" -c 'import setuptools, wheel, pip; assert int(setuptools.__version__.split(".")[0]) >= 61' \
    >/dev/null 2>&1; then break; fi
done
if [ $python = none ]; then
  echo "no wheel: no Python has pip, setuptools 61 and wheel (Debian: python3-pip, python3-wheel)" >&2
  exit 77
fi
# In a copy: setuptools writes beside what it packs.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/apps"
cp -R "$here" "$copy/apps/python"
cp "$here/../../CMakeLists.txt" "$here/../../LICENSE" "$copy/"
"$python" -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation -w "$1" \
  "$copy/apps/python"
