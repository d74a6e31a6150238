#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Times of each repetition fit their mean, and those of winners on the host what is told of them.
# pages/parameters_of_machines.md, own_rows.md and every_machine_refused.md have what every machine takes.
set -eu
. "$SOURCE/tests/support/checks.sh"

# The time of each repetition is told where it is asked for, and its mean is the one told; a cluster's hosts
# can time each by itself.
echo '[{"algorithm": "bcast/cube", "cores": 5, "bytes": 100, "spread": "uniform:9", "repetitions": 3,
  "each": true},
 {"algorithm": "reduce/f_nomial", "machine": "alc-fitted", "cores": 47, "repetitions": 3, "each": true},
 {"algorithm": "reduce/f_nomial", "machine": "alc-fitted", "cores": 47, "repetitions": 3, "each": true,
  "timed_singly": true}, {"algorithm": "bcast/cube", "cores": 5, "bytes": 100}]' >points
"$bench" points points >each
python3 - each <<'END' || fail "times of repetitions: $(cat each)"
import json, math, sys
rows = json.load(open(sys.argv[1]))
for row in rows[:3]:
    assert len(row["us_each"]) == 3 and math.isclose(math.fsum(row["us_each"]) / 3, row["us_mean"])
assert len(set(rows[0]["us_each"])) > 1 and rows[1]["us_mean"] < rows[2]["us_mean"]
assert rows[1]["key"] != rows[2]["key"] and "us_each" not in rows[3]
END
# On the host a winner is told with the ratio and what the quartiles leave of it, where one is decided at all.
"$bench" compare --machine host --operation reduce --cores 2 --sizes 8192 --format json \
  --algorithms pair_tree,master_sequential >host.json
python3 - host.json <<'END' || fail "times faster: $(cat host.json)"
import json, sys
sheet = json.load(open(sys.argv[1]))
(winner,) = sheet["summary"]["winners"]
us = {row["algorithm"]: row["time_us"] for row in sheet["rows"]}
assert winner["decided"] == ("times_faster" in winner)
if winner["decided"]:
    faster = winner["times_faster"]
    assert {winner["algorithm"], faster["than"]} == set(us)
    assert abs(faster["median"] - us[faster["than"]] / us[winner["algorithm"]]) < 1e-9
    assert 1 < faster["least"] <= faster["median"] <= faster["most"]
END
