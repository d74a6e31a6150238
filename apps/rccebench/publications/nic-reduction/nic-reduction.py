# SPDX-License-Identifier: Apache-2.0
"""Moody, Fernandez, Petrini, Panda, Scalable NIC-based Reduction on Large-scale Clusters: lists and
quantities of its statements.

Nothing of a figure's curve was read off: only what its text states is compared. Preset alc has nothing
fitted, alc-fitted has. 100,000 repetitions are the publication's; hosts, of which every second repetition is
disturbed, are repeated less often for each seed. """

from bisect import bisect_left
from functools import cache

from judge import all_measured, facts, mean, measured, measurements, quantity, sum, words

title = "Moody, Fernandez, Petrini, Panda: Scalable NIC-based Reduction on Large-scale Clusters, SC 2003"
on_machines = "alc,alc-fitted"
results = [
    ("8", "Cards are 121 and 39 % ahead of the hosts."),
    ("7", "1,812 processes take 73 and 118 us."),
    ("13.ratio 14", "Cards are consistent: a deviation two orders below that of the hosts."),
    ("3.1", "Degree 4 is the best for one element."),
    ("16 17", "Splits make 8 and 16 elements 3 times faster, and 2 elements slightly slower."),
]
settings = [
    ("machines", "alc, with nothing fitted (claims 1 to 5, 6 where it says so); alc-fitted (all others)"),
    ("fitted", "{fitted()}"),
    (
        "protocol",
        "degree 4; cards: a barrier in each time; hosts: a 4-ary tree and a broadcast; {repetitions} "
        "repetitions, hosts at 906 nodes and "
        "figure 11 {host_repetitions}",
    ),
    (
        "noise",
        "seeds 1 to {max(seeds)} for 7, 8, 9, 11 and 15, seed 1 for the rest; {total('simulated')} of "
        "{total('repetitions')} repetitions "
        "were disturbed and simulated",
    ),
    ("digest", "{digest()}"),
]
notes = []
schedules = [
    ("reduce/f_nomial", "alc", 16, "degree=4"),
    ("reduce/f_nomial_split", "alc", 16, "degree=4"),
    ("reduce/4_ary_broadcast", "alc", 16),
    ("reduce/serial", "alc", 16),
]

repetitions, host_repetitions = 100000, 20000
seeds = range(1, 11)
degrees = range(2, 9)
nodes = [16, 64, 128, 256, 512, 906]
places = words("host=on_hosts card=on_cards")
table_2 = words("r C=C_+_L int32-max=c,_int32_max int32=c,_int32_sum float64-max=c,_float64_max "
                "float64=c,_float64_sum")
# Where bins of 2 us where the peaks are, and wider ones behind, begin.
bins = [0, *range(50, 119, 2), *range(120, 381, 20), 400, 800, 1600, 3200, 6400, 12800, 25600, 51200]


# Without noise; the machine's parameters, and the publication's model (quantities.cpp has their arguments).
on_card, split, serial, broadcast = measurements("us", "on_card split serial broadcast")
parameter, formula = facts("us", "parameter formula")
full_tree_degree, fitted = facts("", "full_tree_degree fitted")


# --- with noise: card or host, type, nodes, processes, repetitions, seed


@quantity("us")
def mean_of(*series):
    return measured("series", *series)["mean"]


@quantity("us")
def least_of(*series):
    return measured("series", *series)["least"]


@quantity("us")
def most_of(*series):
    return measured("series", *series)["most"]


def over_seeds(of, where, kind, repeated):
    """A quantity of both processes of all 906 nodes, by seed."""
    return [of(where, kind, 906, 2, repeated, seed) for seed in seeds]


def both(where, kind):
    """Mean time of both processes of all nodes over the seeds."""
    return mean(over_seeds(mean_of, where, kind, repetitions if where == "card" else host_repetitions))


# --- with noise, of 900 nodes, timed singly


@quantity("us")
def distribution(where, repeated, what):
    return measured("single", where, repeated)[what]


@cache
def _sorted_times(where, repeated):
    """In picoseconds."""
    return sorted(measured("single", where, repeated)["times"])


@quantity("%")
def window(where, repeated, width):
    """The share of the times that lie in the best window of that width."""
    times = _sorted_times(where, repeated)
    best = first = 0
    for last, time in enumerate(times):
        while time - times[first] > width * 1e6:
            first += 1
        best = max(best, last - first + 1)
    return 100.0 * best / len(times)


@quantity("us")
def end_of_bin(begin):
    return 50 if begin == 0 else begin + 2 if begin < 120 else begin + 20 if begin < 400 else begin * 2


@quantity()
def in_bin(where, repeated, begin):
    times = _sorted_times(where, repeated)
    return bisect_left(times, end_of_bin(begin) * 1e6) - bisect_left(times, begin * 1e6)


# --- all runs with noise


def total(what):
    return sum([0, *(one[what] for one in all_measured("series") + all_measured("single"))])


def digest():
    """Of every message's arrival in the runs with noise."""
    all_of_them = 0
    for one in all_measured("series") + all_measured("single"):
        if one["digest"]:
            all_of_them = (all_of_them * 31 + one["digest"]) % 2**64
    return f"{all_of_them:016x}"

