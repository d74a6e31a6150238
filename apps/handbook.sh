#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The handbook: every page of the tree as a site that works from the file system, with search, manual pages,
# the interfaces of C, C++ and Python, and the reports of the runs that the pages show.
#
# sh apps/handbook.sh [--quick] [FOLDER]    into FOLDER, build/handbook where none is given; begin with its
# index.html
#
# It takes a tree that is built (ROCKCREEK_BUILD names another folder than build), and what `sh apps/setup.sh
# --with-handbook` installs. Status 77: that is not here. The reproductions take minutes the first time, and
# are then kept in build/handbook-cache; --quick leaves out the long ones.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
say() { printf 'handbook: %s\n' "$*" >&2; }
publications="dynamic-reduction fork-join nic-reduction thesis xeon-phi"
if [ "${1-}" = --quick ]; then
  publications="fork-join xeon-phi"
  shift
fi
case ${1-} in
-*) say "'$1' is no folder; usage: sh apps/handbook.sh [--quick] [FOLDER]"; exit 2 ;;
esac
[ $# -le 1 ] || { say "one folder at most, not $#; usage: sh apps/handbook.sh [--quick] [FOLDER]"; exit 2; }
build=${ROCKCREEK_BUILD-$root/build}
mkdir -p "${1-$build/handbook}"
out=$(cd "${1-$build/handbook}" && pwd)

generator=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rockcreek/handbook-$(sed -n 's/^mkdocs-material==//p' \
  "$root/apps/handbook/requirements.txt")
PYTHONPATH=$generator
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE
missing=
for tool in doxygen mandoc; do command -v $tool >/dev/null || missing="$missing $tool"; done
python3 -c 'import material, mkdocstrings_handlers.python' 2>/dev/null || missing="$missing mkdocs-material"
[ -e "$generator/iframe-worker.js" ] || missing="$missing iframe-worker"
[ -z "$missing" ] || { say "not here:$missing (sh apps/setup.sh --with-handbook installs them)"; exit 77; }
[ -x "$build/bin/rccebench" ] ||
  { say "there is no '$build/bin/rccebench'; build the commands first (sh apps/setup.sh)"; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/reports" "$scratch/stage"

# Reports, where this build draws them: those of the commands that a page shows, and a reproduction's in its
# page.
cd "$root"
if grep -q '^ROCKCREEK_UPLOT:PATH=.*/' "$build/CMakeCache.txt"; then
  page=apps/course/guide/read_the_report.md
  mkdir -p "$scratch/reports/$page"
  BIN=$build/bin WORK=$scratch/reports/$page sh tests/support/page.sh $page ||
    say "$page shows other output than its commands print"
  for name in $publications; do
    page=apps/rccebench/publications/$name/README.md
    mkdir -p "$scratch/reports/$page"
    # By short names: a report shows the command that made it.
    mkdir -p "$build/handbook-cache"
    ln -s "$build/handbook-cache" "$scratch/reports/$page/cache"
    (cd "$scratch/reports/$page" && "$build/bin/rccebench" reproduce "$name" --cache cache \
      --report reproduction.html) \
      >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
    rm "$scratch/reports/$page/cache"
  done
else
  say "no reports: this build draws none"
fi

mkdir "$scratch/stage/interfaces"
version=$(sed -n 's/^project(rockcreek VERSION \([^ ]*\).*/\1/p' CMakeLists.txt)
(
  cat apps/handbook/Doxyfile
  echo "PROJECT_NUMBER = $version"
  echo "INPUT = rcce_emu/include ircce/include algorithms/include mesh_sim/include"
  echo "OUTPUT_DIRECTORY = $scratch/stage/interfaces"
) | doxygen - 2>&1 | tee "$scratch/log" >&2
[ ! -s "$scratch/log" ] || { say "doxygen has complaints"; exit 1; }
# Doxygen 1.9 links to a list of inner classes also where all of them are private and there is no list.
grep -l '"#nested-classes"' "$scratch"/stage/interfaces/*.html | xargs grep -L 'name="nested-classes"' |
  xargs -r sed -i '/<a href="#nested-classes">/d'

cp "$generator/iframe-worker.js" "$scratch/stage/"
python3 apps/handbook/pages.py . "$scratch/reports" "$scratch/stage" "$build/share/man"
HANDBOOK_PAGES=$scratch/stage HANDBOOK_PYTHON=$root/apps/python python3 -m mkdocs build --strict \
  -f apps/handbook/mkdocs.yml -d "$out" \
  >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; } # --quiet would also keep warnings from counting
# Not needed: what debuggers of scripts and search engines read, and how words of other languages are found.
find "$out" -name '*.map' -delete
rm -f "$out"/sitemap.xml*
rm -rf "$out/assets/javascripts/lunr"
cp "$generator"/mkdocs_material-*.dist-info/licenses/LICENSE "$out/assets/" # of what lies there
