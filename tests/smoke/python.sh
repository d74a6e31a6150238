#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Python module from its tree (consumer.wheel: from its wheel). Status 77: there is no Python that can.
set -eu
PYTHONDONTWRITEBYTECODE=1
ROCKCREEK_BIN=$BIN
export PYTHONDONTWRITEBYTECODE ROCKCREEK_BIN PROGRAMS SOURCE
rm -rf ./*
able() { # able WORDS: the first Python that runs them
  for python in python3 /usr/bin/python3; do
    if "$python" -c "$1" >/dev/null 2>&1; then
      echo "$python"
      return
    fi
  done
}
python=$(able 'import sys, pandas; assert sys.version_info >= (3, 9)')
[ -n "$python" ] || python=$(able 'import sys; assert sys.version_info >= (3, 9)')
if [ -z "$python" ]; then
  echo 'skipped: there is no Python 3.9 or newer (Debian: python3)'
  exit 77
fi
PYTHONPATH=$SOURCE/apps/python "$python" "$SOURCE/tests/smoke/python/rockcreek_test.py"

typed=$(able 'import mypy, pandas')
if [ -n "$typed" ]; then
  "$typed" -m mypy --strict --ignore-missing-imports --cache-dir=mypy "$SOURCE/apps/python/rockcreek"
else
  echo 'left out: types, since there is no mypy with pandas (Debian: mypy, python3-pandas)'
fi

# pip leaves nothing in the tree that it installs from.
mkdir -p tree/apps
cp -R "$SOURCE/apps/python" tree/apps/
cp "$SOURCE/CMakeLists.txt" "$SOURCE/LICENSE" tree/
installer=$(able 'import setuptools, wheel, pip; assert int(setuptools.__version__.split(".")[0]) >= 61')
[ -n "$installer" ] || { echo 'left out: pip (Debian: python3-pip, python3-wheel)'; exit 0; }
find tree | sort >before
"$installer" -m pip --disable-pip-version-check install -q --no-deps --no-build-isolation --target installed \
  tree/apps/python 2>pip.log ||
  { cat pip.log; exit 1; }
[ -f installed/rockcreek/__init__.py ] || { echo "pip installed: $(ls installed)"; exit 1; }
find tree | sort | diff before - || { echo 'pip has left these in the tree'; exit 1; }
