#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An optional component that is there already is taken into a tree that was configured without it, and a
# compiler cache that is found later is not. For the first, cmake is a stand-in that counts; for the other, a
# project has the lines that choose. sh setup_optional.sh SOURCE_DIR SCRATCH_DIR
set -eu
source=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2/tools" "$2/tree/apps" "$2/tree/build"
scratch=$(cd "$2" && pwd)
tree=$scratch/tree
cp "$source/apps/setup.sh" "$tree/apps/"
mkdir "$tree/apps/handbook" && cp "$source/apps/handbook/requirements.txt" "$tree/apps/handbook/"

stand_in() { # stand_in NAME SCRIPT
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/tools/$1"
  chmod +x "$scratch/tools/$1"
}
for tool in mpicc mpirun doxygen mandoc apt-get; do stand_in $tool 'exit 0'; done
stand_in cmake "case \$1 in
--version) echo 'cmake version 3.25.1' ;;
--preset) echo configures >>$scratch/log; echo \"\$MADE\" >$tree/build/build.ninja ;;
esac"
for without in libnlopt-dev charts llvm; do : >"$tree/build/.without-$without"; done
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" >"$tree/build/CMakeCache.txt"
echo "nothing of MPI" >"$tree/build/build.ninja"

times_configured() { # times_configured N WORD...: by setup.sh with these words
  wanted=$1
  shift
  : >"$scratch/log"
  status=0
  PATH=$scratch/tools:$PATH sh "$tree/apps/setup.sh" "$@" >"$scratch/out" 2>&1 </dev/null || status=$?
  [ "$(wc -l <"$scratch/log")" -eq "$wanted" ] ||
    { cat "$scratch/out"; echo "setup.sh $*: configured $(wc -l <"$scratch/log") times instead of $wanted"
    exit 1; }
}
export MADE="rule librcce_mpi.so"
times_configured 0
[ $status -eq 0 ]
for word in --with-blas --with-mpi; do
  times_configured 1 $word
  [ $status -eq 0 ] || { cat "$scratch/out"; exit 1; }
done
MADE="nothing of MPI" times_configured 1 --with-mpi
[ $status -eq 1 ] && grep -q "CMake does not find it: name its compiler" "$scratch/out" ||
  { cat "$scratch/out"; exit 1; }

# The lines of CMakeLists.txt that choose the cache, as a script with a cache of its own.
mkdir "$scratch/cache"
{
  echo 'cmake_minimum_required(VERSION 3.25)'
  echo 'project(cache NONE)'
  sed -n '/^if(NOT DEFINED CACHE{ROCKCREEK_CCACHE})/,/^endif/p' "$source/CMakeLists.txt"
  echo 'message(STATUS "cache: ${ROCKCREEK_CCACHE}")'
} >"$scratch/cache/CMakeLists.txt"
rm "$scratch/tools/cmake"
mkdir "$scratch/bin"
cmake -S "$scratch/cache" -B "$scratch/cache/build" -DCMAKE_PROGRAM_PATH="$scratch/bin" >"$scratch/first"
printf '#!/bin/sh\n' >"$scratch/bin/ccache" && chmod +x "$scratch/bin/ccache"
cmake -S "$scratch/cache" -B "$scratch/cache/build" -DCMAKE_PROGRAM_PATH="$scratch/bin" >"$scratch/second"
[ "$(grep -c '^-- cache: ' "$scratch/first")" -eq 1 ]
[ "$(grep '^-- cache: ' "$scratch/first")" = "$(grep '^-- cache: ' "$scratch/second")" ] ||
  { cat "$scratch/first" "$scratch/second"; echo "a cache that came later is taken"; exit 1; }
echo "what was asked for is taken, and nothing else"
