# SPDX-License-Identifier: Apache-2.0
"""S. Ramos, T. Hoefler, Modeling Communication in Cache-Coherent SMP Systems: lists and quantities of its
statements.

Measured on preset xeon-phi-5110p, or computed by the publication's model (quantities.cpp), in nanoseconds.
"""

from judge import facts, measured, measurements, quantity, words

title = ("S. Ramos, T. Hoefler, Modeling Communication in Cache-Coherent SMP Systems - A Case-Study with "
         "Xeon Phi (HPDC 2013)")
on_machines = "xeon-phi-5110p"
results = [
    (
        "",
        "The algorithms of the model are up to 4.3 times ahead of Intel MPI and OpenMP. (No statement: "
        "these libraries are not here.)",
    ),
    ("12", "The model's tree is the fastest for small broadcasts at every number of threads."),
    ("17", "Small broadcasts, reductions and barriers lie between min and max model."),
    ("15", "Flat is before pipelined for 8 KiB above 32 threads."),
    ("", "At 60 threads OpenMP's barrier is ahead of the model's. (No statement: this library is not here.)"),
]
settings = [
    ("machine", "xeon-phi-5110p"),
    ("threads", "one a core; all enter at once; buffers exclusive at their owners; until the last has left"),
    (
        "rules",
        "added after the first sweep. A core that executes in order has one load of a scan under way. "
        "Addresses of blocks lie on the line "
        "of the word that tells of them, and cost its stores and loads",
    ),
    ("model", "published R_L, R_R, R_I, o, q, p; c = 54 ns, printed in a figure only"),
]
notes = [
    "13, 14 (speed-up over Intel MPI and OpenMP) need those libraries, 18 (spread at 60 threads) the "
    "operating system's noise: no test",
]
_drawn = ("bcast/level_tree bcast/flat bcast/binomial bcast/three_nomial bcast/fibonacci bcast/pipelined "
          "reduce/level_tree barrier/dissemination")
schedules = [(algorithm, "xeon-phi-5110p", 16) for algorithm in _drawn.split()]

states = words("M E S I")
distances = [1, 15, 30]
threads = [4, 8, 16, 30, 32, 48, 60]
partners = [1, 2, 3, 4, 6]
operations = words("bcast reduce barrier")
others = words("flat binomial three_nomial fibonacci-2=fibonacci_2 fibonacci-4=fibonacci_4")


# Lines between cores, and the publication's model (quantities.cpp has their arguments).
read, one_line, lines, pairs, two_writers = measurements("ns", "read one_line lines pairs two_writers")
own, least, most, forwarding, copies = facts("ns", "own least most forwarding copies")
acknowledgements, counted_notices, sent_notices, flag_reads = facts(
    "ns", "acknowledgements counted_notices sent_notices flag_reads"
)
shape, radix = facts("", "shape radix")


@quantity("ns")
def one_reader():
    return measured("readers")["one"]


@quantity("ns")
def reader_slope():
    return measured("readers")["slope"]


@quantity("R squared")
def reader_line():
    return measured("readers")["r_squared"]


# Collectives: operation, threads, and how (quantities.cpp); of a barrier its partners


@quantity("ns")
def time(operation, number, how):
    return measured("time", operation, number, how)["last"]


@quantity("ns")
def leaves(operation, number, how):
    """Until the last thread without children has left."""
    return measured("time", operation, number, how)["last_leaf"]


def hand_overs(one_line_for_all, one_each, overlapping, overlapping_each):
    """The reason of statements 10."""
    return (
        f"{one_line_for_all:.0f} against {one_each:.0f} ns: k children are k + 1 transfers of 236 ns one "
        f"after another either way, k stores "
        "to the shared line and its reading, or a store and k readings of the parent's; what its looks in "
        "between cost decides. With its "
        f"loads all at once it would be {overlapping:.0f} against {overlapping_each:.0f} ns"
    )
