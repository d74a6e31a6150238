#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every notebook but the one that searches (WHOLE=1: that, too) runs from its first to its last cell, and
# draws; each ends with what has to hold. Status 77: Jupyter is not there.
set -eu
PYTHONDONTWRITEBYTECODE=1
ROCKCREEK_BIN=$BIN
PYTHONPATH=$SOURCE/apps/python
TMPDIR=$PWD/tmp
JUPYTER_CONFIG_DIR=$PWD/config
IPYTHONDIR=$PWD/config
MPLCONFIGDIR=$PWD/config
export PYTHONDONTWRITEBYTECODE ROCKCREEK_BIN PYTHONPATH TMPDIR JUPYTER_CONFIG_DIR IPYTHONDIR MPLCONFIGDIR
rm -rf ./*
mkdir tmp
for python in python3 /usr/bin/python3 none; do
  if "$python" -c 'import ipykernel, matplotlib, nbclient, nbformat, pandas' >/dev/null 2>&1; then break; fi
done
if [ $python = none ]; then
  echo 'skipped: no Python has nbclient, ipykernel, pandas and Matplotlib (Debian: python3-nbclient, '\
'python3-ipykernel, python3-pandas, python3-matplotlib)'
  exit 77
fi
"$python" - "$SOURCE"/apps/python/notebooks/*.ipynb <<'END'
import os
import pathlib
import sys

import nbclient
import nbformat

assert len(sys.argv) == 4, sys.argv
for path in map(pathlib.Path, sys.argv[1:]):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), f"{path}: kept with outputs"
    if path.stem == "beat_the_cube" and not os.environ.get("WHOLE"):  # which searches
        continue
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = sum("image/png" in output.get("data", {}) for output in outputs)
    assert pictures >= 2, f"{path}: {pictures} pictures"
    cells = sum(cell.cell_type == "code" for cell in notebook.cells)
    print(f"{path.name}: {pictures} pictures, {cells} cells")
END
