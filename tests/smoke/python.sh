#!/bin/sh
# The Python module: from its tree, and as a wheel that is built from it. Status 77: there is no Python that can.
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
python=$(able 'import sys; assert sys.version_info >= (3, 9)')
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

builder=$(able 'import setuptools, wheel, pip; assert int(setuptools.__version__.split(".")[0]) >= 61')
if [ -z "$builder" ]; then
  echo 'left out: the wheel, since no Python has pip, setuptools 61 and wheel (Debian: python3-pip, python3-wheel)'
  exit 0
fi
# In a copy: setuptools writes beside what it packs.
mkdir -p tree/apps
cp -R "$SOURCE/apps/python" tree/apps/
cp "$SOURCE/CMakeLists.txt" tree/
"$builder" -m pip --disable-pip-version-check wheel -q --no-deps --no-build-isolation -w dist tree/apps/python
version=$(sed -n 's/^project(rockcreek VERSION \([^ ]*\).*/\1/p' "$SOURCE/CMakeLists.txt")
[ -f "dist/rockcreek-$version-py3-none-any.whl" ] || { echo "no wheel of version $version: $(ls dist)"; exit 1; }
"$builder" -m pip --disable-pip-version-check install -q --no-deps --no-index --target installed dist/*.whl
[ -f installed/rockcreek/py.typed ] || { echo "py.typed is not in the wheel"; exit 1; }
PYTHONPATH=$PWD/installed "$builder" -c '
import pathlib, rockcreek
assert pathlib.Path("installed").resolve() in pathlib.Path(rockcreek.__file__).resolve().parents, rockcreek.__file__
print(rockcreek.version())'
