#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README's first command on machines where it cannot install anything: it names what is missing by library
# and stops with status 1. Such machines are made of a PATH that holds only what the script itself uses, and
# stand-ins. sh setup_without_apt.sh SOURCE_DIR SCRATCH_DIR
set -eu
source=$(cd "$1" && pwd)
rm -rf "$2" && mkdir -p "$2/tools"
scratch=$(cd "$2" && pwd)

for tool in sh dirname sed cut env grep cat mkdir; do
  ln -s "$(command -v "$tool")" "$scratch/tools/$tool"
done
stand_in() { # stand_in NAME SCRIPT
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/tools/$1"
  chmod +x "$scratch/tools/$1"
}
# A compiler that finds no header and no library.
# shellcheck disable=SC2016  # expanded by the stand-in
stand_in g++ 'case $1 in -print-file-name=*) echo "${1#*=}" ;; *) exit 1 ;; esac'

quickstart_says() { # quickstart_says TEXT...: each must stand in its output
  status=0
  PATH=$scratch/tools sh "$source/apps/quickstart.sh" >"$scratch/out" 2>&1 </dev/null || status=$?
  [ "$status" -eq 1 ] || { cat "$scratch/out"; echo "status $status instead of 1"; exit 1; }
  for text in "$@"; do
    grep -qF -- "$text" "$scratch/out" || { cat "$scratch/out"; echo "output lacks '$text'"; exit 1; }
  done
}

stand_in id 'echo 0'
quickstart_says "there is no apt-get here" "CMake 3.25 or newer (Debian package cmake)" \
  "Boost.Context 1.74 or newer" \
  "{fmt} 9 or newer (Debian package libfmt-dev)" "Catch2, version 2 or 3" "CLI11 2 or newer" \
  "nlohmann::json 3" "clang"

stand_in id 'echo 1000'
stand_in apt-get 'echo "apt-get must not be called"; exit 9'
quickstart_says "apt-get needs root, and there is no sudo" "CMake 3.25 or newer"

stand_in sudo 'exit 1'
quickstart_says "sudo asks for a password without a terminal" "Boost.Context"

stand_in id 'echo 0'
stand_in apt-get 'exit 100'
quickstart_says "apt-get failed" "Boost.Context"

stand_in apt-get 'exit 0'
quickstart_says "apt-get's packages do not bring it" "Boost.Context"
echo "each machine was told what is missing"
