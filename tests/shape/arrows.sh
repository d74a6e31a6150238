# SPDX-License-Identifier: Apache-2.0
# arrows.sh ROOT: who includes whom. Top folders include only those below them. Their rooms have no cycles,
# nor have the folders of one room; include/ and src/ of a room are one, and a public header counts at the
# room that implements it. Those of rcce_emu stand in the order of its README. Libraries on top of it include
# of its sources what the README of src/protocol/ names. The rooms of rcce_emu have at most 75 arrows.
# Every quoted include is found, and none is skipped. Each room says in a README of at most 30 lines what is
# in it. `-v` as a second word prints all arrows.
set -eu
root=$(cd "$1" && pwd)
cd "$root"
order="apps algorithms ircce rcce_emu mesh_sim" # top folders, each may include those behind it
# Public headers of rcce_emu without a source of their name, and the room that they belong to.
headers="engine.hpp=engine engine_options.hpp=engine job_memory.hpp=engine environment.hpp=host
  launched.hpp=host version.hpp=host error_strings.h=rcce image.h=rcce substitutes.h=rcce
  temporary_folder.hpp=compiler instruction_costs.hpp=compiler private_copy.hpp=ue
  job_options.hpp=ue library_options.hpp=ue process_options.hpp=ue
  output_options.hpp=ue record_options.hpp=ue interference_options.hpp=ue job_result.hpp=ue statuses.hpp=ue"

# The rooms of rcce_emu, lowest first.
rooms=$(sed -n 's/^    \(rcce -> .*\)$/\1/p' rcce_emu/README.md | sed 's/ -> / /g')
[ -n "$rooms" ] || { echo "rcce_emu/README.md gives no order of its rooms"; exit 1; }
# What libraries on top of it may include of its sources.
interface=$(sed -n 's/^    \(call .*\)$/\1/p' rcce_emu/src/protocol/README.md)
[ -n "$interface" ] || { echo "rcce_emu/src/protocol/README.md names no headers for libraries on top"
  exit 1; }

files=$(find mesh_sim/include mesh_sim/src rcce_emu/include rcce_emu/src ircce/include ircce/src \
  algorithms/include algorithms/src \
  algorithms/lab apps/rccebench -name '*.[ch]pp' -o -name '*.[ch]' | sort)
[ "$(echo "$files" | wc -l)" -gt 700 ] || { echo "no sources in $root"; exit 1; }
status=0
# shellcheck disable=SC2086
said=$({ echo "$files" | sed 's/^/file /'; grep -HE '^ *# *include "' $files |
  sed 's/^\([^:]*\): *# *include "\([^"]*\)".*/include \1 \2/'; } |
  awk -v order="$order" -v headers="$headers" -v in_order="$rooms" -v interface="$interface" \
  -v verbose="${2-}" -v most=75 '
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
    sub(/^rcce_emu\/include\//, "rcce_emu/", path)
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
    count = split(interface, names, " ")
    for (i = 1; i <= count; ++i) allowed["rcce_emu/src/protocol/" names[i] ".hpp"]
    roots = split("mesh_sim/include mesh_sim/src rcce_emu/include rcce_emu/src rcce_emu/include/rcce " \
                  "ircce/include/ircce ircce/src algorithms/include algorithms algorithms/src " \
                  "algorithms/lab apps/rccebench", root_of, " ")
  }
  $1 == "file" {
    known[$2] = 1
    if ($2 ~ /^rcce_emu\/src\/[^\/]*\/[^\/]*\.cpp$/) { split($2, part, "/"); implemented[stem($2)] = part[3] }
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
      wrong($2 ": includes " $3 ", which rcce_emu/src/protocol/README.md does not name for libraries on top")
    if (top_a == "rcce_emu" && top_b == top_a) {
      split(a, one, "/"); split(b, other, "/")
      if (!(one[2] in place) || !(other[2] in place))
        wrong($2 ": " one[2] " or " other[2] " has no place in the order")
      else if (place[one[2]] < place[other[2]])
        wrong($2 ": includes " $3 ", and " other[2] " stands right of " one[2])
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
      if (split(ends[1], one, "/") == 2 && one[1] == "rcce_emu" && split(ends[2], other, "/") == 2) ++ours
    }
    if (ours > most) wrong("rcce_emu: " ours " arrows between its rooms; at most " most)
    exit bad
  }') || status=1
[ -z "$said" ] || echo "$said" | sort
for room in $(echo "$files" | sed -nE \
  's#^([a-z_]*)/(include/\1|src)/([a-z_]*)/.*#\1 \3#p; s#^(apps/rccebench|algorithms)/([a-z]*)/.*#\1 \2#p' |
  grep -v ' include$\| src$\| rcce_emu$' | sort -u | tr ' ' '/'); do
  top=${room%/*} name=${room##*/}
  readme=
  for folder in "$top/include/$top/$name" "$top/include/$name" "$top/src/$name" "$room"; do
    [ ! -f "$folder/README.md" ] || readme=$folder/README.md
  done
  if [ -z "$readme" ] || [ "$(wc -l <"$readme")" -gt 30 ]; then
    echo "room $room: it wants a README of 1 to 30 lines: ${readme:-there is none}"
    status=1
  fi
done
exit $status
