#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The handbook is built without a warning, every link in it leads somewhere, it has less than 21 MB, and a
# browser opens its pages without a complaint (handbook.py). It is left in the build folder, for
# consumer.packages. Status 77 where its generator or the browser is missing.
set -eu
. "$SOURCE/tests/support/checks.sh"
rm -rf ./*
site=$BUILD/handbook
status=0
ROCKCREEK_BUILD=$BUILD sh "$SOURCE/apps/handbook.sh" --quick "$site" >log 2>&1 || status=$?
if [ $status -eq 77 ]; then
  echo "skipped: $(cat log)"
  exit 77
fi
[ $status -eq 0 ] && [ ! -s log ] || fail "status $status: $(cat log)"
size=$(du -sb "$site" | cut -f1)
[ "$size" -lt 22000000 ] || fail "the handbook has $size bytes"
for page in index.html rcce_emu/man/RCCE_send.3.html interfaces/RCCE_8h.html apps/python/index.html; do
  [ -f "$site/$page" ] || fail "there is no $page"
done
grep -q 'rockcreek.compile' "$site/apps/python/index.html" || fail "the Python module is not there"
if grep -q '^ROCKCREEK_UPLOT:PATH=.*/' "$BIN/../CMakeCache.txt"; then
  for page in apps/course/guide/read_the_report.html apps/rccebench/publications/xeon-phi/index.html; do
    grep -q '<iframe class="report"' "$site/$page" || fail "$page has no report"
  done
fi
python3 "$SOURCE/tests/smoke/handbook.py" "$site" links
python=/usr/bin/python3
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null ||
  ! $python -c 'import selenium' 2>/dev/null; then
  echo "skipped: no Chromium with its driver and Selenium (Debian: chromium, chromium-driver, \
python3-selenium)"
  exit 77
fi
$python "$SOURCE/tests/smoke/handbook.py" "$site" browser
