#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A build without MPI says so and what to do, whether or not there is a launcher. It is one whose library
# stands alone.
set -u
mkdir -p lib && ln -sf "$(cd "$BIN/../lib" && pwd)"/librcce.so* lib/
for launcher in /bin/true /nowhere/mpirun; do
  status=0
  LD_LIBRARY_PATH=$PWD/lib "$BIN/rccerun" --engine mpi --launcher $launcher -nue 2 "$PROGRAMS/alarms" pause \
    2>err || status=$?
  if [ $status -ne 2 ] || ! grep -q 'this build has no MPI .*sh apps/setup.sh --with-mpi' err; then
    echo "with $launcher: status $status"
    cat err
    exit 1
  fi
done
