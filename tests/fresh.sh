#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Do the README's two commands need anything that setup.sh does not install? Makes minimal Debian roots of
# this machine's own release and package sources, clones HEAD into each, and runs both commands there: in one
# root as root, in another as an ordinary user with sudo, the other command first there, so that each has met
# a bare machine. Before them setup.sh --check has to name what is missing, behind them to be silent. The
# machine itself gets no more than mmdebstrap: what is mounted and started lives in namespaces that end with
# the command. Takes root's rights, some gigabytes in TMPDIR (/var/tmp), and three quarters of an hour on 2
# processors.
#
#   sh tests/fresh.sh [--as root|user] [--quick] [--keep]
#
#   --as     only in that root
#   --quick  the set-up and the smoke suite in place of the two commands
#   --keep   leaves the roots where they are, and says where
#
# A table of what ran follows on stdout, everything else is on stderr. Status 0 if all of it ran and passed, 1
# if not, 2 where this machine cannot make such a root.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

say() { printf 'fresh: %s\n' "$*" >&2; }
cannot() {
  say "$*"
  exit 2
}

whom="root user" quick=no keep=no
while [ $# -gt 0 ]; do
  case $1 in
  --as)
    case ${2-} in
    root | user) whom=$2 ;;
    *) cannot "--as '${2-}': allowed are root and user" ;;
    esac
    shift
    ;;
  --quick) quick=yes ;;
  --keep) keep=yes ;;
  *) cannot "unknown word '$1'; allowed: --as root|user, --quick, --keep" ;;
  esac
  shift
done

[ "$(id -u)" -eq 0 ] || cannot "a root of its own takes root's rights: sudo sh tests/fresh.sh"
command -v apt-get >/dev/null ||
  cannot "there is no apt-get here: the roots are made from a Debian machine's package sources"
command -v git >/dev/null || cannot "there is no git here: apt-get install git"
unshare --mount --pid --fork --kill-child true ||
  cannot "unshare cannot make namespaces here: a container needs CAP_SYS_ADMIN"
commit=$(git -C "$here" rev-parse --short HEAD) || cannot "$here is no git checkout"
[ -z "$(git -C "$here" status --porcelain)" ] ||
  say "uncommitted changes are left out: what is tested is HEAD"

apt-get update >&2 || say "apt-get update failed; trying with the old lists"
command -v mmdebstrap >/dev/null || apt-get install -y --no-install-recommends mmdebstrap >&2 ||
  cannot "there is no mmdebstrap, and apt-get cannot install it"

scratch=$(mktemp -d "${TMPDIR:-/var/tmp}/rockcreek-fresh.XXXXXX")
chmod 755 "$scratch"
apart= # process that holds the namespaces

# shellcheck disable=SC2317  # called by the traps
end() {
  status=$?
  trap '' INT TERM HUP
  if [ -n "$apart" ]; then
    kill -KILL "$apart" 2>/dev/null || true
    wait "$apart" 2>/dev/null || true
  fi
  if [ $keep = yes ]; then
    say "the roots are left in $scratch"
  else
    # What ran in a root takes a moment to die.
    rm -rf "$scratch" 2>/dev/null || { sleep 2 && rm -rf "$scratch"; }
  fi
  exit $status
}
trap end EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Runs a command in namespaces of its own, which end with it, and with this script however that ends. In the
# background, because a shell hears of signals only then; what sh makes deaf to Ctrl-C there is made to hear
# again.
in_namespaces() {
  env --default-signal=INT,QUIT setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child "$@" \
    </dev/null >&2 &
  apart=$!
  status=0
  wait $apart || status=$?
  apart=
  return $status
}

# in_root TREE NAME HOME COMMAND: a shell command in the home folder. The root is changed by pivot_root,
# because the kernel gives no user namespaces, which tests use, to what chroot has put there. The outer shell
# stays, as process 1, for orphans.
in_root() {
  # shellcheck disable=SC2016  # for the inner shell
  in_namespaces sh -euc '
    tree=$1 name=$2 home=$3 command=$4
    mount --bind "$tree" "$tree"
    cd "$tree"
    mount -t proc proc proc
    mount -t sysfs -o ro sysfs sys
    mount -t tmpfs -o mode=755 dev dev
    for node in null zero full random urandom tty; do
      : >"dev/$node"
      mount --bind "/dev/$node" "dev/$node"
    done
    mkdir dev/shm dev/pts
    mount -t tmpfs -o mode=1777 shm dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    for number in 0:stdin 1:stdout 2:stderr; do ln -s "fd/${number%:*}" "dev/${number#*:}"; done
    pivot_root . .
    umount --lazy .
    path=/usr/local/bin:/usr/bin:/bin
    [ "$name" != root ] || path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    status=0
    setpriv --reuid="$name" --regid="$name" --init-groups env -i HOME="$home" USER="$name" LOGNAME="$name" \
      PATH="$path" TERM=dumb sh -c "cd && $command" || status=$?
    exit $status
  ' in_root "$@"
}

# The machine's own package sources of its release; others would bring what a Debian machine does not have.
# shellcheck disable=SC1091  # the system's
release=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
# shellcheck disable=SC2016  # for apt-get
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' \
  'Origin: Debian' |
  grep " ${release}[- ]" | sort -u >"$scratch/sources"
[ -s "$scratch/sources" ] || cannot "apt knows no package sources of Debian '$release' here"

# How this machine reaches them: proxies, certificates, dates that are not to be checked.
apt-config dump | grep -E '^Acquire::(https?::|Check-|Force)' |
  grep -v 'Auto-\?Detect' >"$scratch/apt.conf" || true
for scheme in http https; do
  proxy=$(printenv ${scheme}_proxy || true)
  [ -z "$proxy" ] || echo "Acquire::$scheme::Proxy \"$proxy\";" >>"$scratch/apt.conf"
done
include=
! grep -q https:// "$scratch/sources" || include=--include=ca-certificates

say "making a minimal root of Debian $release"
# shellcheck disable=SC2016,SC2086  # $1 is for mmdebstrap; no word where nothing is included
in_namespaces mmdebstrap --variant=minbase --mode=root --aptopt="$scratch/apt.conf" $include \
  --setup-hook='mkdir -p "$1/etc/apt/trusted.gpg.d" "$1/etc/ssl/certs" "$1/usr/local/share"' \
  --setup-hook='cp -n /etc/apt/trusted.gpg.d/* "$1/etc/apt/trusted.gpg.d/" 2>/dev/null || true' \
  --setup-hook='cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/" 2>/dev/null || true' \
  --setup-hook='cp -r /usr/local/share/ca-certificates "$1/usr/local/share/" 2>/dev/null || true' \
  --setup-hook='cp /etc/hosts "$1/etc/hosts"' \
  "$release" "$scratch/base.tar" "$scratch/sources" || cannot "mmdebstrap failed"

failed=0
# step NAME COMMAND: runs it in the clone in the present root, and notes how it went.
step() {
  say "$as: $1"
  begin=$(date +%s)
  status=0
  in_root "$tree" "$name" "$home" "cd rockcreek && $2" || status=$?
  tenths=$((($(date +%s) - begin + 3) / 6))
  printf '%-40s  %-4s  %6s  %7s\n' "$1" "$as" $status $((tenths / 10)).$((tenths % 10)) >>"$scratch/table"
  [ $status -eq 0 ] || {
    say "$as: '$1' failed with status $status"
    failed=1
  }
}

for as in $whom; do
  tree=$scratch/$as name=root home=/root commands="apps/quickstart.sh tests/run.sh"
  mkdir "$tree"
  tar -xpf "$scratch/base.tar" -C "$tree" --numeric-owner
  if [ "$as" = user ]; then
    in_root "$tree" root /root \
      'apt-get update && apt-get install -y sudo && apt-get clean && rm -rf /var/lib/apt/lists/*' ||
      cannot "sudo cannot be installed in the root"
    name=builder home=/home/builder commands="tests/run.sh apps/quickstart.sh"
    chroot "$tree" useradd --create-home --shell /bin/bash $name
    echo "$name ALL=(ALL) NOPASSWD: ALL" >"$tree/etc/sudoers.d/$name"
    chmod 440 "$tree/etc/sudoers.d/$name"
  fi
  git clone --quiet "$here" "$tree$home/rockcreek"
  chroot "$tree" chown -R "$name:" "$home/rockcreek"

  # shellcheck disable=SC2016  # for the shell in the root
  {
    check='said=$(sh apps/setup.sh --check 2>&1); status=$?; echo "$said"'
    step 'setup.sh --check names what is missing' \
      "{ $check"'; [ $status -eq 1 ] && echo "$said" | grep -q "Debian package"; }'
    if [ $quick = yes ]; then
      step 'sh apps/setup.sh --tests' 'sh apps/setup.sh --tests'
      step 'ctest --test-dir build -L smoke' \
        'ctest --test-dir build -L smoke --parallel "$(getconf _NPROCESSORS_ONLN)" --output-on-failure'
    else
      for script in $commands; do step "sh $script" "sh $script"; done
    fi
    step 'setup.sh --check is silent' \
      "{ $check"'; [ $status -eq 0 ] && [ -z "$said" ]; }'
  }
  [ $keep = yes ] || rm -rf "$tree"
done

printf '# commit %s on Debian %s\n%-40s  %-4s  %6s  %7s\n' "$commit" "$release" '# Command' As Status Minutes
cat "$scratch/table"
exit $failed
