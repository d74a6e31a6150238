# SPDX-License-Identifier: Apache-2.0
# arrows.sh ROOT: who includes whom. Top folders include only those below them. Their rooms have no cycles,
# nor have the folders of one room; include/ and src/ of a room are one, and a public header counts at the
# room that implements it. The rooms of rcce_emu stand on floors, which include only lower ones, in the order
# of its README, and of these only headers that the README of their floor names: its doors. Libraries on top
# include what the README of src/library/protocol/ names. Floors and rooms have at most 40 arrows.
# Every quoted include is found, and none is skipped. Each room says in a README of at most 45 lines what is
# in it; that of engine/mpi is longer. `-v` as a second word prints all arrows.
set -eu
root=$(cd "$1" && pwd)
cd "$root"
order="apps algorithms ircce rcce_emu mesh_sim" # top folders, each may include those behind it
# Public headers of rcce_emu without a source of their name, and the room that they belong to.
headers="engine.hpp=engine engine_options.hpp=engine job_memory.hpp=engine environment.hpp=engine/host
  launched.hpp=engine/host version.hpp=engine/host error_strings.h=engine/rcce image.h=engine/rcce
  substitutes.h=engine/rcce temporary_folder.hpp=front/compiler instruction_costs.hpp=front/compiler
  private_copy.hpp=engine/ue job_options.hpp=engine/ue library_options.hpp=engine/ue
  process_options.hpp=engine/ue output_options.hpp=engine/ue record_options.hpp=engine/ue
  interference_options.hpp=engine/ue job_result.hpp=engine/ue statuses.hpp=engine/ue"

# The floors of rcce_emu, lowest first, and their doors.
floors=$(sed -n 's/^    \(engine -> .*\)$/\1/p' rcce_emu/README.md | sed 's/ -> / /g')
[ -n "$floors" ] || { echo "rcce_emu/README.md gives no order of its floors"; exit 1; }
doors=$(for floor in $floors; do
  sed -n 's/^    \([a-z.]*\): /\1 /p' "rcce_emu/src/$floor/README.md" | while read -r room names; do
    for name in $names; do
      [ "${name%.h}" != "$name" ] || name=$name.hpp
      [ "$room" = . ] && echo "$floor/$name" || echo "$floor/$room/$name"
    done
  done
done)
# What libraries on top of it may include of its sources.
interface=$(sed -n 's/^    \(call .*\)$/\1/p' rcce_emu/src/library/protocol/README.md)
[ -n "$interface" ] || { echo "rcce_emu/src/library/protocol/README.md names no headers for libraries on top"
  exit 1; }

files=$(find mesh_sim/include mesh_sim/src rcce_emu/include rcce_emu/src ircce/include ircce/src \
  algorithms/include algorithms/src \
  algorithms/lab apps/rccebench -name '*.[ch]pp' -o -name '*.[ch]' | sort)
[ "$(echo "$files" | wc -l)" -gt 700 ] || { echo "no sources in $root"; exit 1; }
status=0
# shellcheck disable=SC2086
said=$({ echo "$files" | sed 's/^/file /'; grep -HE '^ *# *include "' $files |
  sed 's/^\([^:]*\): *# *include "\([^"]*\)".*/include \1 \2/'; } |
  awk -v order="$order" -v headers="$headers" -v in_order="$floors" -v interface="$interface" \
  -v doors="$doors" -v verbose="${2-}" -v most=40 '
  function wrong(text) { print text; bad = 1 }
  function folder(path) { return path ~ /\// ? substr(path, 1, match(path, /\/[^\/]*$/) - 1) : "." }
  function stem(path) { sub(/^.*\//, "", path); sub(/\..*$/, "", path); return path }
  function room(path,  name, top) {
    if (path ~ /^rcce_emu\/include\/rcce_emu\//) {
      name = substr(path, length("rcce_emu/include/rcce_emu/") + 1)
      if (name in of_header) return "rcce_emu/" of_header[name]
      return "rcce_emu/" (stem(name) in implemented ? implemented[stem(name)] : "?" name)
    }
    top = path; sub(/\/.*/, "", top)
    path = folder(path)
    sub(/^rcce_emu\/include\//, "rcce_emu/engine/", path)
    sub(/^ircce\/include\/ircce/, "ircce/headers", path)
    sub("^" top "/(include/" top "|include|src)", top, path)
    return path
  }
  # The two are told apart by the first folder in which they differ: rooms, or folders of one room. "." has
  # the files that lie beside the folders.
  function add_arrow(a, b, why,  one, other, i, n, m) {
    n = split(a, one, "/"); m = split(b, other, "/")
    a = one[1]; b = other[1]
    for (i = 2; i <= n && i <= m && one[i] == other[i]; ++i) { a = a "/" one[i]; b = b "/" other[i] }
    a = a "/" (i > n ? "." : one[i]); b = b "/" (i > m ? "." : other[i])
    rooms[a]; rooms[b]
    if (!((a, b) in arrow)) { arrow[a, b] = why; ++out[a] }
  }
  function found(from, path,  i, way) {
    for (i = 0; i <= roots; ++i) {
      way = (i == 0 ? folder(from) : root_of[i]) "/" path
      while (sub(/[^\/.]+\/\.\.\//, "", way)) {}
      if (way in known) return way
    }
    return ""
  }
  BEGIN {
    count = split(order, names, " "); for (i = 1; i <= count; ++i) level[names[i]] = count - i
    split(headers, pairs, /[ \n]+/); for (i in pairs) { split(pairs[i], pair,
        "="); of_header[pair[1]] = pair[2] }
    count = split(in_order, names, " "); for (i = 1; i <= count; ++i) place[names[i]] = i
    count = split(doors, names, /[ \n]+/); for (i = 1; i <= count; ++i) door["rcce_emu/src/" names[i]] = 0
    count = split(interface, names, " ")
    for (i = 1; i <= count; ++i) allowed["rcce_emu/src/library/protocol/" names[i] ".hpp"]
    roots = split("mesh_sim/include mesh_sim/src rcce_emu/include rcce_emu/src rcce_emu/include/rcce " \
                  "ircce/include/ircce ircce/src algorithms/include algorithms algorithms/src " \
                  "algorithms/lab apps/rccebench", root_of, " ")
  }
  $1 == "file" {
    known[$2] = 1
    if ($2 ~ /^rcce_emu\/src\/.*\.cpp$/ && !($2 ~ /\/(mpi|libc)\//))
      implemented[stem($2)] = substr(folder($2), length("rcce_emu/src/") + 1)
    next
  }
  {
    to = $3 == "rcce_emu/version.hpp" ? "rcce_emu/include/" $3 : found($2, $3)
    if (to == "") { # of others, or made while building
      if ($3 !~ /^(llvm|valgrind|Eigen)\/|[.]inc$/) wrong($2 ": where is " $3 "?")
      next
    }
    a = room($2); b = room(to)
    if (a ~ /\?/ || b ~ /\?/) wrong($2 ": " $3 " belongs to no room; name it in tests/shape/arrows.sh")
    top_a = a; sub(/\/.*/, "", top_a); top_b = b; sub(/\/.*/, "", top_b)
    if (level[top_a] < level[top_b]) wrong($2 ": includes " $3 ", and " top_b " stands above " top_a)
    if (top_a == "ircce" && to ~ /^rcce_emu\/src\// && !(to in allowed))
      wrong($2 ": includes " $3 ", which rcce_emu/src/library/protocol/README.md does not name for libraries")
    if (top_a == "rcce_emu" && top_b == top_a) {
      split(a, one, "/"); split(b, other, "/")
      if (place[one[2]] < place[other[2]])
        wrong($2 ": includes " $3 ", and floor " other[2] " stands above " one[2])
      if (one[2] != other[2] && to ~ /^rcce_emu\/src\// && !(to in door))
        wrong($2 ": includes " $3 ", no door of floor " other[2] " (rcce_emu/src/" other[2] "/README.md)")
      if (one[2] != other[2]) ++door[to]
    }
    if (a != b && top_a == top_b) add_arrow(a, b, $2 " includes " $3)
  }
  END {
    # Rooms that include no other, or that no other includes, are taken away: what is left stands in cycles.
    for (key in arrow) { split(key, ends, SUBSEP); ++in_of[ends[2]] }
    do {
      taken = 0
      for (a in rooms) if (!(a in gone) && (out[a] + 0 == 0 || in_of[a] + 0 == 0)) {
        gone[a]; ++taken
        for (key in arrow) {
          split(key, ends, SUBSEP)
          if (ends[2] == a) --out[ends[1]]
          if (ends[1] == a) --in_of[ends[2]]
        }
      }
    } while (taken)
    for (key in arrow) {
      split(key, ends, SUBSEP)
      if (verbose == "-v") print ends[1] " -> " ends[2]
      if (!(ends[1] in gone) && !(ends[2] in gone))
        wrong("in a cycle: " ends[1] " -> " ends[2] ": " arrow[key])
    }
    for (key in arrow) {
      split(key, ends, SUBSEP)
      if (split(ends[1], one, "/") <= 3 && one[1] == "rcce_emu") ++ours
    }
    if (ours > most) wrong("rcce_emu: " ours " arrows between its floors and rooms; at most " most)
    for (path in door) if (door[path] == 0) wrong(path ": no other floor includes it; it is no door")
    exit bad
  }') || status=1
[ -z "$said" ] || echo "$said" | sort
for room in $(echo "$files" | sed -nE \
  's#^(rcce_emu)/src/([a-z_]*/[a-z_]*)/.*#\1 \2#p; s#^([a-z_]*)/(include/\1|src)/([a-z_]*)/.*#\1 \3#p
   s#^(apps/rccebench|algorithms)/([a-z]*)/.*#\1 \2#p' |
  grep -v ' include$\| src$\| rcce_emu$\| engine/mpi$' | sort -u | tr ' ' '/'); do
  top=${room%%/*} name=${room#*/}
  readme=
  for folder in "$top/include/$top/$name" "$top/include/$name" "$top/src/$name" "$room"; do
    [ ! -f "$folder/README.md" ] || readme=$folder/README.md
  done
  if [ -z "$readme" ] || [ "$(wc -l <"$readme")" -gt 45 ]; then
    echo "room $room: it wants a README of 1 to 45 lines: ${readme:-there is none}"
    status=1
  fi
done
exit $status
