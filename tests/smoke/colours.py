# SPDX-License-Identifier: Apache-2.0
"""Are the report's colours told apart with any colour vision? Simulates deuteranopia, protanopia and
tritanopia by the matrices of Machado, Oliveira and Fernandes (A Physiologically-based Model for Simulation of
Color Vision Deficiency, 2009, severity 1) and measures distances in CIELAB (CIE 1976, D65). python3
colours.py BASE.JS STYLE.CSS"""

import itertools
import pathlib
import re
import sys

VISIONS = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
    (0.004733, 0.691367, 0.303900)),
}
# A step of 2.3 is the smallest that trained eyes see side by side. Lines lie apart, and have dashes and
# letters beside their colours:
NEIGHBOURS = 12  # two that follow each other in the list
FIRST_FIVE = 10  # any two of the first five lines, which most figures do not exceed
STOPS = 8  # neighbouring stops of the scale of loads
STATES = 12  # what ranks of a schedule are filled with, data and signals


def linear(part):
    part /= 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def lab(colour, vision):
    """L*, a*, b* of an sRGB colour as it is seen."""
    parts = [linear(part) for part in colour]
    red, green, blue = (min(1, max(0, sum(weight * part for weight, part in zip(row, parts))))
        for row in VISIONS[vision])
    xyz = (
        (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047,
        0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
        (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883,
    )
    x, y, z = (value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116 for value in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one, other, vision):
    return sum((a - b) ** 2 for a, b in zip(lab(one, vision), lab(other, vision))) ** 0.5


def from_hex(text):
    return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))


def check(name, pairs, least, faults):
    for vision in VISIONS:
        distance, one, other = min((apart(a, b, vision), a, b) for a, b in pairs)
        print(f"{name}, {vision}: at least {distance:.1f}")
        if distance < least:
            faults.append(f"{name}, {vision}: {one} and {other} are {distance:.1f} apart, wanted {least}")


def main(base, style):
    program, sheet = (pathlib.Path(path).read_text(encoding="utf-8") for path in (base, style))
    hues = {mode: [from_hex(one) for one in re.findall(r'"(#[0-9a-f]{6})"', row)]
            for mode, row in re.findall(r"(light|dark): \[((?:\"#[0-9a-f]{6}\"(?:, )?)+)\]", program)}
    ramps = {mode: [tuple(map(int, stop.split(", "))) for stop in re.findall(r"\[(\d+, \d+, \d+)\]", row)]
             for mode, row in re.findall(r"(light|dark): \[((?:\[\d+, \d+, \d+\](?:, )?)+)\]", program)}
    states = {mode: dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", row))
              for mode, row in (("light", re.search(r"\n\.schedule svg \{(.*)\}", sheet)[1]),
                  ("dark", re.search(r"\.dark \.schedule svg \{(.*)\}", sheet)[1]))}
    faults = []
    for mode in ("light", "dark"):
        lines, stops = hues[mode], ramps[mode]
        assert len(lines) == 16 and len(stops) >= 7, (mode, lines, stops)
        check(f"lines that follow each other, {mode}", list(zip(lines, lines[1:])), NEIGHBOURS, faults)
        if len(set(lines)) != len(lines):
            faults.append(f"two lines have the same colour, {mode}: {lines}")
        check(f"the first five lines, {mode}", list(itertools.combinations(lines[:5], 2)), FIRST_FIVE, faults)
        check(f"stops of the scale, {mode}", list(zip(stops, stops[1:])), STOPS, faults)
        state = {name: from_hex(colour) for name, colour in states[mode].items()}
        check(f"ranks of a schedule, {mode}",
            [(state["gets"], state["gives"]), (state["data"], state["signal"])], STATES, faults)
        for vision in VISIONS:
            light = [lab(stop, vision)[0] for stop in stops]
            if light != sorted(light, reverse=mode == "light"):
                faults.append(f"the scale's lightness turns back, {mode}, {vision}: {light}")
    # Beside its colour every line has a dash of its own.
    dashes = re.search(r"const dashes = \[(.*)\];", program)[1]
    dashes = re.findall(r"\[[^\]]*\]", dashes)
    if len(set(dashes)) != len(dashes) or len(dashes) < 16:
        faults.append(f"dashes are not sixteen different ones: {dashes}")
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
