# SPDX-License-Identifier: Apache-2.0
"""Platform files of SimGrid: one <cluster>, flat or a fat tree, becomes nodes with cards on a fat tree.

The format is that of SimGrid's documentation, "Platform reference" and "Platform examples", version 4.
"""

import math
import re
from xml.parsers import expat

from command import Refused

MOST_NODES, MOST_PROCESSORS, MOST_CABLES = 65536, 1024, 1 << 23  # a machine's
PRESET = "cluster-modern"  # what a platform says nothing of: cards, and what sending takes on a host
HOST_US = 0.516  # the preset's [host] latency without wire: over PCIe twice, and to memory
READ = "one <cluster> in a <zone> is read, without hosts, links and routes beside it"
SECONDS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
SECONDS |= {"m": 60, "h": 3600, "d": 86400, "w": 604800}
BYTES = {"Bps": 1, "bps": 1 / 8}
BYTES |= {
    prefix + unit: size * base**power
    for unit, size in list(BYTES.items())
    for power, letters in enumerate(("kK", "M", "G", "T", "P", "E"), 1)
    for prefix, base in [(letter, 1000) for letter in letters] + [(letters[-1] + "i", 1024)]
}
NAMES = {"id", "prefix", "suffix", "router_id"}  # names of nodes say nothing
# No message between nodes depends on these: told, and left out.
LEFT_OUT = ("speed", "loopback_bw", "loopback_lat")
TAKEN = {"radical", "core", "bw", "lat", "topology", "topo_parameters", "sharing_policy"}
TAKEN |= {"bb_bw", "bb_lat", "bb_sharing_policy", "limiter_link"}


def is_platform(text):
    return text.lstrip().startswith("<")


def shown(text):
    """On one line of a message or a machine file."""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= 60 else text[:57] + "..."


def us(ps):
    return f"{ps / 1e6:.12g}"


class Reader:
    """The only cluster of a file, with its line, and the properties beside it."""

    def __init__(self, name, text):
        self.name, self.cluster, self.line, self.left_out = name, None, 0, []
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.element
        self.parser.EntityDeclHandler = self.entity
        try:
            self.parser.Parse(text, True)
        except expat.ExpatError as error:
            why = expat.errors.messages[error.code]
            raise Refused(f"'{name}', line {error.lineno}: {why}; platform files are XML") from None
        if self.cluster is None:
            raise Refused(f"'{name}' has no <cluster>; {READ}")

    def refused(self, what):
        return Refused(f"'{self.name}', line {self.parser.CurrentLineNumber}: {what}")

    def entity(self, name, *_):
        raise self.refused(f"entity '{name}' is defined; files with entities of their own are not read")

    def element(self, kind, attributes):
        named = [key for key in ("id", "src", "file") if key in attributes]
        told = f' {named[0]}="{shown(attributes[named[0]])}"' if named else ""
        if kind == "platform":
            version = attributes.get("version", "")
            if version not in ("4", "4.0", "4.1"):
                raise self.refused(f'<platform version="{shown(version)}">: read are versions 4 and 4.1')
        elif kind == "prop":
            self.left_out.append(f"property {shown(attributes.get('id', ''))}")
        elif kind == "cluster":
            if self.cluster is not None:
                raise self.refused(f"<cluster{told}>: a second cluster; {READ}")
            self.cluster, self.line = attributes, self.parser.CurrentLineNumber
        elif kind not in ("zone", "AS", "config"):
            raise self.refused(f"<{shown(kind)}{told}>: {READ}")


class Cluster:
    def __init__(self, name, text):
        reader = Reader(name, text)
        self.given, self.line = reader.cluster, reader.line
        self.where = f"'{name}', line {reader.line}: <cluster>"
        for one in self.given:
            if one not in NAMES | TAKEN and one not in LEFT_OUT:
                raise Refused(f"{self.where} has {shown(one)}; read are {', '.join(sorted(TAKEN))}")
        self.left_out = [f"{one} {shown(self.given[one])}" for one in LEFT_OUT if self.given.get(one)]
        self.left_out += dict.fromkeys(reader.left_out)
        self.nodes = self.count_nodes()
        self.processors = self.whole("core", self.given.get("core") or "1", MOST_PROCESSORS)
        self.mbs = self.bandwidth("bw")
        self.cable = self.latency("lat")
        self.find_levels()
        self.find_backbone()
        self.check_sharing()

    def refused(self, key, why):
        return Refused(f'{self.where} {key}="{shown(self.given.get(key, ""))}": {why}')

    def whole(self, key, text, most):
        if not re.fullmatch(r"\s*\d{1,9}\s*", text) or not 1 <= int(text) <= most:
            raise self.refused(key, f"'{shown(text)}' is no whole number from 1 to {most}")
        return int(text)

    def value(self, key, units, otherwise):
        text = self.given.get(key, "")
        found = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*([A-Za-z]*)\s*", text)
        unit = units.get(found[3] or otherwise) if found else None
        value = float(found[1] + (found[2] or "")) * unit if unit else math.nan
        if not math.isfinite(value):
            known = ", ".join(list(units)[:5])
            raise self.refused(key, f"a number with its unit is wanted ({known}, ...)")
        return value

    def bandwidth(self, key):
        mbs = self.value(key, BYTES, "Bps") / 1e6
        if not 1e-3 <= mbs <= 1e9:
            raise self.refused(key, "bandwidths here are from 1 kBps to 1 PBps")
        return mbs

    def latency(self, key):
        """In ps."""
        seconds = self.value(key, SECONDS, "s")
        if seconds > 0.1:
            raise self.refused(key, "latencies of cables here are up to 100 ms")
        return round(seconds * 1e12)

    def count_nodes(self):
        """SimGrid separates the ranges of radical by commas, its documentation also by a semicolon."""
        nodes = set()
        for part in re.split("[,;]", self.given.get("radical", "")):
            ends = re.fullmatch(r"\s*(\d{1,18})\s*(?:-\s*(\d{1,18})\s*)?", part)
            if not ends:
                raise self.refused("radical", f"'{shown(part)}' is no number and no range, as 0-15 is")
            first, last = int(ends[1]), int(ends[2] or ends[1])
            if last < first:
                raise self.refused("radical", f"range '{shown(part.strip())}' runs backwards")
            if last - first >= MOST_NODES:
                raise self.refused("radical", f"a machine has {MOST_NODES} nodes at most")
            own = set(range(first, last + 1))
            if nodes & own:
                raise self.refused("radical", f"node {min(nodes & own)} is in it twice")
            nodes |= own
        if not 2 <= len(nodes) <= MOST_NODES:
            raise self.refused("radical", f"{len(nodes)} nodes; a machine has 2 to {MOST_NODES}")
        return len(nodes)

    def check_sharing(self):
        if self.given.get("sharing_policy", "SPLITDUPLEX") not in ("SPLITDUPLEX", "FULLDUPLEX"):
            raise self.refused("sharing_policy", "cables here carry both ways at once; read is SPLITDUPLEX")
        if self.given.get("limiter_link"):
            if self.bandwidth("limiter_link") < 2 * self.mbs:
                why = "a node here sends and receives independently; read is what is no less than twice bw"
                raise self.refused("limiter_link", why)
            self.left_out.append(f"limiter_link {shown(self.given['limiter_link'])}")

    def find_levels(self):
        """down, up and parallel of each level, from the nodes up."""
        topology, told = self.given.get("topology") or "FLAT", self.given.get("topo_parameters", "")
        if topology not in ("FLAT", "FAT_TREE"):
            raise self.refused("topology", "read are FLAT, with or without a backbone, and FAT_TREE")
        self.levels = [(self.nodes, 1, 1)]
        if topology == "FLAT":
            return
        parts = [part.split(",") for part in told.split(";")]
        if len(parts) != 4 or len(parts[0]) != 1:
            raise self.refused("topo_parameters", "it has four parts with ';' between, as 2;4,4;1,2;1,2")
        count = self.whole("topo_parameters", parts[0][0], 16)
        for what, numbers in zip(("down", "up", "parallel"), parts[1:]):
            if len(numbers) != count:
                raise self.refused("topo_parameters", f"{len(numbers)} numbers {what} of {count} levels")
        self.levels = [
            tuple(self.whole("topo_parameters", numbers[level], MOST_NODES) for numbers in parts[1:])
            for level in range(count)
        ]
        carried = math.prod(level[0] for level in self.levels)
        if carried != self.nodes:
            raise self.refused("topo_parameters", f"it carries {carried} nodes, and radical has {self.nodes}")
        below, copies, cables = carried, 1, 0
        for down, up, parallel in self.levels:
            copies *= up
            cables += below * copies * parallel
            below //= down
        if cables > MOST_CABLES:
            why = f"it has {cables} cables; a machine has {MOST_CABLES} at most"
            raise self.refused("topo_parameters", why)

    def find_backbone(self):
        self.backbone, self.backbone_ps = None, 0
        # SimGrid has a backbone where its bandwidth or its latency is given.
        given = [key for key in ("bb_bw", "bb_lat") if self.given.get(key)]
        if not given:
            return
        if (self.given.get("topology") or "FLAT") != "FLAT":
            raise self.refused(given[0], "a fat tree has no backbone")
        self.backbone_ps = self.latency("bb_lat") if "bb_lat" in given else 0
        self.backbone = self.bandwidth("bb_bw")
        if self.given.get("bb_sharing_policy", "SHARED") == "FATPIPE":
            if self.backbone < self.mbs:
                why = "a backbone here carries one message at a time; with FATPIPE bb_bw is no less than bw"
                raise self.refused("bb_sharing_policy", why)
            self.backbone = None

    def text(self, source):
        wire = 2 * self.cable * min(len(self.levels), 2) + self.backbone_ps
        far = 2 * self.cable * len(self.levels) + self.backbone_ps + round(HOST_US * 1e6)
        lists = [" ".join(str(number) for number in numbers) for numbers in zip(*self.levels)]
        cables = " ".join([f"{self.cable / 1e3:.12g}"] * len(self.levels))
        shape = "radical" if len(self.levels) == 1 else "topo_parameters"
        ways = "lat, bb_lat" if self.backbone_ps else "lat"
        lines = [
            f"# Made of cluster '{shown(self.given.get('id', ''))}' in {source}, a platform of SimGrid",
            f"# [platform] {source}, line {self.line}",
            f"# What is not here is preset {PRESET}'s, a guess: cards, and what sending takes on a host.",
            "",
            "[machine]",
            f"preset = {PRESET} # guess",
            f"nodes = {self.nodes} # [platform] radical",
            f"processors = {self.processors} # [platform] core",
            "",
            "[network]",
            f"down = {lists[0]} # [platform] {shape}",
            f"up = {lists[1]} # [platform] {shape}",
            f"parallel = {lists[2]} # [platform] {shape}",
            f"bandwidth = {self.mbs:.12g} # MB/s; [platform] bw",
            f"cable = {cables} # ns; [platform] lat",
            "switch = 0 # ns; [platform] all is in lat",
            f"wire = {us(wire)} # us; [platform] {ways}, of a message's way",
        ]
        if self.backbone:
            lines.append(f"backbone = {self.backbone:.12g} # MB/s; [platform] bb_bw")
        lines += [
            "",
            "[hardware]",
            f"barrier = {us(far)} # us; guess: a message between the nodes that are farthest apart",
            f"broadcast = {us(far)} # us; guess: as the barrier",
            "",
            "[host]",
            f"latency = {us(wire + round(HOST_US * 1e6))} # us; wire, and {HOST_US} of the preset: guess",
            "",
            "[noise]",
            "daemons = 0 # a platform has none",
            "late_chance = 0 # a platform has none",
        ]
        return "\n".join(lines) + "\n"

    def told(self):
        down = " x ".join(str(level[0]) for level in reversed(self.levels))
        yield f"# nodes        {self.nodes}, below switches of {down} ports"
        yield f"# processors   {self.processors} a node"

    def told_last(self):
        return f"# left out     {'; '.join(self.left_out) or 'nothing'}"
