# SPDX-License-Identifier: Apache-2.0
# For scripts that compare a file with what is expected.

# first_difference EXPECTED FILE COMMAND: nothing where they are the same. Else the first line that differs,
# the command to see it with, all differences, and status 1.
first_difference() {
  cmp -s "$1" "$2" && return 0
  awk -v expected="$1" '
    { more = (getline line < expected) > 0 }
    !more || $0 != line { print "line " NR " is       " $0;
    print "line " NR " expected " (more ? line : "<the end>"); found = 1; exit }
    END { if (!found && (getline line < expected) > 0) { print "line " NR + 1 " is       <the end>";
    print "line " NR + 1 " expected " line } }' "$2"
  echo "to see it: $3"
  diff -u "$1" "$2"
  return 1
}
