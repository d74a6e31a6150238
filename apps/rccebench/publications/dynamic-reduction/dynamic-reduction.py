# SPDX-License-Identifier: Apache-2.0
"""P. Falkman, Efficient reduction over threads: lists and quantities of its statements. Cycles."""

from judge import argmin, facts, helper, is_printed, mean, measured, min, published, quantity, up_to, words

title = "P. Falkman, Efficient reduction over threads (KTH Stockholm, 2011)"
on_machines = "xeon-x5650,phenom-1090t,xeon-e5645,opteron-8425,opteron-2x12,xeon-e7-4830"
results = [
    ("S-16", "The more the arrivals spread, the larger the arrays up to which dynamic is before static."),
    ("S-08 S-09", "Dynamic is the fastest up to 5,000 floats under spread B on 4 of 5 machines, and up to "
                  "10,000 under C on all."),
    ("S-11", "Linear is the fastest from 15,000 floats on."),
    ("S-13", "On AMD with several nodes static is before linear."),
    ("T-03", "By T_sum dynamic is the best from a deviation of 3,500 cycles on."),
]
settings = [
    (
        "rules",
        "changed after the first sweep. Intel serves reads of one line one after another (lock rates of the "
        "Xeon E7-8867L, XEX-077 to "
        "XEX-092). Lines of the Opteron 8425 come from messages on the same processor (OLD-013 to OLD-016), "
        "before from a later one. 66 "
        "cycles a crossing for a home elsewhere are taken off them (OLD-019 to OLD-022). What changes in a "
        "node of Intel goes to memory "
        "when another node reads it, not when a neighbour does. Locked hits are those of a Phenom II. "
        "dynamic_group's lock is a binary "
        "semaphore, before a ticket lock. A job costs its line, a notice the stores and loads of its word's "
        "line. Loads of all blocks that "
        "a core combines share its misses in flight (triads of one core, STR-001 to STR-006)",
    ),
    ("data", "float, addition, half a cycle each; inputs as their owners have filled them"),
    (
        "arrivals",
        "max * Beta(a, b) with the published maximum, mean and deviation; the distribution is ours, seed 1",
    ),
    ("overhead", "one element, from the last arrival until the last thread has left"),
    ("placement", "node after node; overheads of several sockets: scattered"),
]
notes = [
    "recommendation table: {count(matches(recommended(*cell), published('best', *cell)) for cell in "
    "recommendations)} of "
    "{len(recommendations)} cells agree",
    "O and G, within 3: {count(overhead(*one) < published(*one) for one in overheads)} of {len(overheads)} "
    "overheads are too fast, "
    "geometric mean {geomean(overhead(*one) / published(*one) for one in overheads):2} of the published; "
    "within 2: "
    "{count(apart(*one) <= 2 for one in overheads)}, within 1.5: {count(apart(*one) <= 1.5 for one in "
    "overheads)}",
    "S-07 (1090T, spread A: dynamic 'becomes faster' above 5000) does not say than whom: no test",
    "OO-09: the publication's text and its tables contradict each other: no test",
]
algorithms = words("linear pair_tree dynamic_pair dynamic_group")
schedules = [("reduce/" + algorithm, "xeon-e5645", 12) for algorithm in algorithms]

presets = words("xeon-e5645 opteron-8425 xeon-e7-4830")
machines = words(
    "xeon-x5650=X5650 phenom-1090t=1090T xeon-e5645=2_x_E5645 opteron-2x12=2_x_12-core_Opteron "
    "xeon-e7-4830=4_x_E7-4830"
)
smp = words("xeon-e5645=Xeon_E5645 opteron-8425=Opteron_8425")
one_socket = words("opteron-8425=Opteron_8425_one_socket xeon-e5645=Xeon_E5645_one_socket")
quads = words("opteron-8425=quad_6-core_Opteron xeon-e7-4830=quad_8-core_Xeon")
quad_threads = [2, 4, 6, 8, 12, 24, 32]
sizes = [1000, 2000, 3500, 5000, 7000, 10000, 15000, 24000, 40000, 64000, 100000, 200000]
spreads = words("none A B C")
parts = words("small=<_5k middle=>_5k large=>_24k")
part_sizes = {
    "small": [n for n in sizes if n < 5000],
    "middle": [n for n in sizes if 5001 <= n < 23999],
    "large": [n for n in sizes if n >= 24001],
}
overheads = [
    (a, m, t, s, p)
    for a in algorithms
    for m in presets
    for t in quad_threads
    for s in ("none", "B")
    for p in ("compact", "scatter")
    if is_printed(a, m, t, s, p)
]
recommendations = [(spread, part, machine) for spread in spreads[1:] for part in parts
    for machine in machines]


# --- all cores: algorithm, machine, floats, spread of arrivals


@quantity("cycles")
def last(algorithm, machine, floats, spread):
    """Behind the last arrival."""
    return measured("sizes", algorithm, machine, floats, spread)["behind_last"]


@quantity("cycles")
def summed(algorithm, machine, floats, spread):
    """What all threads spend."""
    return measured("sizes", algorithm, machine, floats, spread)["summed"]


# --- one element


@quantity("cycles")
def overhead(algorithm, machine, threads, spread, placement):
    """Until the last thread has left."""
    return measured("one", algorithm, machine, threads, spread, placement)["all_gone"]


@quantity("cycles")
def completed(algorithm, machine, threads, spread, placement):
    """Until the result is complete."""
    return measured("one", algorithm, machine, threads, spread, placement)["behind_last"]


# --- merges of a length beside which everything else is small


@quantity("cycles")
def late(algorithm, *arrivals):
    return measured("arrivals", algorithm, *arrivals)["behind_last"]


@quantity("cycles")
def merge():
    return measured("arrivals", "pair_tree", 0, 0)["behind_last"]


# --- finding a partner


@quantity("cycles")
def visit():
    return measured("visits")["mean"]


@quantity("cycles")
def longest_visit():
    return measured("visits")["most"]


@quantity()
def retries():
    return measured("visits")["retries"]


(transfer,) = facts("cycles", "transfer")  # of a changed line between the farthest cores


@helper
def apart(*one):
    """The factor between an overhead and the published one."""
    simulated, printed = overhead(*one), published(*one)
    return simulated / printed if simulated > printed else printed / simulated


@helper
def over_best(algorithm, spread, part, machine):
    """Time over that of the best, mean of the cell's sizes."""
    return mean(
        last(algorithm, machine, n, spread) / min(last(other, machine, n, spread) for other in algorithms)
        for n in part_sizes[part]
    )


@helper
def recommended(spread, part, machine):
    return argmin((algorithm, over_best(algorithm, spread, part, machine)) for algorithm in algorithms)


@helper
def ahead_up_to(algorithm, other, machine, spread):
    """Up to how many floats it is before the other one."""
    return up_to((n, last(algorithm, machine, n, spread) < last(other, machine, n, spread)) for n in sizes)


@helper
def fastest_up_to(machine, spread):
    """Up to how many floats dynamic_pair is before linear and pair_tree, or beside them."""
    return up_to(
        (
            n,
            last("dynamic_pair", machine, n, spread) <= min(last("linear", machine, n, spread),
            last("pair_tree", machine, n, spread)),
        )
        for n in sizes
    )


# Parts of reasons that several statements share.


def in_transfers(machine, simulated, printed):
    each = transfer(machine)
    return (
        f"simulated: {simulated / each:.1f} transfers of a changed line ({each:.0f} cycles, the machine's "
        f"row for its farthest cores) one "
        f"after another; published: {printed / each:.1f}. What else the publication's code did between two "
        f"accesses is not described"
    )


fetched = (
    "linear fetches (n - 1) / n of an array behind the last arrival, each merge half of one for its leader, "
    "a whole one and the ownership "
    "of half of one for its follower, on which its leader waits"
)


def terms(machine, floats, spread):
    linear, static, dynamic = (last(one, machine, floats, spread)
        for one in ("linear", "pair_tree", "dynamic_pair"))
    return (
        f"ours: at {floats} floats linear takes {linear:.0f}, static {static:.0f}, dynamic {dynamic:.0f} "
        f"cycles behind the last arrival, "
        f"{linear / floats:.2f}, {static / floats:.2f}, {dynamic / floats:.2f} a float; {fetched}"
    )


def cause(algorithm):
    return {
        "linear": "; linear fetches (n - 1) / n of an array behind the last arrival, a merge's follower a "
                  "whole one and the ownership of "
        "half of one",
        "dynamic_group": "; whoever has arrived shares the last merge, for a job, a wake-up and a decrement "
                         "each, which small arrays do "
        "not repay",
        "dynamic_pair": "; the last thread to arrive merges once, a fixed pair's levels above it are still "
                        "to come",
        "pair_tree": "; pairs that are fixed cross sockets on the last levels only",
    }[algorithm]
