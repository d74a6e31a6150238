# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read by compare_mpi.sh and compare_smpi.sh: their options, and where the commands are.
# Sets: install (yes or no), runs, bin (an absolute path), check (yes or no), here (the folder of these
# scripts).
fail() {
  echo "$(basename "$0"): $*" >&2
  exit 2
}

install=no runs=5 bin= check=no
here=$(cd "$(dirname "$0")" && pwd)
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
    --install) install=yes ;;
    --check) check=yes ;;
    --runs | --bin)
      [ $# -gt 1 ] || fail "option $1 needs a value"
      if [ "$1" = --runs ]; then runs=$2; else bin=$2; fi
      shift ;;
    *) fail "unknown option '$1'; --help lists them" ;;
  esac
  shift
done
case $runs in '' | *[!0-9]* | 0) fail "--runs '$runs': give a whole number above 0" ;; esac
[ -z "$bin" ] || [ -d "$bin" ] || fail "--bin '$bin': there is no such folder"
bin=$(cd "${bin:-$here/../build/bin}" 2>/dev/null && pwd) ||
  fail "there is no build/bin yet; run sh apps/setup.sh first"

# Makes `work`, a temporary folder that goes when the script ends, also by a signal: not every sh runs the
# trap of EXIT then.
make_work() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/$(basename "$0" .sh).XXXXXX") || exit 2
  trap 'rm -rf "$work"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}
