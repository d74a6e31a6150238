#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The pages of section 3: every function that a header declares has one, no other has; synopses say what the
# headers say; sections, references and installed names are there; the formatter has nothing to say.
set -eu
status=0
fault() {
  echo "$*"
  status=1
}
pages=$(grep -L '^\.so ' "$BIN"/../share/man/man3/*.3)
cp "$BUILD/rcce_emu/package/prototypes" statements # of all headers, one a line
# What RWTH's library has without a declaration in a header.
sed -n 's/^\(int RCCE_[a-z_]*(.*)\);$/\1/p' "$SOURCE/ircce/src/image/rwth_image.c" >>statements
# rockcreek_combine, rockcreek_combines and rockcreek_mesh are the runtime's side of inline functions.
sed 's/(.*//; s/.*[ *]//' statements | grep -Evx 'rockcreek_(combines?|mesh)' | sort -u >declared
[ "$(wc -l <declared)" -gt 200 ] || fault "only $(wc -l <declared) functions were found in the headers"

unescape() { sed 's/\\f[BRI]//g; s/\\-/-/g; s/\\(aq/'"'"'/g; s/\\&//g; s/\\e/\\/g' "$@"; }
section() { awk -v wanted="$1" '/^\.SH / { on = $2 == wanted; next } on' "$2"; }

: >documented
for page in $pages; do
  name=$(basename "$page" .3)
  for part in NAME SYNOPSIS DESCRIPTION ERRORS TIME EXAMPLE SOURCE; do
    [ -n "$(section $part "$page")" ] || fault "$name: no section $part"
  done
  names=$(section NAME "$page" | sed 's/ \\- .*//; s/,/ /g')
  [ "${names%% *}" = "$name" ] || fault "$name: the page is that of ${names%% *}"
  for function in $names; do
    echo "$function" >>documented
    [ -f "$BIN/../share/man/man3/$function.3" ] ||
      fault "$name: man 3 $function finds nothing in the build tree"
  done
  section SYNOPSIS "$page" | grep -v '^\.' | unescape | awk '
    { sub(/^ +/, ""); if ($0 !~ /^(#|\/\*)/) all = all " " $0 }
    END { gsub(/[ \t]+/, " ", all); n = split(all, s, ";"); for (i = 1; i < n; i++) { sub(/^ /, "", s[i]);
    print s[i] } }' >synopsis
  while read -r prototype; do
    grep -qxF -- "$prototype" statements || fault "$name: no header declares '$prototype'"
  done <synopsis
  for function in $names; do
    grep -q "[ *]$function(" synopsis || [ "$function" = RCCE_gory_send ] ||
      fault "$name: the synopsis lacks $function"
  done
  awk '/^\.SH SEE ALSO/ { on = 1; next } /^\.SH/ { on = 0 } on { print $2 "." substr($3, 2, 1) }' "$page" \
    >references
  sed '/^\.SH EXAMPLE/,/^\.SH SEE/d' "$page" | unescape | grep -o '[A-Za-z_0-9][A-Za-z_0-9]*([13])' |
    sed 's/(/./; s/)//' >>references
  while read -r reference; do
    case $reference in
      *.3) [ -f "$BIN/../share/man/man3/$reference" ] ||
        fault "$name: refers to $reference, which there is not" ;;
      *) find "$SOURCE/rcce_emu/man" "$SOURCE/apps" -name "$reference" | grep -q . ||
        fault "$name: refers to $reference" ;;
    esac
  done <references
done
sort documented | uniq -d | while read -r twice; do echo "$twice is on two pages"; done >twice
[ ! -s twice ] || fault "$(cat twice)"
sort -u documented | comm -13 - declared | grep -v '^omp_' >missing || : # OpenMP's are another interface
[ ! -s missing ] || fault "functions without a page:" $(cat missing)
sort -u documented | comm -23 - declared | grep -vx RCCE_gory_send >unknown || true
[ ! -s unknown ] || fault "pages of functions that no header declares:" $(cat unknown)

# Names of machine parameters are right: they are what rccerun --set takes.
"$BIN/rccerun" --print-machine | sed -n 's/^\([a-z_0-9]*\) = .*/\1/p' >parameters
for name in $(for page in $pages; do section TIME "$page"; done | grep -o '\\fB[a-z_0-9]*_[a-z_0-9]*\\fR' |
  sed 's/\\f[BR]//g' | sort -u); do
  grep -qx "$name" parameters || grep -qx "$name" declared || fault "the machine has no parameter '$name'"
done

if command -v groff >/dev/null; then
  # shellcheck disable=SC2086
  groff -man -Tutf8 -ww -z $pages 2>warnings || true
  [ ! -s warnings ] || fault "$(cat warnings)"
fi
if command -v mandoc >/dev/null; then
  # shellcheck disable=SC2086
  mandoc -Tlint -Wwarning $pages 2>&1 | grep -v 'missing date' >warnings || true
  [ ! -s warnings ] || fault "$(cat warnings)"
fi
exit $status
