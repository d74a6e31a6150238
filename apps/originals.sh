#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the applications of an RCCE distribution (Intel's RCCE 2.0 and trees like it) unedited, by
# their own Makefiles, with rccecc and rccerun, and prints a table: built, ran, verified by itself, chip time
# with the program's own computation, MFLOP/s as the program prints them, host time, and the host's processor
# seconds per second of chip time. No figure where the host took less than a tenth of a second: it counts in
# hundredths.
#
#   sh apps/originals.sh [options] DIR        DIR is the root of the distribution (it has apps/ and common/)
#
#   --only PATTERN   only rows whose name matches this shell pattern, as 'BT*' (may be given once)
#   --class LETTERS  classes of the NAS benchmarks to run, default SWA
#   --timeout N      host seconds per run, default 600
# --work DIR       build and run in DIR and keep it; default: a temporary folder, removed when everything
# succeeded
#   --bin DIR        where rccecc and rccerun are; default: build/bin beside this script, else $PATH
#
# XHPL needs a BLAS; `sh apps/setup.sh --with-blas` installs Debian's. Nothing is written to the distribution
# itself. Status: 0 when every application that is there was built, ran and passed its own verification; 1
# when one did not; 2 for a wrong command line.
set -u

usage() {
  sed -n '2,/^set -u/{/^set -u/d;s/^# \{0,1\}//p}' "$0"
}
fail() {
  echo "originals.sh: $*" >&2
  exit 2
}

only='*' classes=SWA limit=600 work= bin= tree=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --only | --class | --timeout | --work | --bin)
      [ $# -gt 1 ] || fail "option $1 needs a value"
      case $1 in
        --only) only=$2 ;;
        --class) classes=$2 ;;
        --timeout) limit=$2 ;;
        --work) work=$2 ;;
        --bin) bin=$2 ;;
      esac
      shift ;;
    -*) fail "unknown option '$1'; --help lists them" ;;
    *) [ -z "$tree" ] || fail "one distribution at a time: '$tree' and '$1' were given"; tree=$1 ;;
  esac
  shift
done
[ -n "$tree" ] || fail "name the root of an RCCE distribution; --help says more"
[ -d "$tree/apps" ] || fail "'$tree' has no folder apps; give the root of an RCCE distribution"
case $limit in '' | *[!0-9]*) fail "--timeout '$limit': give whole seconds" ;; esac

here=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "$bin" ]; then
  if [ -x "$here/build/bin/rccecc" ]; then bin=$here/build/bin
  elif command -v rccecc >/dev/null; then bin=$(dirname "$(command -v rccecc)")
  else fail "rccecc is neither in $here/build/bin nor in PATH; build first (sh apps/setup.sh) or use --bin"
  fi
fi
bin=$(cd "$bin" && pwd) || exit 2
for tool in rccecc rccerun; do
  [ -x "$bin/$tool" ] || fail "'$bin/$tool' is missing"
done

keep=yes
if [ -z "$work" ]; then
  work=$(mktemp -d "${TMPDIR:-/tmp}/originals.XXXXXX") || exit 2
  keep=no
fi
mkdir -p "$work/runs" "$work/logs" || exit 2
work=$(cd "$work" && pwd)
root=$work/tree

# --- what the distribution's own `configure` would do, in a copy --------------------------------------------
rm -rf "$root"
cp -R "$tree" "$root" || exit 2
chmod -R u+w "$root"
find "$root" \( -name configure -o -name runhpl -o -path '*/NPB/sys/print_*' \) -type f -exec chmod +x {} +
# Copies made without symbolic links hold the link's target as text; XHPL's Makefiles go through this one.
if [ -d "$root/apps/XHPL" ] && [ ! -d "$root/apps/hpl" ]; then
  rm -f "$root/apps/hpl"
  ln -s XHPL "$root/apps/hpl"
fi
symbols=$root/common/symbols
[ -f "$symbols.in" ] || cp "$symbols" "$symbols.in" 2>/dev/null ||
  fail "'$tree' has neither common/symbols.in nor common/symbols"
# A tree that somebody has configured or edited may still name their folder and the chip's compiler.
sed -e "s:^RCCEROOT *=.*:RCCEROOT=$root:" -e 's:^OMP_EMULATOR *=.*:OMP_EMULATOR=1:' \
  -e 's:^BAREMETAL *=.*:BAREMETAL=0:' \
  "$symbols.in" >"$symbols"
# The Makefiles want the library's archive as a file; rccecc reads the variant from its name.
mkdir -p "$root/bin/OMP"
for flags in bigflags smallflags; do
  for api in gory nongory; do
    for power in pwrmgmt nopwrmgmt; do
      printf '!<arch>\n' >"$root/bin/OMP/libRCCE_${flags}_${api}_$power.a"
    done
  done
done
# MKL, which the distribution expects, has the BLAS names without underscore; Debian's BLAS has the Fortran
# ones only.
mkdir -p "$work/blas"
for name in daxpy dcopy dgemm dgemv dger dscal dswap dtrsm dtrsv idamax; do
  echo "#define $name ${name}_"
done >"$work/blas/mkl_blas.h"
has_blas() {
  for file in libblas.so libblas.a; do
    [ "$("$bin/rccecc" -print-file-name=$file)" = $file ] || return 0
  done
  return 1
}
i=0
: >"$work/hosts"
while [ $i -lt 48 ]; do
  printf '%02d\n' $i >>"$work/hosts"
  i=$((i + 1))
done

# --- verification: each reads the output on standard input, its status is the verdict -----------------------
# $1: number of UEs, $2: first argument of the program
verify_hello() { [ "$(grep -c 'Hello from RCCE')" -eq "$1" ]; }
verify_pingpong() { awk '/^[0-9]+  [0-9.]+$/ { n++; if ($2 <= 0) bad = 1 } END { exit !(n > 60 && !bad) }'; }
verify_shift() { # after k shifts UE i holds what UE i-k had
  awk -v n="$1" -v k="$2" '/^Initial sum on UE/ { first[$5 + 0] = $7 } /^Final sum on UE/ {
    last[$5 + 0] = $7; seen++ }
    END { for (i = 0; i < n; i++) if (last[i] != first[((i - k) % n + n) % n]) bad = 1; exit !(seen == n &&
    !bad) }'
}
verify_successful() { grep -q 'run SUCCESSFUL'; }
verify_time() { grep -q 'Total time: *[0-9.]'; }
verify_share() { awk '/^Final sum on UE/ { n++; gsub(",", ""); if ($7 != $10) bad = 1 } END { exit !(n > 0 &&
  !bad) }'; }
verify_flush() {
  awk '/count_sender:/ { n++; s += $6; r += $8; if ($10 != 0 || $12 != 65536) bad = 1 }
    END { exit !(n >= 2 && s == 65536 && r == 131072 && !bad) }'
}
verify_fdiv() { awk '/^Requested fdiv:/ { n++; gsub(",", ""); if ($3 != (/vlevel/ ? $7 : $6)) bad = 1 } END {
  exit !(n > 0 && !bad) }'; }
verify_quiet() { ! grep -q -i 'fail\|error\|could not'; }
verify_npb() { grep -q 'Verification Successful'; }
verify_hpl() { awk '/PASSED/ { p++ } /FAILED/ { f++ } END { exit !(p > 0 && f == 0) }'; }

# --- rows ---------------------------------------------------------------------------------------------------
failures=0
now() { date +%s%N; }
seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b - a) / 1e9 }'; }

# Reads what `times` printed before and after a run, of which the second lines are those of the children.
host_per_chip() { # $1: seconds of chip time
  awk -v chip="$1" 'NR % 2 == 0 { split($1, u, /[ms]/); split($2, k, /[ms]/);
    t = u[1] * 60 + u[2] + k[1] * 60 + k[2] - t }
    END { if (chip > 0 && t >= 0.1) printf "%.2f", t / chip; else print "-" }'
}

line() { printf '%-26s %5s  %-6s %-6s %-9s %14s %10s %11s %26s\n' "$@"; }

# build NAME FOLDER BINARY WORDS-FOR-MAKE...: leaves the program in runs/NAME; remembers what was built
# already
build() {
  name=$1 folder=$2 binary=$3
  shift 3
  (
    cd "$root/apps/$folder" || exit 1
    rm -f "$binary"
    if [ -x ./configure ]; then ./configure || exit 1; fi
    make CCOMPILE="$bin/rccecc" "$@" && mkdir -p "$work/runs/$name" && cp "$binary" "$work/runs/$name/" ||
      exit 1
  ) >"$work/logs/$name.build" 2>&1
}

# row NAME FOLDER BINARY UES ARGUMENTS VERIFICATION OWN WORDS-FOR-MAKE...
#   OWN: "own" when the program verifies itself, "output" when this script checks what it prints
row() {
  name=$1 folder=$2 binary=$3 ues=$4 arguments=$5 verification=$6 own=$7
  shift 7
  # shellcheck disable=SC2254 # the pattern is meant as one
  case $name in $only) ;; *) return ;; esac
  [ -d "$root/apps/$folder" ] || return
  built=no ran=- verified=- chip=- own_figure=- host=- ratio=-
  if build "$name" "$folder" "$binary" "$@"; then
    built=yes ran=no
    prepare "$name"
    start=$(now)
    times >"$work/times"
    # shellcheck disable=SC2086 # arguments are words
    (cd "$work/runs/$name" && timeout -k 5 "$limit" "$bin/rccerun" -nue "$ues" -f "$work/hosts" \
      --statistics="$work/logs/$name.csv" --force "./${binary##*/}" $arguments) \
      >"$work/logs/$name.out" 2>"$work/logs/$name.err" </dev/null
    status=$?
    times >>"$work/times"
    host=$(seconds "$start" "$(now)")
    chip=$(sed -n 's/^run[.]simulated_time,,us,//p' "$work/logs/$name.csv" 2>/dev/null |
      awk '{ t = $1 } END { if (t == "") print "-"; else printf "%.6f", t / 1e6 }')
    own_figure=$(sed -n 's|^ *Mop/s total *= *||p' "$work/logs/$name.out" | tail -n 1)
    ratio=$(host_per_chip "$chip" <"$work/times")
    if [ $status -eq 0 ]; then ran=yes
    elif [ $status -eq 124 ]; then ran=late
    else ran="$status"
    fi
    [ $ran = yes ] || chip=- ratio=- # how far it came says nothing
    if [ $ran = yes ]; then
      if "verify_$verification" "$ues" "${arguments%% *}" <"$work/logs/$name.out"; then
        if [ "$own" = own ]; then verified=yes; else verified=output; fi
      else
        verified=NO
      fi
    fi
  elif grep -q "No rule to make target '[^']*'\.  Stop" "$work/logs/$name.build"; then
    return # this distribution does not have the program
  fi
  case $built-$ran-$verified in
    yes-yes-yes | yes-yes-output) ;;
    *) failures=$((failures + 1)); keep=yes ;;
  esac
  line "$name" "$ues" "$built" "$ran" "$verified" "$chip" "${own_figure:--}" "$host" "$ratio"
}

# Input files that a program wants in its working directory.
prepare() {
  case $1 in
    XHPL*) find "$root/apps/XHPL" -name HPL.dat -exec cp {} "$work/runs/$1/" \; ;;
  esac
}

line program UEs built ran verified 'chip time (s)' 'MFLOP/s' 'host (s)' 'host s/s of the chip'
row HELLO HELLO hello 48 '' hello output hello
row PINGPONG PINGPONG pingpong 2 10 pingpong output pingpong
row PINGPONG-xt PINGPONG pingpong-xt 2 10 pingpong output pingpong-xt
row SHIFT-cshift SHIFT cshift 48 5 shift output API=gory cshift
row SHIFT-csimshift SHIFT csimshift 48 5 shift output csimshift
row STENCIL-gory STENCIL stencil 4 '' time output API=gory stencil
row STENCIL-synch-4 STENCIL stencil_synch 4 10 successful own clean stencil_synch
row STENCIL-synch-16 STENCIL stencil_synch 16 100 successful own clean stencil_synch
row STENCIL-synch-48 STENCIL stencil_synch 48 1000 successful own clean stencil_synch
# As in the distribution's stress test: the object of the first compile is linked with the other flag mode's
# archive.
row STENCIL-synch-smallflags STENCIL stencil_synch 48 1000 successful own SINGLEBITFLAGS=1 stencil_synch
row STENCIL-pstencil STENCIL pstencil 48 '' quiet output PWRMGMT=1 clean pstencil
row STENCIL-power_reset STENCIL power_reset 48 '' quiet output PWRMGMT=1 clean power_reset
row STENCIL-Fdiv STENCIL Fdiv 48 4 fdiv output PWRMGMT=1 clean Fdiv
row STENCIL-FV STENCIL FV 48 3 fdiv output PWRMGMT=1 clean FV
row SHARE SHARE share 4 '1024 4' share own share
row FLUSH FLUSH test_cacheable 2 '' flush output test_cacheable
row ECOQ ECOQ eco_q 48 '4 4 16' quiet output PWRMGMT=1 eco_q
for class in S W A; do
  case $classes in *$class*) ;; *) continue ;; esac
  case $class in S) bt=4 lu=4 ;; W) bt=16 lu=8 ;; A) bt=16 lu=16 ;; esac
  row "BT-$class-$bt" NPB "BT/bt.$class.$bt" $bt '' npb own bt CLASS=$class NPROCS=$bt
  row "LU-$class-$lu" NPB "LU/lu.$class.$lu" $lu '' npb own lu CLASS=$class NPROCS=$lu
done
# shellcheck disable=SC2254
case XHPL in $only)
  if [ -d "$root/apps/XHPL" ] && ! has_blas; then
    echo "originals.sh: XHPL needs a BLAS, and there is no libblas; 'sh apps/setup.sh --with-blas' installs \
libblas-dev" >&2
  fi ;;
esac
row XHPL XHPL bin/ia32/xhpl 4 '' hpl own LAinc="-I$work/blas" LAlib=-lblas

# Whatever else lies below apps has no usual arguments that could be known here; it is built by its default
# target.
for folder in "$root"/apps/*/; do
  name=$(basename "$folder")
  case $name in HELLO | PINGPONG | SHIFT | STENCIL | SHARE | FLUSH | ECOQ | NPB | XHPL | hpl) continue ;; esac
  # shellcheck disable=SC2254
  case $name in $only) ;; *) continue ;; esac
  [ -f "$folder/Makefile" ] || continue
  if (cd "$folder" && make CCOMPILE="$bin/rccecc") >"$work/logs/$name.build" 2>&1; then built=yes; else
    built=no failures=$((failures + 1)) keep=yes
  fi
  line "$name" - $built - - - - - -
done

echo
echo "verified: 'yes' by the program itself; 'output' where it has no check and its output was checked here"
if [ $failures -gt 0 ]; then
  echo "$failures of the rows above failed; logs: $work/logs"
  exit 1
fi
if [ $keep = no ]; then rm -rf "$work"; else echo "kept: $work"; fi
exit 0
