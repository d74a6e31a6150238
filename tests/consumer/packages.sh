#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The packages of apps/package.sh, with the handbook that smoke.handbook has built: three Debian packages that
# are installed into a root of their own, used there and removed without a trace; WHOLE=1: in which lintian
# finds no error; a tarball that configures without a network, and of which every file's licence is stated
# (`reuse lint`); a citation of the version that is built.
# sh tests/consumer/packages.sh BUILD_DIR SCRATCH_DIR; status 77 where there is no dpkg.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
if [ -d "$2" ]; then rm -rf "$2"; fi
mkdir -p "$2"
scratch=$(cd "$2" && pwd)
fail() {
  echo "packages: $*"
  exit 1
}
version=$(sed -n 's/^project(rockcreek VERSION \([^ ]*\).*/\1/p' "$source/CMakeLists.txt")
revision=$(sed -n 's/^set(ROCKCREEK_MODEL_REVISION \([0-9]*\))/\1/p' "$source/CMakeLists.txt")

grep -qx "version: $version" "$source/CITATION.cff" || fail "CITATION.cff is not of version $version"
grep -q "Model revision $revision\.$" "$source/CITATION.cff" ||
  fail "CITATION.cff is not of model revision $revision"
"$build/bin/rccerun" --version >"$scratch/version"
grep -q "^  Rockcreek $version, model revision $revision, machine scc, digest" "$scratch/version" ||
  fail "$(cat "$scratch/version")"
"$build/bin/rccerun" --machine scc-fast --version | grep -q 'machine scc-fast,' ||
  fail "--version does not know the machine"

for tool in dpkg dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null || { echo "skipped: there is no $tool (Debian: dpkg-dev, file)"; exit 77; }
done
# Made by somebody whose files are his own, with a folder named from where he stands.
(umask 077 && cd "$build/.." && ROCKCREEK_HANDBOOK=built ROCKCREEK_BUILD=${build##*/} sh \
  "$source/apps/package.sh" "$scratch/out") >"$scratch/log" 2>&1 ||
  fail "$(cat "$scratch/log")"
for file in "$scratch"/out/*.deb; do
  ! dpkg-deb -c "$file" | grep -v '^l' | grep -v '^.......r' || fail "$file: not for everybody"
done
! tar -tvzf "$scratch"/out/rockcreek-"$version".tar.gz | grep -v '^l' | grep -v '^.......r' ||
  fail "the tarball: not for everybody"
for file in rockcreek_"$version"_amd64.deb rockcreek-dev_"$version"_amd64.deb \
  rockcreek-doc_"$version"_all.deb rockcreek-"$version".tar.gz; do
  [ -f "$scratch/out/$file" ] || fail "no $file: $(ls "$scratch/out")"
done
dpkg-deb -f "$scratch/out/rockcreek_$version"_*.deb Depends | grep -q 'clang.*libboost-context' ||
  fail "the runtime's dependencies"
dpkg-deb -c "$scratch/out/rockcreek_$version"_*.deb | grep -q 'include/rcce/RCCE.h' ||
  fail "no RCCE.h in the runtime"
! dpkg-deb -c "$scratch/out/rockcreek_$version"_*.deb | grep '\.hpp$' || fail "C++ headers in the runtime"
dpkg-deb -c "$scratch/out/rockcreek-doc_$version"_*.deb | grep -q 'README.md' ||
  fail "no pages in the documentation"
[ ! -e "$build/handbook/index.html" ] || dpkg-deb -c "$scratch/out/rockcreek-doc_$version"_*.deb |
  grep -q 'handbook/index.html' ||
  fail "no handbook in the documentation"
dpkg-deb -c "$scratch/out/rockcreek-doc_$version"_*.deb | grep -q 'man/man3/RCCE_recv.3' ||
  fail "no RCCE_recv(3) in the documentation"
if [ -z "${WHOLE:-}" ]; then
  echo "lintian is asked by tests/nightly.sh"
elif command -v lintian >/dev/null; then
  lintian --no-cfg --fail-on error "$scratch"/out/*.deb >"$scratch/lintian" 2>&1 ||
    fail "lintian: $(grep -v '^[WN]:' "$scratch/lintian")"
else
  echo 'left out: lintian is not here (Debian: lintian)'
fi

use() { # use PREFIX: as a user of the packages would
  # Joined: set -e does not hold on the left of ||.
  (
    cd "$scratch" && cp "$source/tests/programs/ring_shift.c" . &&
      "$1/bin/rccecc" -O2 ring_shift.c -o ring_shift &&
      "$1/bin/rccerun" -nue 5 --compute none ./ring_shift 3 1000 |
      diff - "$source/tests/golden/expected/ring_shift_5.txt" &&
      "$1/bin/rccebench" grade "$source/tests/smoke/course/pingpong.c" | grep -q ' trials: correct' &&
      # Functions that are static in programs that come along: their names are not stripped.
      "$1/bin/rccebench" bcast --algorithms cube --cores 4 --sizes 32 --profile 2>&1 |
      grep -q 'algorithms::.*run('
  ) || fail "what was installed in $1 does not work"
}
if [ "$(id -u)" -eq 0 ]; then
  # Into a root of its own, beside which the host's packages are not looked at.
  mkdir -p "$scratch/root/var/lib/dpkg/updates" "$scratch/root/var/lib/dpkg/info" "$scratch/root/var/log"
  : >"$scratch/root/var/lib/dpkg/status"
  # Scripts of the packages run here, not in that root, where there is no shell: their ldconfig is one that
  # does nothing.
  mkdir "$scratch/quiet"
  printf '#!/bin/sh\n' >"$scratch/quiet/ldconfig"
  chmod +x "$scratch/quiet/ldconfig"
  in_root() { PATH=$scratch/quiet:$PATH dpkg --root="$scratch/root" --log=/dev/null --force-depends \
    --force-script-chrootless "$@" >"$scratch/dpkg.log" 2>&1 || fail "$(cat "$scratch/dpkg.log")"; }
  held() { find "$scratch/root" ! -path "$scratch/root/var/lib/dpkg/*" | sort; } # dpkg's own files apart
  held >"$scratch/before"
  in_root -i "$scratch"/out/*.deb
  use "$scratch/root/usr"
  mpi=
  [ ! -e "$scratch/out/rockcreek-mpi_$version"_*.deb ] || mpi=rockcreek-mpi
  # shellcheck disable=SC2086  # a name or nothing
  in_root -P $mpi rockcreek-doc rockcreek-dev rockcreek
  held | diff "$scratch/before" - || fail 'purging leaves files behind'
else
  echo 'left out: installing and removing by dpkg, which needs root; the packages are unpacked instead'
  for package in "$scratch"/out/*.deb; do dpkg-deb -x "$package" "$scratch/root"; done
  use "$scratch/root/usr"
fi

# The tarball: complete, without what was built or its history, and configured where there is no network.
mkdir "$scratch/tarball"
tar -C "$scratch/tarball" -xzf "$scratch/out/rockcreek-$version.tar.gz" --strip-components=1
[ -z "$(find "$scratch/tarball" -maxdepth 1 -name '.git' -o -maxdepth 1 -name 'build*')" ] ||
  fail "the tarball holds too much"
(cd "$source" && git ls-files 2>/dev/null || true) | while read -r file; do
  [ -e "$scratch/tarball/$file" ] || [ ! -e "$source/$file" ] || echo "$file"
done >"$scratch/lacking"
[ ! -s "$scratch/lacking" ] || fail "the tarball lacks $(head -n 3 "$scratch/lacking")"
# Debian 12's reuse is older than REUSE.toml, and reads the same statements in another file. REUSE-IgnoreStart
lint_licences() { # lint_licences TREE
  if [ "$(reuse --version | sed -n '1s/[^0-9]*\([0-9]*\).*/\1/p')" -lt 4 ]; then
    mkdir "$1/.reuse"
    {
      echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
      awk -F '"' '/^path = / { gsub(/\*\*/, "*", $2); print "\nFiles: " $2 }
        /^SPDX-FileCopyrightText = / { print "Copyright: " $2 }
        /^SPDX-License-Identifier = / { print "License: " $2 }' "$1/REUSE.toml"
    } >"$1/.reuse/dep5"
    mv "$1/REUSE.toml" "$scratch/"
  fi
  reuse --root "$1" lint >"$scratch/reuse" 2>&1 || fail "reuse lint: $(tail -n 40 "$scratch/reuse")"
  # An older one says so, and goes on.
  ! grep 'cannot be parsed' "$scratch/reuse" || fail 'reuse lint: a statement that cannot be parsed'
}
# REUSE-IgnoreEnd
if command -v reuse >/dev/null; then
  lint_licences "$scratch/tarball"
else
  echo 'left out: reuse is not here (Debian: reuse)'
fi

offline=
if unshare -rn true 2>/dev/null; then offline='unshare -rn'; fi
$offline cmake -S "$scratch/tarball" -B "$scratch/configured" -G Ninja -DROCKCREEK_TESTS=OFF >"$scratch/log" \
  2>&1 || fail "$(cat "$scratch/log")"
