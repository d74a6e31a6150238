#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Are the times that pages state in sentences and tables those of today? Which ones: stated_times.csv.
set -eu
exec "$1" -B "$2/stated_times.py" "$BIN/rccebench" "$SOURCE" "$2/stated_times.csv"
