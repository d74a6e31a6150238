#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the wheel without a network: the Python module and what the Debian packages rockcreek and
# rockcreek-dev have (commands, libraries, headers, machines, tables, manual pages), with the libraries of
# others and their licences.
#
#   sh apps/python/wheel.sh FOLDER      of the build in ROCKCREEK_BUILD, else in build/
#
# Status 77, and why on stderr, where the tools are missing.
set -eu
[ $# -eq 1 ] || { echo "usage: sh apps/python/wheel.sh FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${ROCKCREEK_BUILD-$root/build}
say() { printf 'wheel: %s\n' "$*" >&2; }
[ -x "$build/bin/rccebench" ] || { say "no build in '$build': sh apps/setup.sh makes one in build/"; exit 1; }
for python in python3 /usr/bin/python3 none; do
  if "$python" -c 'import setuptools, wheel, pip; assert int(setuptools.__version__.split(".")[0]) >= 61' \
    >/dev/null 2>&1; then break; fi
done
if [ $python = none ]; then
  say "none: no Python has pip, setuptools 61 and wheel" \
    "(Debian: python3-pip, python3-setuptools, python3-wheel)"
  exit 77
fi
for tool in objdump strip ldd dpkg-query; do # the last one finds licences
  command -v $tool >/dev/null ||
    { say "none: there is no $tool (Debian: binutils, libc-bin, dpkg)"; exit 77; }
done

# In a copy: setuptools writes beside what it packs.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/apps"
cp -R "$here" "$copy/apps/python"
cp "$root/CMakeLists.txt" "$root/LICENSE" "$copy/"
prefix=$copy/apps/python/prefix
for component in runtime development; do # not MPI's, which takes the host's MPI
  cmake --install "$build" --prefix "$prefix" --component $component >"$copy/log" 2>&1 ||
    { cat "$copy/log" >&2; exit 1; }
done
cp -R "$build/share/man/man3" "$prefix/share/man/"
libraries=$(dirname "$(find "$prefix" -name librcce.so.0)")
loaded() { # loaded WORDS: find with these words, at commands and libraries
  find "$prefix/bin" "$libraries" -type f \( -path '*/bin/*' -o -name '*.so' -o -name '*.so.*' \) "$@"
}
# Libraries that are not on every host. Each goes along with its package's statement of licences.
mkdir "$libraries/rockcreek/bundled"
loaded -exec ldd {} + | sed -n 's/^\s*\(\S*\) => \(\/\S*\) (.*/\1 \2/p' | sort -u >"$copy/needed"
while read -r name file; do
  case $name in
  librcce.so.* | libc.so.* | libm.so.* | libdl.so.* | librt.so.* | libpthread.so.* | libstdc++.so.* | \
    libgcc_s.so.*) continue ;;
  esac
  cp -L "$file" "$libraries/rockcreek/bundled/$name"
  package=$(dpkg-query -S "$(readlink -f "$file")" | sed 's/[:,].*//')
  cp "/usr/share/doc/$package/copyright" "$copy/apps/python/LICENSE.$package" ||
    { say "'$file' cannot go along: no licence in /usr/share/doc/$package"; exit 1; }
done <"$copy/needed"
charts=$(sed -n 's/^ROCKCREEK_UPLOT:PATH=//p' "$build/CMakeCache.txt")
[ ! -e "$charts/LICENSE" ] || cp "$charts/LICENSE" "$copy/apps/python/LICENSE.uPlot"
# A wheel has no links: one file for the loader, and a line that leads the linker to it.
rm "$libraries/librcce.so"
echo 'INPUT(librcce.so.0)' >"$libraries/librcce.so"
loaded ! -name librcce.so -exec strip --strip-unneeded --remove-section=.comment {} +
# Hosts whose C library has all that is called of it.
glibc=$(find "$prefix" -type f -exec objdump -T {} + 2>/dev/null | grep -o 'GLIBC_2\.[0-9]*' | sort -uV |
  tail -n 1)
echo "manylinux_2_${glibc#GLIBC_2.}_$(uname -m)" >"$copy/apps/python/platform"
"$python" -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation -w "$1" \
  "$copy/apps/python"
