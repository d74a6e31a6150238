#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The wheel of apps/package.sh, which packages.sh has made. pip installs it without a network, where nothing
# of the tree is to be seen. Its commands give what those of the build give, and need no library that a host
# may lack. Removed, it leaves no file (pip leaves empty folders).
# sh tests/consumer/wheel.sh BUILD_DIR FOLDER_OF_PACKAGES; status 77 where no wheel can be made.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
fail() {
  echo "wheel: $*"
  exit 1
}
version=$(sed -n 's/^project(rockcreek VERSION \([^ ]*\).*/\1/p' "$source/CMakeLists.txt")
scratch=$(mktemp -d) # not in the tree, which will be hidden
trap 'rm -rf "$scratch"' EXIT
cp "$2"/rockcreek-*.whl "$scratch/" 2>/dev/null || # packages.sh was skipped: there is no dpkg
  ROCKCREEK_BUILD=$build sh "$source/apps/python/wheel.sh" "$scratch" || exit $?
wheel=$(echo "$scratch"/rockcreek-*.whl)
case $wheel in
"$scratch/rockcreek-$version-py3-none-manylinux_2_"[0-9][0-9]"_$(uname -m).whl") ;;
*) fail "not of version $version, or for no known hosts: $wheel" ;;
esac
# As old a C library as the page Install says; of the build host's the wheel may need less.
glibc=$(echo "$wheel" | sed 's/.*manylinux_2_\([0-9]*\)_.*/\1/')
promised=$(sed -n 's/.*glibc 2\.\([0-9]*\) or newer.*/\1/p' "$source/apps/INSTALL.md")
[ "$glibc" -le "$promised" ] || fail "needs glibc 2.$glibc; the page Install says 2.$promised"
for python in python3 /usr/bin/python3; do
  if "$python" -m pip --version >/dev/null 2>&1 && "$python" -c 'import venv' 2>/dev/null; then break; fi
done

# The module works as it lies in the wheel, with commands from elsewhere.
PYTHONPATH=$wheel ROCKCREEK_BIN=$build/bin "$python" -c '
import pkgutil, rockcreek
assert ".whl" in rockcreek.__file__, rockcreek.__file__
assert pkgutil.get_data("rockcreek", "py.typed") is not None
assert rockcreek.version()' || fail "the module cannot be imported out of the wheel"

# README's first program, and what the build makes of it.
awk '/^```c$/ { inside = 1; next } inside && /^```/ { exit } inside' "$source/README.md" >"$scratch/shift.c"
charts=$(sed -n 's/^ROCKCREEK_UPLOT:PATH=//p' "$build/CMakeCache.txt")
[ -e "$charts/uPlot.iife.min.js" ] || { charts=; echo 'left out: reports, since the build has no uPlot'; }
cat >"$scratch/use.sh" <<'EOF'
# use.sh PREFIX FOLDER: what a user does, in that folder
set -eu
mkdir -p "$2" && cd "$2"
PATH=$1/bin:$PATH
rccecc -O2 ../shift.c -o shift
rccerun -nue 48 --digest ./shift >run 2>&1
rccebench compare --cores 4 --sizes 32,8192 ${CHARTS:+--report page.html} >compare
rcceinfo mesh.router_cycles >info
rccec++ --version | head -n 1 >version
EOF
CHARTS=$charts sh "$scratch/use.sh" "$build" "$scratch/expected"
grep -q 'UE  0: 1 message from UE 47' "$scratch/expected/run" || fail "$(cat "$scratch/expected/run")"

cat >"$scratch/stranger.sh" <<'EOF'
set -eu
"$PYTHON" -m venv --without-pip "$SCRATCH/venv"
find "$SCRATCH/venv" -type f | sort >"$SCRATCH/before"
pip() { "$PYTHON" -m pip --disable-pip-version-check --python "$SCRATCH/venv/bin/python" "$@"; }
pip install -q --no-index --no-compile "$WHEEL"
[ ! -e "$SOURCE/README.md" ] || echo 'left out: hiding the tree, since unshare is not allowed to'
CHARTS=$CHARTS sh "$SCRATCH/use.sh" "$SCRATCH/venv" "$SCRATCH/used"
cd "$SCRATCH"
# The module finds the commands beside its Python.
venv/bin/python -B -c 'import rockcreek; print(rockcreek.version())' >used/module
# Every library is one that each host with that C library has, or lies in the wheel.
find venv/bin venv/lib venv/libexec used -type f \
  \( -path '*/bin/rcc*' -o -name '*.so*' -o -path '*/libexec/*' -o -name shift \) |
  while read -r file; do
    ldd "$file" 2>/dev/null | grep '=>' | sed "s|^|$file: |" | grep -vE \
      "=> $SCRATCH/venv/|=> (/usr)?/lib[^ ]*/(libc|libm|libstdc\+\+|libgcc_s)\.so\.[0-9]* "
  done >faults || :
for name in venv/lib/rockcreek/bundled/*; do
  name=$(basename "${name%%.so*}" | tr _ -)
  ls venv/lib/python*/site-packages/rockcreek-*/LICENSE."$name"* >/dev/null 2>&1 ||
    echo "$name: its licence is not in the wheel" >>faults
done
cmp -s venv/lib/python*/site-packages/rockcreek-*/LICENSE LICENSE || echo 'no licence of ours' >>faults
for page in man1/rccecc.1 man1/rccerun.1 man1/rccebench.1 man3/RCCE_send.3; do
  [ -e venv/share/man/$page ] || echo "no $page" >>faults
done
# C++ projects: headers and -lrcce.
venv/bin/rccebench barrier --machine host --cores 2 \
  --with venv/share/rockcreek/programs/my_barrier.cpp >own.out
echo 'int main() { return 0; }' | PKG_CONFIG_PATH=venv/lib/pkgconfig sh -c '
  ${CXX:-c++} -x c++ - -Wl,--no-as-needed $(pkg-config --cflags --libs rockcreek) -o linked && ./linked'
# Without a compiler the first run says what to install.
if [ -n "$HIDDEN" ]; then
  [ ! -e "$CLANG" ] || mount --bind /dev/null "$(readlink -f "$CLANG")"
  PATH=/nowhere venv/bin/rccecc shift.c 2>compiler || :
  grep -q 'apt install clang' compiler || cat compiler >>faults
fi
pip uninstall -q -y rockcreek
find "$SCRATCH/venv" -type f | sort | diff before - >>faults || :
EOF
cp "$source/LICENSE" "$scratch/"
export SCRATCH="$scratch" WHEEL="$wheel" PYTHON="$python" SOURCE="$source" CHARTS="$charts" HIDDEN=
CLANG=$(sed -n 's/^ROCKCREEK_CLANG:FILEPATH=//p' "$build/CMakeCache.txt")
export CLANG
cd "$scratch"
if unshare -rmn true 2>/dev/null; then
  # shellcheck disable=SC2016  # for the shell in there
  HIDDEN=1 unshare -rmn sh -c '
    mount -t tmpfs none "$SOURCE" && { [ ! -d "$0" ] || mount -t tmpfs none "$0"; } &&
      exec sh "$SCRATCH/stranger.sh"' "$build" || fail "it does not work without the tree"
else
  sh "$scratch/stranger.sh" || fail "it does not work"
fi
[ ! -s faults ] || fail "$(cat faults)"
for file in run compare info version; do
  diff expected/$file used/$file || fail "the wheel's commands say something else: $file"
done
grep -q "$version" used/module || fail "the module does not find its commands"
[ -z "$charts" ] || cmp expected/page.html used/page.html || fail "the wheel's report is another"
