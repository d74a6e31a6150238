#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs tests of the smoke suite of build/ as an ordinary user who may only read the tree: what works for root
# alone is found so. tests/run.sh calls it where root runs the tests. Takes root's rights. Nothing is built,
# and nothing is written outside a temporary folder.
#
#   sh tests/unprivileged.sh [CTEST OPTIONS]     default: what writes or asks for rights
#
# The status is ctest's; 0 with a message where the tree can be shown to no other user (a folder that only
# root may enter, and no right to mount).
set -eu
tree=$(cd "$(dirname "$0")/.." && pwd)
user=nobody
say() { printf 'tests/unprivileged.sh: %s\n' "$*" >&2; }
[ "$(id -u)" -eq 0 ] || { say "only root can become another user"; exit 2; }
group=$(id -g $user)
as_user() { setpriv --reuid=$user --regid="$group" --clear-groups "$@"; }

# A checkout below /root cannot be read by others: a second one stands at the same place then, in a namespace
# of its own.
if ! as_user test -r "$tree/build/CTestTestfile.cmake"; then
  [ "${1-}" != --mounted ] || { say "left out: '$tree' cannot be read by $user"; exit 0; }
  closed=$tree
  while parent=$(dirname "$closed") && [ "$parent" != / ]; do
    as_user test -x "$parent" || top=$parent
    closed=$parent
  done
  [ -n "${top-}" ] && unshare --mount true 2>/dev/null ||
    { say "left out: '$tree' cannot be read by $user"; exit 0; }
  # shellcheck disable=SC2016  # for the inner shell
  exec unshare --mount sh -euc '
    tree=$1 top=$2
    shift 2
    inner=$(mktemp -d)
    mount --bind "$tree" "$inner"
    mount -t tmpfs -o mode=755 closed "$top"
    mkdir -p "$tree"
    mount --bind "$inner" "$tree"
    umount "$inner" && rmdir "$inner"
    cd "$tree"
    exec sh tests/unprivileged.sh --mounted "$@"' sh "$tree" "$top" "$@"
fi
[ "${1-}" != --mounted ] || shift
# What writes, has descriptors of its own, asks for rights or looks for its files: another user changes
# nothing about the rest. Of what compiles, own_libraries makes an image part that nobody has prepared.
[ $# -gt 0 ] ||
  set -- -R '^smoke\.(outputs(_refused)?|hints|manual_page|unfinished|setup|own_libraries|originals_tree|'\
'bench_(pingpong|refusals)|trace|recordings|python|bare_name|shell_script_between|fortran|libc_state|stdio_lines)$'

scratch=$(mktemp -d "${TMPDIR:-/tmp}/rockcreek-unprivileged.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP
mkdir "$scratch/home" "$scratch/tmp" "$scratch/tests"
# ctest writes beside its list of tests.
printf 'subdirs("%s")\n' "$tree/build" >"$scratch/tests/CTestTestfile.cmake"
chown -R "$user:$group" "$scratch"
cd "$scratch/tests"
as_user env HOME="$scratch/home" TMPDIR="$scratch/tmp" USER=$user LOGNAME=$user \
  ctest --test-dir "$scratch/tests" --parallel "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)" \
  --no-label-summary --output-on-failure "$@"
