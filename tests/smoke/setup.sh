# SPDX-License-Identifier: Apache-2.0
# What setup.sh --check says where clang's runtime is missing, where clang itself is, and where both are
# there.
failed=0
fail() {
  echo "$*"
  cat err
  failed=1
}
check() { # its words to err, its status to $status
  status=0
  PATH=$WORK/tools "$shell" "$SOURCE/apps/setup.sh" --check 2>err || status=$?
}
shell=$(command -v sh)

# A machine with nothing but what the script itself is written with.
rm -rf tools
mkdir tools
for tool in cut dirname id mktemp rm sed; do ln -s "$(command -v $tool)" tools || exit 1; done

check
[ $status -eq 1 ] || fail "nothing there: status $status"
for package in cmake ninja-build g++ clang libclang-rt-dev make pkg-config; do
  grep -q "(Debian package $package)" err || fail "nothing there: $package is not named"
done

# A clang of a version of its own that cannot link what -fsanitize= needs, then one that can.
cat >tools/clang <<'SH'
case "$*" in
-dumpversion) echo 77.0.1 ;;
*-fsanitize=undefined*) exit 1 ;;
esac
SH
sed -i "1i#!$shell" tools/clang
chmod +x tools/clang
check
[ $status -eq 1 ] || fail "no runtime: status $status"
grep -q '(Debian package libclang-rt-77-dev)' err || fail 'no runtime: not named with the version of clang'
sed -i 's/exit 1/exit 0/' tools/clang
check
grep -q 'libclang-rt' err && fail 'with runtime: named all the same'
grep -q '(Debian package cmake)' err || fail 'with runtime: the rest is no longer named'
exit $failed
