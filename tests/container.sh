#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Do the steps of apps/package/Containerfile lead to a container that works? Where there is no engine: each
# stage is a minimal Debian root (mmdebstrap), in which its RUN lines are executed as they stand, by chroot;
# what COPY names is copied. Then a program is compiled and run in the last one. What this does not show is
# what an engine adds: layers, users, networks, the image's name. Takes root's rights, a network and some
# gigabytes in TMPDIR (/var/tmp); with PACKAGES a few minutes, else as long as the build.
#
#   sh tests/container.sh [PACKAGES]
#
# PACKAGES: a folder with the Debian packages of apps/package.sh; the stage that builds them is then left out,
# which is said. Status 0 if all of it worked, 1 if not, 2 where this machine cannot make such a root.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
file=$here/apps/package/Containerfile
say() { printf 'container: %s\n' "$*" >&2; }
cannot() {
  say "$*"
  exit 2
}
[ $# -le 1 ] || cannot "one folder of packages at most; usage: sh tests/container.sh [PACKAGES]"
packages=${1:+$(cd "$1" && pwd)}
[ "$(id -u)" -eq 0 ] || cannot "a root of its own takes root's rights: sudo sh tests/container.sh"
command -v mmdebstrap >/dev/null || cannot "there is no mmdebstrap here: apt-get install mmdebstrap"
unshare --mount --pid --fork true || cannot \
  "unshare cannot make namespaces here: a container needs CAP_SYS_ADMIN"
scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/rockcreek-container.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# One instruction a line: continued lines joined, comments left out.
awk '/^ *#/ { next } { line = line $0 } /\\$/ { sub(/\\$/, " ", line); next } line != "" { print line;
  line = "" }' "$file" >"$scratch/steps"
grep -q '^FROM ' "$scratch/steps" || cannot "$file has no FROM"

in_root() { # in_root TREE FOLDER COMMAND
  # shellcheck disable=SC2016  # for the inner shell
  unshare --mount --pid --fork --kill-child sh -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
      TERM=dumb DEBIAN_FRONTEND=noninteractive \
      chroot "$1" sh -c "cd \"\$1\" && eval \"\$2\"" sh "$2" "$3"' in_root "$1" "$2" "$3" >&2
}

# The machine's way to its package sources, as tests/fresh.sh has it.
apt-config dump | grep -E '^Acquire::(https?::|Check-|Force)' |
  grep -v 'Auto-\?Detect' >"$scratch/apt.conf" || true
for scheme in http https; do
  proxy=$(printenv ${scheme}_proxy || true)
  [ -z "$proxy" ] || echo "Acquire::$scheme::Proxy \"$proxy\";" >>"$scratch/apt.conf"
done
stage='' name='' folder=/ skipped=no
while IFS= read -r step; do
  words=${step#* }
  case $step in
  'FROM '*)
    name=$(echo "$words" | sed -n 's/.* AS \(.*\)/\1/p')
    base=${words%% *}
    folder=/
    stage=$scratch/${name:-last}
    skipped=no
    if [ "$name" = build ] && [ -n "$packages" ]; then
      say "left out: stage '$name', which makes the packages; those in $packages are taken"
      skipped=yes
      mkdir -p "$stage/packages"
      cp "$packages"/*.deb "$stage/packages/"
      continue
    fi
    case $base in debian:*) ;; *) cannot "FROM $base: only roots of Debian can be made here" ;; esac
    say "stage ${name:-last}: a minimal root of ${base#debian:}"
    mmdebstrap --quiet --variant=minbase --aptopt="$scratch/apt.conf" "${base#debian:}" "$stage" >&2 ||
      cannot "mmdebstrap failed"
    cp /etc/resolv.conf "$stage/etc/resolv.conf"
    cp "$scratch/apt.conf" "$stage/etc/apt/apt.conf.d/99machine"
    ;;
  *)
    [ $skipped = no ] || continue
    say "$step"
    case $step in
    'COPY --from='*)
      from=${words#--from=}
      what=$(echo "$from" | cut -d' ' -f2)
      mkdir -p "$stage$(echo "$from" | cut -d' ' -f3)"
      # shellcheck disable=SC2086  # a pattern
      cp -R "$scratch/${from%% *}"$what "$stage$(echo "$from" | cut -d' ' -f3)"
      ;;
    'COPY . '*)
      mkdir -p "$stage${words#. }"
      git -C "$here" archive HEAD | tar -x -C "$stage${words#. }"
      ;;
    'WORKDIR '*)
      folder=$words
      mkdir -p "$stage$folder"
      ;;
    'RUN '*) in_root "$stage" "$folder" "$words" || { say "failed: $step"; exit 1; } ;;
    'CMD '*) in_root "$stage" "$folder" "command -v $(echo "$words" | tr -d '[]",')" ||
      { say "failed: $step"; exit 1; } ;;
    *) cannot "this instruction is not understood: $step" ;;
    esac
    ;;
  esac
done <"$scratch/steps"

cp "$here/tests/programs/ring_shift.c" "$stage$folder/"
in_root "$stage" \
  "$folder" 'rccecc -O2 ring_shift.c -o ring_shift && rccerun -nue 5 ./ring_shift 3 1000 >out && make '\
'--version >/dev/null' &&
  diff "$stage$folder/out" "$here/tests/golden/expected/ring_shift_5.txt" >&2 ||
  { say "a program does not run there as it does here"; exit 1; }
[ -z "$(ls "$stage/packages" 2>/dev/null)" ] || { say "the packages were left in the image"; exit 1; }
echo "every step of apps/package/Containerfile was executed$([ -z "$packages" ] ||
  echo ' but those of the stage that builds'); a program compiles and runs there"
