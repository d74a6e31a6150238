# SPDX-License-Identifier: Apache-2.0
# arrows.sh ROOT: includes between the folders of rcce_emu/src lead downwards, in the order of its README; libraries on top
# of it include nothing of it but the headers that the README of src/api/ names.
set -eu
root=$(cd "$1" && pwd)
# Lowest first. `data`: ue.hpp, job_state.hpp and what else lies beside job.cpp; `job`: job.cpp, start.cpp, job_guard, job_images.
order="host engine data heap image process run libc check explore api record launcher job"

files=$(cd "$root/rcce_emu/src" && find . -name '*.[ch]pp' | sed 's|^\./||' | grep -v -e '^compiler/' -e '^image/part/' | sort)
[ "$(echo "$files" | wc -l)" -gt 100 ] || { echo "no sources in $root/rcce_emu/src"; exit 1; }
cd "$root/rcce_emu/src"
# shellcheck disable=SC2086
awk -v order="$order" '
  function folder(path,  stem) {
    if (path ~ /\//) return substr(path, 1, index(path, "/") - 1)
    stem = path; sub(/\..*/, "", stem)
    return stem ~ /^(job|start|job_guard|job_images)$/ ? "job" : "data"
  }
  BEGIN { count = split(order, names, " "); for (i = 1; i <= count; ++i) level[names[i]] = i }
  /^#include "/ {
    split($0, words, "\""); path = words[2]
    if (path ~ /^(mesh_sim|rcce_emu|rcce)\//) next
    from = folder(FILENAME)
    if (path !~ /\// && (getline line < path) < 0) path = from "/" path # beside it
    to = folder(path)
    if (!(from in level) || !(to in level)) {
      printf "%s: folder %s or %s has no place in the order; give it one in rcce_emu/README.md and here\n", FILENAME, from, to
      bad = 1
    } else if (level[to] > level[from]) {
      printf "%s: includes %s, and %s stands above %s\n", FILENAME, path, to, from
      bad = 1
    }
  }
  END { exit bad }
' $files
# The README says the same order.
readme=$(sed -n 's/^    \(host -> .*\)$/\1/p' "$root/rcce_emu/README.md" | sed 's/ -> / /g')
[ "$readme" = "$order" ] || { echo "rcce_emu/README.md gives another order: $readme"; exit 1; }
# Libraries on top.
interface=$(sed -n 's/^    \(call .*\)$/\1/p' api/README.md)
[ -n "$interface" ] || { echo "rcce_emu/src/api/README.md names no headers for libraries on top"; exit 1; }
cd "$root/ircce/src"
for include in $(sed -n 's/^#include "\(.*\)"/\1/p' ./*.[ch]pp | sort -u); do
  case $include in ircce/*|rcce/*|rcce_emu/*|mesh_sim/*) continue ;; esac
  [ ! -e "$include" ] || continue
  header=${include#api/}
  case " $interface " in
    *" ${header%.hpp} "*) [ "$header" != "$include" ] || { echo "ircce/src: $include is none of its own"; exit 1; } ;;
    *) echo "ircce/src includes $include, which rcce_emu/src/api/README.md does not name for libraries on top"; exit 1 ;;
  esac
done
