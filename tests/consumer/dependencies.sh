#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything of others that is linked, included, looked for or imported stands in
# apps/package/dependencies.md, with a licence. sh tests/consumer/dependencies.sh BUILD_DIR
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
page=$source/apps/package/dependencies.md
status=0
fault() {
  echo "dependencies: $*"
  status=1
}
# The last column has the names by which a dependency shows: libraries, headers, packages of CMake, modules of
# Python.
sed -n 's/^| .* | .* | .* | \(.*\) |$/\1/p' "$page" | tr -d '`,' | tr ' ' '\n' | sort -u >names
[ "$(wc -l <names)" -gt 20 ] || fault "the table was not understood: $(wc -l <names) names"
sed -n 's/^| \(.*\) | .* | \(.*\) | .* |$/\1: \2/p' "$page" | grep -v '^what: \|^-' | grep ': *$' &&
  fault "a dependency has no licence"

known() { # known KIND NAME
  grep -qxF -- "$2" names || fault "$1 '$2' is not in apps/package/dependencies.md"
}
for library in $(find "$build/bin" "$build/lib" "$build/libexec" -type f \( -perm -u+x -o -name '*.so*' \) \
  -exec readelf -d {} + 2>/dev/null |
  sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sed 's/\.so.*//' | sort -u); do
  [ "$library" = librcce ] || known library "$library"
done
# Headers in folders are those of others, but for the system's own and ours.
for folder in $(cd "$source" && find mesh_sim rcce_emu ircce algorithms apps tests \( -name '*.[ch]pp' -o \
  -name '*.[ch]' \) -exec grep -hoE '^ *# *include <[^>]+/' {} + |
  sed 's/.*<//; s,/.*,,' | sort -u); do
  case $folder in
  sys | linux | arpa | netinet | rockcreek | algorithms) ;;
  *) known header "$folder/" ;;
  esac
done
for package in $(cd "$source" && find . -path './build*' -prune -o \( -name CMakeLists.txt -o \
  -name '*.cmake' \) -print |
  grep -v tests/consumer/ | xargs sed -n 's/^ *find_package(\([A-Za-z0-9_]*\).*/\1/p' | sort -u); do
  [ "$package" = Threads ] || known package "$package"
done
for module in $(cd "$source/apps/python" && grep -hoE '^ *(import|from) [a-z_][a-z0-9_]*' rockcreek/*.py |
  awk '{ print $2 }' | sort -u); do
  case $module in
  rockcreek | __future__ | argparse | dataclasses | json | os | pathlib | re | shutil | subprocess | sys | \
    sysconfig | tempfile | typing | warnings | io | math) ;;
  *) known module "$module" ;;
  esac
done
exit $status
