# SPDX-License-Identifier: Apache-2.0
"""The SCC broadcast thesis: lists, machines and quantities of its statements.

RCCE 1.0, root 0; its plain copies for the cube and RCCE_bcast, iRCCE's prefetching ones for DOPL, as the
thesis evidently had. Ranges of sizes are those of its text.
"""

from judge import (
    argmin,
    count,
    fact,
    facts,
    geomean,
    helper,
    is_printed,
    ln,
    max,
    measured,
    median,
    options,
    point,
    published,
    quantity,
    words,
)
from judge import round as whole

title = "a thesis on broadcasts for the Intel SCC: RCCE_bcast, the cube and DOPL on 12 to 48 cores"
on_machines = "scc-fast,scc"
substitutable = []  # chips are taken by their names alone
results = [
    ("dopl-ahead", "DOPL is ahead of the cube, by more the larger the message."),
    ("cube-dopl", "It is 1.2, 5.5 and 10 times ahead for small, medium and large messages."),
    ("rcce-cube", "RCCE_bcast takes ten times as long as the cube."),
    ("best-cube best-dopl", "Parts of 1024 to 8192 bytes are the best for the cube, pipes of 2048 for DOPL."),
    ("all-cores", "Broadcasts slow down when all cores are used."),
]
settings = [
    ("machine", "{machine()}"),
    (
        "library",
        "RCCE 1.0: its plain copies for the cube and RCCE_bcast, iRCCE's prefetching copies for DOPL",
    ),
    ("sizes", "parts of 4096 bytes (cube); parts of 8192 in pieces of 2048 (DOPL, line order ring); root 0"),
    ("buffers", "every core reads its own between repetitions"),
    ("repetitions", "1 after 0 to warm up: the buffer was read, and every further repetition takes as long"),
    ("published", "tables of sections 5.5 and 6.3, least times; their clocks are not stated"),
    (
        "frames",
        "random, as frames come on a chip that has run: variants A and I the median over seeds 1 to "
        "{max(frame_seeds)}, "
        "others seed 1; curves and ratios seed 1",
    ),
    ("time", "simulated, from one release of all to the last rank's end; statements under variant A"),
]
notes = [
    "worst error: {max(error(*cell, 'A') for cell in cells) * 100:1} % ({argmax((cell, error(*cell, 'A')) "
    "for cell in cells)} bytes)",
]
schedules = [("bcast/cube", "scc-fast", 48), ("bcast/dopl", "scc-fast", 48), ("bcast/linear", "scc-fast", 48)]

tables = ["cube", "dopl"]
messages = [50000, 190000, 1900000]
pieces = [524288, 262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256]
rising_pieces = pieces[::-1]
cells = [(table, size, piece) for table in tables for size in messages for piece in pieces
    if is_printed(table, size, piece)]
variants = words("A B C D E F G H I")
presets = ["scc-fast", "scc"]
core_counts = [12, 24, 36, 48]
partners = [1, 2, 10, 37, 47]
broadcasts = words("rcce=RCCE_bcast cube dopl")
small, small_steps = range(1, 8102, 100), range(101, 8002, 100)
medium = range(10000, 190001, 5000)
large = range(300000, 1900001, 100000)
ranges = {"small": small, "medium": medium, "large": large}
frame_seeds = range(1, 21)
ping_pong = range(256, 8193, 256)

# The ratios that the text states: slower and faster broadcast, sizes, how many times.
ratios = {
    "cube_to_dopl_small": ("cube", "dopl", small, 1.2),
    "cube_to_dopl_medium": ("cube", "dopl", medium, 5.5),
    "cube_to_dopl_large": ("cube", "dopl", large, 10),
    "rcce_to_cube_small": ("rcce", "cube", small, 10),
    "rcce_to_cube_medium": ("rcce", "cube", medium, 10),
}

# What published point-to-point figures leave open about the chip: clocks, what a word costs that plain copies
# (RCCE 1.0) store, and page frames; the best-argued first (README.md). J is A with buffers that no core ever
# reads.
chip = {
    "A": ("scc-fast", "curve", "random"),
    "B": ("scc-fast", "curve", "contiguous"),
    "C": ("scc-fast", "latencies", "random"),
    "D": ("scc-fast", "latencies", "contiguous"),
    "E": ("scc", "curve", "random"),
    "F": ("scc", "curve", "contiguous"),
    "G": ("scc", "latencies", "random"),
    "H": ("scc", "latencies", "contiguous"),
    "I": ("scc-fast", "fitted", "random"),
    "J": ("scc-fast", "curve", "random"),
}


def stores_of(preset, kind):
    """The machine's parameters for that cost of stores."""
    if kind == "curve":  # as in the V1.0.13 ping-pong curve of the iRCCE manual: what the machine files have
        return {}
    if kind == "latencies":
        # As a read's latencies would have it: reference values of Intel, restated by Sivaramakrishnan and
        # others (MultiMLton, JFP 2014).
        l2_cycles, dram_cycles = 18, fact("dram_store_cycles", preset)
    else:
        # As `calibrate` finds them: cube, 50,000 bytes, parts of 256 to 8192 bytes, scc-fast, random frames,
        # median over 20 seeds.
        l2_cycles, dram_cycles = 43, 166
    return {"cache.plain_store_l2_cycles": l2_cycles, "cache.plain_store_dram_cycles": dram_cycles}


def broadcast(algorithm, size, piece, cores, preset, stores, frames, prefetching=False, reads=True, seed=1):
    """The time of one broadcast in microseconds. What cannot differ is one run."""
    prefetching = prefetching or algorithm == "dopl"
    if prefetching:  # which what plain stores cost does not reach
        stores = "curve"
    if frames == "contiguous":
        seed = 1
    name = (algorithm, size, piece, cores, preset, stores, frames, int(prefetching), int(reads), seed)
    machine = {**options(), "dram.frames": frames, **stores_of(preset, stores)}
    if seed != 1:
        machine["dram.frame_seed"] = seed
    return point(
        " ".join(map(str, name)) + " ",
        algorithm="bcast/" + {"rcce": "linear"}.get(algorithm, algorithm),
        machine=preset,
        set=machine,
        cores=cores,
        bytes=size,
        options={"cube": {"part": piece}, "dopl": {"pipe": piece}}.get(algorithm, {}),
        rcce="1.0",
        copies="prefetching" if prefetching else "own",
        reads=reads,
        warm_up=0 if reads else 1,
        repetitions=1,
        check=False,
    )["us"]


@quantity("us")
def cell(table, size, piece, variant, seed):
    """Of a table. Variants A and I alone are run with other seeds of random frames than 1."""
    preset, stores, frames = chip[variant]
    # Read from end to end, a message several times L2 leaves its tail there wherever its pages lie: random
    # frames moved no such cell by more than 1.8 %. One run serves both.
    if size >= 4 * fact("l2_bytes", preset):
        frames = "contiguous"
    seed = seed if variant in ("A", "I") else 1
    return broadcast(table, size, piece, 48, preset, stores, frames, reads=variant != "J", seed=seed)


@quantity("us")
def time(what, size, cores, preset, copies):
    """Of a curve. Copies "own"; "alike": all three copy alike, by prefetching; "fitted": as variant I."""
    _, stores, frames = chip["I" if copies == "fitted" else "A"]
    piece = {"cube": 4096, "dopl": 2048}.get(what, 0)  # of the thesis' measurements
    return broadcast(what, size, piece, cores, preset, stores, frames, prefetching=copies == "alike")


@quantity("us")
def half_trip(preset, partner, size):
    return measured("ping_pong", preset, partner)[size // 256 - 1]


(hops,) = facts("", "hops")


@quantity()
def clocks(variant):
    return chip[variant][0]


@quantity()
def stores(variant):
    kind = chip[variant][1]
    return "V1.0.13 curve" if kind == "curve" else kind


@quantity()
def frames(variant):
    return chip[variant][2]


@quantity()
def description(variant):
    preset, kind, order = chip[variant]
    kind = {"curve": "from the V1.0.13 curve", "fitted": "fitted on 6 cells",
        "latencies": "from latencies"}[kind]
    return f"{preset}, stores {kind}, {order} frames"


@quantity()
def machine():
    return fact("description", chip["A"][0])


@helper
def simulated(table, size, piece, variant):
    """A cell of a table in microseconds: the median over the seeds."""
    return median(cell(table, size, piece, variant, seed) for seed in frame_seeds)


@helper
def deviation(table, size, piece, variant):
    """Of a cell, simulated against published: 0.1 is 10 % more."""
    return simulated(table, size, piece, variant) / published(table, size, piece) - 1


@helper
def error(table, size, piece, variant):
    return abs(deviation(table, size, piece, variant))


@helper
def best(table, size, variant):
    """The best size of a part or pipe for that message."""
    return argmin((piece, simulated(table, size, piece, variant)) for piece in pieces
        if is_printed(table, size, piece))


@helper
def best_published(table, size):
    return argmin((piece, published(table, size, piece)) for piece in pieces
        if is_printed(table, size, piece))


@helper
def steps(table, size, variant):
    """Powers of two between the best size and the published one."""
    return whole(abs(ln(best(table, size, variant) / best_published(table, size))) / ln(2))


@helper
def ratio(slower, faster, sizes, copies="own", its_copies=None):
    """How many times longer one broadcast takes than another on 48 cores: geometric mean over the sizes."""
    return geomean(
        time(slower, n, 48, "scc-fast", copies) / time(faster, n, 48, "scc-fast", its_copies or copies)
        for n in sizes
    )


@helper
def by_cores(what, more, fewer, sizes):
    """How many times longer it takes on more cores: geometric mean over the sizes."""
    return geomean(time(what, n, more, "scc-fast", "own") / time(what, n, fewer, "scc-fast", "own")
        for n in sizes)


def stated_ratio(name, copies="own"):
    """What is simulated of one of the ratios that the text states."""
    return ratio(*ratios[name][:3], copies)


def stated(name):
    return ratios[name][3]


def apart(name, copies="own"):
    """The factor between both."""
    simulated_ratio = stated_ratio(name, copies)
    return max(simulated_ratio / stated(name), stated(name) / simulated_ratio)


# Parts of reasons that several statements share.

columns = (
    "column by column in README.md: the word that a plain copy stores (the cube), lines from and to DRAM "
    "with 48 cores "
    "(DOPL, 1,900,000 bytes)"
)
parts = "the thesis' own times from 1024 to 8192 bytes differ by 3 to 14 % only"
copies = "the cube is too slow at large sizes: the word that a plain copy stores"


def by_size():
    def times(size):
        return time("cube", size, 48, "scc-fast", "own") / time("dopl", size, 48, "scc-fast", "own")

    ahead = count(time("cube", n, 48, "scc-fast", "own") < time("dopl", n, 48, "scc-fast", "own")
        for n in small)
    return (
        f"the cube is ahead at {ahead} of {len(small)} sizes. It takes {times(1):.2f} times DOPL's time at "
        f"1 byte, {times(4001):.2f} at "
        f"4001 and {times(8101):.2f} at 8101; mean {ratio('cube', 'dopl', small):.2f}: each byte costs the "
        f"cube more, by the word that a "
        "plain copy stores, and DOPL starts with dearer non-blocking calls"
    )


def crowd(what, sizes):
    def more(cores, fewer):
        return (by_cores(what, cores, fewer, sizes) - 1) * 100

    return (
        f"from 24 to 36 cores {more(36, 24):.1f}, from 36 to 48 {more(48, 36):.1f} %: steps of the "
        f"schedule, within 1 % the same with "
        "--contention off. What all cores share costs hardly more here when all use it. By the abstract of "
        "Melot and others (MARC 2011) "
        "writing cores slow each other, by how much was not to be read"
    )
