#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One version everywhere, with a date; the licence of every file is stated (packages.sh asks `reuse lint`).
# sh tests/consumer/release.sh BUILD_DIR
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
status=0
fault() {
  echo "release: $*"
  status=1
}
version=$(sed -n 's/^project(rockcreek VERSION \([^ ]*\).*/\1/p' "$source/CMakeLists.txt")
revision=$(sed -n 's/^set(ROCKCREEK_MODEL_REVISION \([0-9]*\))/\1/p' "$source/CMakeLists.txt")

# The newest release of the changelog, "## 0.1.0 (2026-11-22), model revision 4"; above it may stand what is
# not released yet.
heading=$(grep -m 1 '^## [0-9.]* ([0-9-]*), model revision [0-9]*$' "$source/CHANGELOG.md") ||
  fault "CHANGELOG.md has no dated release"
date=$(echo "$heading" | sed 's/.*(\(.*\)).*/\1/')
[ "$heading" = "## $version ($date), model revision $revision" ] ||
  fault "CMakeLists.txt has $version, model revision $revision; CHANGELOG.md '$heading'"
echo "$date" | grep -qE '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' || fault "'$date' is no date"
grep -qx "version: $version" "$source/CITATION.cff" || fault "CITATION.cff is not of $version"
grep -qx "date-released: $date" "$source/CITATION.cff" || fault "CITATION.cff is not of $date"
grep -q "Model revision $revision\.$" "$source/CITATION.cff" ||
  fault "CITATION.cff is not of model revision $revision"
for command in rccerun rccecc rccebench; do
  "$build/bin/$command" --version | grep -qF "$version" || fault "$command --version is not $version"
done
grep -q "^set(CPACK_PACKAGE_VERSION \"$version\")" "$build/CPackConfig.cmake" ||
  fault "packages are not of $version"

# What a run leaves in the root of the tree must not go into it.
if git -C "$source" rev-parse >/dev/null 2>&1; then
  for entry in $(git -C "$source" ls-files | sed 's|/.*||' | sort -u); do
    case $entry in
      CMakeLists.txt | CMakePresets.json | README.md | CHANGELOG.md | CITATION.cff | CONTRIBUTING.md | \
        SECURITY.md | REUSE.toml) ;;
      LICENSE | LICENSES | .ci | .clang-format | .clang-tidy | .git* | rcce_emu | ircce | algorithms | \
        mesh_sim | apps | tests) ;;
      *) fault "$entry does not belong into the top level" ;;
    esac
  done
fi

# Licence: the whole tree's. reuse is not to read the patterns as statements. REUSE-IgnoreStart
licence=$(sed -n 's/^SPDX-License-Identifier = "\(.*\)"/\1/p' "$source/REUSE.toml" | head -n 1)
cmp "$source/LICENSES/$licence.txt" "$source/LICENSE" || fault "LICENSES/$licence.txt is not LICENSE"
grep -qx "license: $licence" "$source/CITATION.cff" || fault "CITATION.cff has another licence than $licence"
grep -q "^Rockcreek itself: $licence\." "$source/apps/package/dependencies.md" ||
  fault "dependencies.md has another licence than $licence"
grep -q '^path = "\*\*"$' "$source/REUSE.toml" || fault "REUSE.toml does not speak of every file"
bare=$(find "$source/algorithms" "$source/apps" "$source/ircce" "$source/mesh_sim" "$source/rcce_emu" \
  "$source/tests" \
  \( -type d \( -name originals_tree -o -name node_modules -o -name 'build*' \) \) -prune -o -type f \
  \( -name '*.[ch]pp' -o -name '*.h' -o -name '*.sh' -o -name '*.py' -o -name '*.js' -o -name '*.cmake' -o \
  -name CMakeLists.txt \) -print |
  while read -r file; do
    head -n 2 "$file" | grep -q "SPDX-License-Identifier: $licence" || echo "$file"
  done)
[ -z "$bare" ] || fault "no line 'SPDX-License-Identifier: $licence' at the head of $bare"
# REUSE-IgnoreEnd
exit $status
