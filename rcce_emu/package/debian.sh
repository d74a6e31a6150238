#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gives the folders from which CPack makes Debian packages what Debian's policy asks for: compressed manual
# pages, binaries without symbols that nobody reads, changelog and copyright in each package. CPack calls it
# (debian.cmake).
#
# sh debian.sh STAGING VERSION MAINTAINER CHARTS      CHARTS: the folder of uPlot, whose licence goes with the
# library; or nothing
set -eu
staging=$1 version=$2 maintainer=$3 charts=$4
package=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$package/../.." && pwd)

date=$(sed -n "s/^## $version (\([0-9-]*\)).*/\1/p" "$source/CHANGELOG.md")
[ -n "$date" ] || { echo "debian.sh: CHANGELOG.md has no release '## $version (YYYY-MM-DD)'" >&2; exit 1; }

changelog() { # changelog NAME: in Debian's format; what changed stands in one file for all packages
  printf '%s (%s) unstable; urgency=medium\n\n' "$1" "$version"
  printf '  * Release %s. What has changed stands in rockcreek-doc:\n    '\
'/usr/share/doc/rockcreek/CHANGELOG.md\n\n' "$version"
  printf ' -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -d "$date" '+%a, %d %b %Y %H:%M:%S +0000')"
}

copyright() { # copyright COMPONENT
  printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: '\
'Rockcreek\n\n'
  printf 'Files: *\nCopyright: %s\nLicense: Apache-2.0\n' \
    "$(sed -n 's/^SPDX-FileCopyrightText = "\(.*\)"/\1/p' "$source/REUSE.toml" | head -n 1)"
  printf ' On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
  handbook=usr/share/doc/rockcreek/handbook
  if [ "$1" = documentation ] && [ -e "$staging/$1/$handbook/assets/LICENSE" ]; then
    printf '\nFiles: %s/assets/* %s/iframe-worker.js\nCopyright: %s\nLicense: Expat\n\n' $handbook $handbook \
      "$(sed -n 's/^Copyright (c) //p' "$staging/$1/$handbook/assets/LICENSE")"
    printf 'Files: %s/interfaces/*.js\nCopyright: Dimitri van Heesch; the jQuery Foundation and its '\
'contributors\nLicense: Expat\n\n' $handbook
    printf 'License: Expat\n'
    sed -e '1,/^Copyright/d' "$staging/$1/$handbook/assets/LICENSE" |
      sed -e '/./,$!d' -e 's/^$/./' -e 's/^/ /'
    return 0
  fi
  if [ "$1" != runtime ] || [ ! -e "$charts/LICENSE" ]; then return 0; fi
  # The text in the library, which it writes into every report.
  printf '\nFiles: usr/lib/librcce.so.*\nCopyright: %s\n' "$(sed -n 's/^Copyright (c) //p' "$charts/LICENSE")"
  printf 'License: Apache-2.0 and Expat\nComment: Expat is for uPlot, which the library writes into HTML '\
'reports.\n'
  printf ' Libraries that are linked or compiled in: /usr/share/doc/rockcreek/dependencies.md\n\n'
  printf 'License: Expat\n'
  sed -e '1,/^Copyright/d' -e 's/\r$//' "$charts/LICENSE" | sed -e '/./,$!d' -e 's/^$/./' -e 's/^/ /'
  echo
}

for entry in runtime:rockcreek development:rockcreek-dev documentation:rockcreek-doc mpi:rockcreek-mpi; do
  component=${entry%%:*} name=${entry#*:}
  usr=$staging/$component/usr
  if [ "$component" = mpi ] && [ ! -d "$usr" ]; then continue; fi # a build without MPI
  [ -d "$usr" ] || { echo "debian.sh: no folder '$usr'" >&2; exit 1; }
  mkdir -p "$usr/share/doc/$name"
  changelog "$name" | gzip -9n >"$usr/share/doc/$name/changelog.gz"
  copyright "$component" >"$usr/share/doc/$name/copyright"
  if [ -d "$usr/share/man" ]; then find "$usr/share/man" -type f ! -name '*.gz' -exec gzip -9n {} +; fi
done

usr=$staging/runtime/usr
# Programs that RCCE's launcher loads keep theirs (lintian-overrides). So do objects and archives, which are
# linked.
find "$usr/bin" "$usr/lib" -type f \( -path '*/bin/*' -o -name '*.so' -o -name '*.so.*' \) \
  -exec strip --strip-unneeded --remove-section=.comment {} +
if [ -d "$staging/mpi" ]; then strip --strip-unneeded --remove-section=.comment \
  "$staging"/mpi/usr/lib/rockcreek/librcce_mpi.so; fi
mkdir -p "$usr/share/lintian/overrides"
cp "$package/lintian-overrides" "$usr/share/lintian/overrides/rockcreek"
find "$staging" -type d -exec chmod 755 {} +
