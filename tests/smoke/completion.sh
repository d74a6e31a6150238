#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Completion of words by zsh and fish, where they are installed: each takes its script. That of bash is what
# its page asks.
set -eu
share=$BIN/../share
status=0
fault() {
  echo "$*"
  status=1
}

"$BIN/rcceinfo" --completion bash >rockcreek.bash
for command in rccerun rccecc rccec++ rccebench rcceinfo; do
  cmp rockcreek.bash "$share/bash-completion/completions/$command" ||
    fault "$command: another script for bash"
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
exit $status
