#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proves that an installed Rockcreek serves people who have never seen its sources. Installs a build tree into
# a fresh prefix, moves that prefix (nothing may depend on where it was made), then as a stranger:
#   1. configures, builds and runs a CMake project that calls rcce::run_job and rcce::algorithms through
#      find_package(rockcreek);
#   2. compiles the same program with the flags of pkg-config alone;
# 3. builds and runs an RCCE program by a Makefile of the original kind, rccecc and rccerun found through
# PATH, and one
#      that calls the algorithms library;
#   4. looks for the manual pages;
#   5. configures a project that takes the sources in by add_subdirectory, and that nothing is imposed on.
# sh tests/consumer/run.sh BUILD_DIR SCRATCH_DIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2"
scratch=$(cd "$2" && pwd)
prefix=$scratch/prefix

step() { printf '== %s\n' "$*"; }
fail() {
  printf 'consumer: %s\n' "$*" >&2
  exit 1
}
expect() { # expect FILE TEXT
  grep -qF -- "$2" "$1" || {
    cat "$1" >&2
    fail "'$1' lacks '$2'"
  }
}

step 'install, then move'
cmake --install "$build" --prefix "$scratch/staging" >"$scratch/install.log"
mv "$scratch/staging" "$prefix"
! grep -rqsF "$build" "$prefix/lib" "$prefix/share" "$prefix/include" --include='*.cmake' --include='*.pc' \
  --include='*.h*' ||
  fail "an installed text file names the build tree"

step 'run paths'
find "$prefix" -type f | while read -r file; do
  case $(head -c 4 "$file" | tr -d '\0') in *ELF) ;; *) continue ;; esac
  case $(readelf -d "$file" 2>/dev/null | grep -E 'RUNPATH|RPATH') in
  *"$build"* | *"$scratch/staging"*)
    echo "$file" ;;
  esac
done >"$scratch/tied"
[ ! -s "$scratch/tied" ] || { cat "$scratch/tied" >&2
  fail "installed files look for libraries in the build tree"; }
"$prefix/bin/rccebench" pingpong --sizes 32 --sweep distance >"$scratch/pingpong.out"
expect "$scratch/pingpong.out" "every byte checked: correct"

step 'library folders'
for folder in lib64 lib/some-linux-gnu; do
  cmake -G Ninja -S "$here/../.." -B "$scratch/folders" -DROCKCREEK_TESTS=OFF -DCMAKE_INSTALL_LIBDIR=$folder \
    >"$scratch/folders.log" 2>&1 || { cat "$scratch/folders.log" >&2; fail "configuring for $folder failed"; }
  grep -rqF "CMAKE_INSTALL_PREFIX}/$folder/cmake/rockcreek" "$scratch/folders" \
    --include=cmake_install.cmake ||
    fail "-DCMAKE_INSTALL_LIBDIR=$folder does not install there"
  ! grep -rE "DESTINATION .*/$folder" "$scratch/folders" --include=cmake_install.cmake |
    grep -vF "CMAKE_INSTALL_PREFIX}/$folder" ||
    fail "-DCMAKE_INSTALL_LIBDIR=$folder installs to another place than that below the prefix"
done

step Makefile project
cp -R "$here/makefile" "$scratch/makefile"
(
  cd "$scratch/makefile"
  PATH=$prefix/bin:$PATH
  make >make.log 2>&1 || { cat make.log >&2; fail "make failed"; }
  rccerun -nue 5 ./token 3 >token.out
  rccecc --version >version.out
  for generation in 1.0 2.0; do
    rccecc --rcce $generation collective.c -lrockcreek_algorithms -o collective
    rccerun -nue 5 ./collective >collective-$generation.out
  done
)
expect "$scratch/makefile/token.out" "token came round 3 times over 5 UEs"
expect "$scratch/makefile/version.out" "rccecc"
expect "$scratch/makefile/collective-1.0.out" "rank 0 of 5 has 42"
expect "$scratch/makefile/collective-2.0.out" "rank 0 of 5 has 42"

step CMake project
cmake -G Ninja -S "$here/embed" -B "$scratch/embed" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
  >"$scratch/embed.log" || { cat "$scratch/embed.log" >&2; fail "configuring failed"; }
cmake --build "$scratch/embed" >>"$scratch/embed.log" ||
  { cat "$scratch/embed.log" >&2; fail "building failed"; }
"$scratch/embed/embed" "$scratch/makefile/token" >"$scratch/embed.out"
expect "$scratch/embed.out" "| token came round 2 times over 7 UEs"
expect "$scratch/embed.out" "7 UEs ended, status 0"
"$scratch/embed/ask_schedule" >"$scratch/schedule.out"
expect "$scratch/schedule.out" "cube needs 4 rounds"

step 'an algorithm from a file'
"$prefix/bin/rccebench" compare --with "$prefix/share/rockcreek/programs/my_broadcast.c" \
  --algorithms chain,cube --cores 5 \
  --sizes 8192 >"$scratch/own.out"
expect "$scratch/own.out" "bcast/chain"
expect "$scratch/own.out" "every byte compared on every rank: correct"

step pkg-config
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
# shellcheck disable=SC2046  # the flags are words
${CXX:-c++} "$here/embed/main.cpp" -o "$scratch/by-pkg-config" $(pkg-config --cflags --libs rockcreek)
"$scratch/by-pkg-config" "$scratch/makefile/token" >"$scratch/by-pkg-config.out"
cmp "$scratch/embed.out" "$scratch/by-pkg-config.out"

step manual pages
for page in rccecc rccerun rccebench; do
  [ -e "$prefix/share/man/man1/$page.1" ] || fail "no manual page $page.1"
done
# An option with its argument begins a paragraph of its own.
# shellcheck disable=SC2016  # for awk
joined=$(awk '/^\.BI "?\\-\\-/ && previous !~ /^\.TP/ { print FILENAME ":" FNR ": " $0 } { previous = $0 }' \
  "$prefix"/share/man/man1/*.1)
[ -z "$joined" ] || fail "no .TP before $joined"

step add_subdirectory
cmake -G Ninja -S "$here/guest" -B "$scratch/guest" -DROCKCREEK_SOURCE="$here/../.." >"$scratch/guest.log" \
  2>&1 ||
  { cat "$scratch/guest.log" >&2; fail "configuring as a guest failed"; }
! grep -rq 'file(INSTALL' "$scratch/guest/rockcreek" --include=cmake_install.cmake ||
  fail "the guest installs files of its own"

echo "strangers are served"
