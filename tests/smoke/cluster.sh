#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rccebench reduce on clusters: CSV is whole, twice the same, and another with another seed.
# pages/cluster_*.md have sizes, studies, noise, trees and what is refused.
set -eu
. "$SOURCE/tests/support/checks.sh"
few="--nodes 5,47 --repetitions 50"
# column NAME FILE: the values of a column of CSV
column() { grep -v '^#' "$2" | awk -F, -v name="$1" \
  'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; if (!at) exit 1; next } { print $at }'; }

"$bench" reduce --machine cluster $few --noise both --format csv -o a.csv
"$bench" reduce --machine alc-fitted $few --noise off,on --format csv --jobs 1 |
  sed 's/alc-fitted/cluster/' >b.csv
for file in a.csv b.csv; do
  sed 's/alc-fitted/cluster/' $file | awk -F, '/^#/ { next }
    !at { for (at = 1; $at != "host_us"; at++) if (at > NF) exit 1 }
    { $at = ""; print }' >$file.times # without the host's time
done
cmp a.csv.times b.csv.times || fail "two runs differ"
[ "$(column correct a.csv | grep -c true)" -eq 32 ] ||
  fail "csv: 8 rows on 2 sizes, with and without noise wanted"
[ "$(column elements a.csv | sort -u)" = 1 ] || fail "one element is usual: $(cat a.csv)"
"$bench" reduce --machine cluster $few --seed 2 --format csv >c.csv
[ "$(column digest c.csv)" != "$("$bench" reduce --machine cluster $few --format csv >d.csv &&
  column digest d.csv)" ] || fail "another seed, the same"
