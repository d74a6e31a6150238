#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completion of words by bash, zsh and fish: what is offered for a line, and that each shell takes its script.
# zsh and fish are asked where they are installed.
set -eu
share=$BIN/../share
status=0
fault() {
  echo "$*"
  status=1
}

cat >ask.bash <<'END'
# ask.bash SCRIPT WORD...: what is offered for the last word, one a line. A word as readline cuts it:
# '=' is one by itself.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_rockcreek "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
END
offers() { # offers WORD... -- EXPECTED: these among others; '!WORD': not that; 'only WORD...': exactly these
  words=''
  while [ "$1" != -- ]; do
    words="$words '$1'"
    shift
  done
  shift
  eval "bash ask.bash '$share/bash-completion/completions/rccerun' $words" >offered
  if [ "$1" = only ]; then
    shift
    printf '%s\n' "$@" | sort >wanted
    sort offered | diff wanted - >difference || fault "$words: $(cat difference)"
    return
  fi
  for expected; do
    case $expected in
    !*) if grep -qxF -- "${expected#!}" offered; then fault "$words: offers ${expected#!}"; fi ;;
    *) grep -qxF -- "$expected" offered ||
      fault "$words: does not offer $expected, but $(tr '\n' ' ' <offered)" ;;
    esac
  done
}
offers rccerun --gran -- only --granularity
offers rccerun -nue 4 --granularity '' -- only exact lines
offers rccerun --granularity = e -- only exact
offers rccerun --machine s -- scc scc-fast
offers rccerun --set mesh.r -- only mesh.rows= mesh.routers= mesh.routing= mesh.router_cycles=
offers rccerun --collectives bcast/s -- only bcast/scatter_allgather bcast/schedule bcast/staged_pull
offers rccerun --collectives g -- only ''
offers rccerun -nue 4 ./program --gran -- only ''
offers rccerun --engine = sim ./program --gran -- only ''
offers rccecc --cc g -- only gcc
offers rccec++ --rw -- only --rwth
offers rccebench '' -- bcast compare validate
offers rccebench bcast --algorithms bcast/d -- only bcast/dopl
offers rccebench bcast --form -- only --format
offers rccebench bcast --format '' -- only table csv json markdown latex
offers rccebench reduce --deg -- only --degree
offers rccebench pingpong --pa -- '!--part-bytes'
offers rcceinfo mach -- only machines
for command in rccerun rccecc rccec++ rccebench rcceinfo; do
  bash -n "$share/bash-completion/completions/$command" || fault "$command: bash does not take the script"
  [ -s "$share/fish/vendor_completions.d/$command.fish" ] || fault "$command: no script for fish"
done
[ -s "$share/zsh/site-functions/_rockcreek" ] || fault "no script for zsh"
if command -v zsh >/dev/null; then
  zsh -n "$share/zsh/site-functions/_rockcreek" || fault "zsh does not take the script"
else
  echo 'left out: zsh is not here'
fi
if command -v fish >/dev/null; then
  for command in rccerun rccecc rccec++ rccebench rcceinfo; do
    fish -n "$share/fish/vendor_completions.d/$command.fish" ||
      fault "$command: fish does not take the script"
  done
  ask() { fish -c "source $share/fish/vendor_completions.d/$1.fish; complete -C '$2'" | cut -f1; }
  ask rccerun 'rccerun --granularity ' | sort | tr '\n' ' ' | grep -qx 'exact lines ' ||
    fault "fish: values of --granularity"
  ask rccebench 'rccebench bcast --form' | grep -qx -- --format || fault "fish: options of a command"
else
  echo 'left out: fish is not here'
fi
# A shell that there is not.
if "$BIN/rcceinfo" --completion csh 2>err; then fault "completion for csh"; fi
grep -q 'takes bash, zsh or fish' err || fault "$(cat err)"
exit $status
