#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A compiler for tests that give one C++ file to many commands: CXX=this file takes what it has made of the
# same text in this test's folder before. The library of a file in shared memory takes seconds to make,
# a third less without debug information.
# $WORK: the test's folder.
for word; do
  case $word in *.cpp) source=$word ;; esac
  output=$word # the last word, behind -o
done
kept=$WORK/compiled-$(cksum <"$source" | tr ' ' -).so
if ! [ -e "$kept" ]; then
  c++ "$@" -O1 -g0 || exit
  cp "$output" "$kept.$$" && mv "$kept.$$" "$kept"
else
  cp "$kept" "$output"
fi
