#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rcceinfo: does it know every option, parameter, environment variable, machine, algorithm and statistic, with
# the values that the commands themselves go by? And does the manual?
set -eu
info=$BIN/rcceinfo
status=0
fault() {
  echo "$*"
  status=1
}
"$info" >all
"$info" --format csv >all.csv
for section in options parameters environment machines algorithms statistics; do
  "$info" $section --format csv | grep -v '^#' >$section.csv
  [ "$(head -n 1 $section.csv)" = 'section,of,name,other_names,takes,value,default,unit,origin,meaning' ] ||
    fault "$section: columns are $(head -n 1 $section.csv)"
  [ "$(wc -l <$section.csv)" -gt 5 ] || fault "$section: $(wc -l <$section.csv) lines"
  tail -n +2 $section.csv | cut -d, -f1 | sort -u | grep -qx $section ||
    fault "$section: rows of other sections"
  grep -v '^#' all.csv | grep -c "^$section," | grep -qx "$(($(wc -l <$section.csv) - 1))" ||
    fault "without a name $section is shorter"
done
"$info" --format json >all.json
[ "$(grep -c '"section": ' all.json)" -eq "$(($(grep -vc '^#' all.csv) - 1))" ] ||
  fault "json and csv have other rows"

# Options: those of each help, and each in the manual.
known() { # known COMMAND: names, one a line
  awk -F, -v of="$1" '$1 == "options" && $2 == of { print $3; n = split($4, other, " ");
    for (i = 1; i <= n; i++) print other[i] }' \
    options.csv | sort -u
}
compare_help() { # compare_help COMMAND...: an option stands at the beginning of a line of the help
  known "$*" >known
  command=$1
  shift
  {
    "$BIN/$command" "$@" --help
    case ${1:-} in # on a cluster they have others, which rcceinfo has as well
    bcast | reduce | allreduce | compare | tune | scaling) "$BIN/$command" "$@" --machine cluster --help ;;
    esac
  } | sed -n 's/^  \(-[^ ].*\)/\1/p' | sed 's/  .*//' | tr ', ' '\n\n' |
    grep '^--*[a-z]' |
    sed 's/[=[].*//' | sort -u >helped
  for name in $(comm -13 known helped); do fault "$command $*: rcceinfo lacks $name"; done
  for name in $(comm -23 known helped); do fault "$command $*: --help lacks $name"; done
}
for command in rccerun rccecc rcceinfo; do compare_help $command; done
commands=$("$BIN/rccebench" --help | sed -n '/^Subcommands:/,$s/^  \([a-z_]*\) .*/\1/p')
for command in $commands; do compare_help rccebench "$command"; done
"$BIN/rccebench" reduce --machine cluster --help | grep -q -- '--degree' && known 'rccebench reduce' |
  grep -qx -- --degree ||
  fault "options on a cluster are missing"
for page in rcce_emu/man/rccerun rcce_emu/man/rccecc apps/rccebench apps/rcceinfo; do
  command=${page##*/}
  # By one of its names. Parameters of algorithms are those of the algorithm's own: its help names it in
  # brackets.
  awk -F, -v of="$command" '$1 == "options" && ($2 == of || index($2, of " ") == 1) && !/\([a-z_]*\// {
    print $3, $4 }' \
    options.csv | sort -u >names
  sed 's/\\-/-/g; s/\\f[BIR]//g' "$SOURCE/$page.1" >page
  while read -r name other; do
    found=no
    for one in $name $other; do
      if grep -q -- "$one\([^a-z-]\|$\)" page; then found=yes; fi
    done
    [ $found = yes ] || fault "$command(1) lacks $name"
  done <names
done

# Parameters: values of the machine that is chosen, and where they come from.
"$BIN/rccerun" --print-machine | awk '/^\[/ { section = substr($1, 2, length($1) - 2) } !/^#/ && / = / {
  print section "." $1 "," $3 }' >printed
grep -v '^machine.kind' printed | while IFS=, read -r name value; do
  grep -q "^parameters,scc,$name,.*,$value," parameters.csv || echo "rcceinfo has not $name = $value"
done >missing
[ ! -s missing ] || fault "$(cat missing)"

# The environment: names stand in the table only; those of scripts and of Python are there too.
literal=$(grep -rlE 'getenv\("' "$SOURCE/mesh_sim" "$SOURCE/rcce_emu" "$SOURCE/ircce" "$SOURCE/algorithms" \
  "$SOURCE/apps" \
  --include='*.[ch]pp' --include='*.[ch]' |
  grep -v -e /process/libc/ -e /course/ -e /programs/pattern.h || true)
[ -z "$literal" ] || fault "a variable's name stands outside of rcce_emu/environment.hpp: $literal"
for name in $(grep -rhoE '\$\{[A-Z][A-Z_]+:?-|environ(\.get)?[[(]"[A-Z_]+' "$SOURCE"/apps --include='*.sh' \
  --include='*.py' |
  grep -oE '[A-Z][A-Z_]+' | sort -u); do
  grep -q "^environment,[^\"]*,$name,\|^environment,\"[^\"]*\",$name," environment.csv ||
    fault "rcceinfo has no variable $name"
done

# Machines and algorithms: those that commands list in their messages.
for name in $("$BIN/rccebench" bcast --machine nothing 2>&1 | sed 's/.*(\(.*\)).*/\1/; s/,//g'); do
  awk -F, -v name="$name" '$3 == name { found = 1 } END { exit !found }' machines.csv ||
    fault "no machine $name"
done
[ "$(awk -F, '$2 == "messages"' algorithms.csv | wc -l)" -gt 20 ] ||
  fault "algorithms by messages are missing"
"$info" algorithms --format json >algorithms.json
awk '/"names":|"name":/ { name = $0 } /"value": (null|"")/ { print "no cost: " name }' algorithms.json \
  >costless
[ ! -s costless ] || fault "$(cat costless)"

# Statistics: what a program counts that sends over links is known; the version of the list is no count.
# RECORDS.md has the same words.
"$BIN/rccerun" -nue 4 --statistics=counted.csv --force "$PROGRAMS/ring_shift" 1 100 >/dev/null 2>&1
tail -n +2 counted.csv | cut -d, -f1 | grep -vx schema.version | sort -u >counted
cut -d, -f3 statistics.csv | sort -u >named
printf '%s\n' call.unfinished pair.unfinished pair.bytes_unfinished >>counted # of runs that hang
sort -o counted counted
sed -n 's/^| `\([a-z_]*\.[a-z0-9_]*\)` | \([^ ]*\) | [^|]*| \(.*\) |$/\1 \2 \3/p' \
  "$SOURCE/rcce_emu/RECORDS.md" | tr -d '`' | grep -v '^schema' |
  sort >listed
"$info" statistics --format json |
  awk -F'"' '$2 == "of" { of = $4 } $2 == "name" { name = $4 } $2 == "unit" { unit = $4 } $2 == "meaning" &&
  of == "scc" { print name, unit, $4 }' |
  sort >told
cmp told listed || fault "RECORDS.md says otherwise: $(diff told listed)"
[ -z "$(comm -23 counted named)" ] || fault "unknown statistics: $(comm -23 counted named | tr '\n' ' ')"

exit $status
