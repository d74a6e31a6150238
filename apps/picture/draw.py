# SPDX-License-Identifier: Apache-2.0
"""python3 draw.py PAGE.html > PICTURE.svg: from the report of `rccebench compare`, the die at the moment of
most load and the curves beside the published points. The same bytes for the same page; light and dark by what
the reader's system prefers."""

import json
import math
import re
import sys

WIDTH, HEIGHT = 1000, 430
HUES = ["#0072b2", "#d55e00", "#00805d", "#a8568a", "#14202b", "#8a6d00"]
DARK = ["#56b4e9", "#e69f00", "#1fc795", "#e08abf", "#e8edf2", "#f0e442"]
DASHES = ["", "8 4", "2 3", "10 4 2 4", "14 3", "5 2"]
RAMP = [(222, 245, 229), (150, 221, 181), (73, 193, 173), (53, 161, 171), (52, 128, 163), (58, 94, 156),
    (64, 61, 119)]
DARK_RAMP = [(68, 57, 131), (49, 104, 142), (33, 145, 140), (53, 183, 121), (144, 215, 67), (253, 231, 37)]
LEVELS = 8


def colour(stops, share):
    at = share * (len(stops) - 1)
    i = min(int(at), len(stops) - 2)
    return "#" + "".join(f"{round(a + (b - a) * (at - i)):02x}" for a, b in zip(stops[i], stops[i + 1]))


def style():
    rules = ["text{font:12px system-ui,sans-serif;fill:#14202b}"
             ".s{fill:#5a6875}.h{font-size:14px;font-weight:600}.g{stroke:#d8dee5}"
             ".t{fill:#fff;stroke:#8a96a1}.n{stroke:#d8dee5}.m{text-anchor:middle}.e{text-anchor:end}"]
    dark = [".s{fill:#9aa8b5}text{fill:#e8edf2}.g,.n{stroke:#2c3742}.t{fill:#161d24;stroke:#6b7884}"]
    for i, (light, night) in enumerate(zip(HUES, DARK)):
        rules.append(f".c{i}{{stroke:{light};fill:none}}.f{i}{{fill:{light};font-weight:700}}")
        dark.append(f".c{i}{{stroke:{night}}}.f{i}{{fill:{night}}}")
    for level in range(LEVELS):
        share = (level + 1) / LEVELS
        rules.append(f".l{level}{{stroke:{colour(RAMP, share)};fill:{colour(RAMP, share)}}}")
        dark.append(f".l{level}{{stroke:{colour(DARK_RAMP, share)};fill:{colour(DARK_RAMP, share)}}}")
    return "".join(rules) + "@media(prefers-color-scheme:dark){" + "".join(dark) + "}"


def us(value):
    for size, unit in ((1e6, "s"), (1e3, "ms"), (1, "\u00b5s")):
        if value >= size:
            return f"{value / size:.4g} {unit}"
    return f"{value * 1e3:.4g} ns"


def die(figure, left, top):
    """The bin in which links carry most."""
    loads = figure["links"]
    moment = max(range(figure["bins"]), key=lambda i: sum(load["bins"][i] for load in loads))
    most = max(load["bins"][moment] for load in loads)
    ports = {(load["x"], load["y"]): load["bins"][moment] for load in figure["ports"]}
    most_port = max(1, *ports.values())
    pitch_x, pitch_y, width, height = 76, 82, 46, 46
    out = []
    place = lambda x, y: (left + x * pitch_x, top + (figure["rows"] - 1 - y) * pitch_y)
    for load in loads:
        x, y = place(load["x"], load["y"])
        cx, cy = x + width / 2, y + height / 2
        line = {"east": (x + width + 2, cy - 5, x + pitch_x - 4, cy - 5),
                "west": (x - 2, cy + 5, x - pitch_x + width + 4, cy + 5),
                "north": (cx - 5, y - 2, cx - 5, y - pitch_y + height + 4),
                "south": (cx + 5, y + height + 2, cx + 5, y + pitch_y - 4)}[load["port"]]
        share = load["bins"][moment] / most
        level = f"l{min(LEVELS - 1, int(share * LEVELS))}" if share > 0 else "n"
        title = f'<title>{load["name"].replace(">", "&gt;")}: {load["bins"][moment] / 10:.3g} %</title>'
        out.append('<line x1="%g" y1="%g" x2="%g" y2="%g" class="%s" stroke-width="%.2g">' %
                   (*line, level, 1.5 + 6 * share) + title + "</line>")
    ranks = {}
    for core in figure["cores"]:
        ranks.setdefault((core["x"], core["y"]), []).append(core["rank"])
    for y in range(figure["rows"]):
        for x in range(figure["columns"]):
            px, py = place(x, y)
            out.append(f'<rect x="{px}" y="{py}" width="{width}" height="{height}" rx="7" class="t"/>')
            share = ports.get((x, y), 0) / most_port
            if share > 0.1:
                out.append(f'<rect x="{px + 5}" y="{py + height - 11}" width="{(width - 10) * share:.3g}" '
                           f'height="5" rx="2.5" class="l{min(LEVELS - 1, int(share * LEVELS))}" '
                           f'stroke="none"/>')
            names = " ".join(map(str, ranks.get((x, y), [])))
            out.append(f'<text x="{px + width / 2}" y="{py + 22}" class="m">{names}</text>')
    caption = f"links by load: colour and width, busiest {most / 10:.3g} %; bars: message buffers"
    out.append(f'<text x="{left}" y="{top + 3 * pitch_y + height + 34}" class="s">{caption}</text>')
    return out


def curves(figure, left, top, width, height):
    points = [point for one in figure["series"] for point in one["points"]]
    low_x, high_x = (f([math.log2(x) for x, _ in points if x <= 2e5]) for f in (min, max))
    shown = [(x, y) for x, y in points if math.log2(x) <= high_x]
    low_y = math.floor(min(math.log10(y) for _, y in shown))
    high_y = math.ceil(max(math.log10(y) for _, y in shown))
    at = lambda x, y: (left + width * (math.log2(x) - low_x) / (high_x - low_x),
                       top + height * (high_y - math.log10(y)) / (high_y - low_y))
    out = []
    for power in range(low_y, high_y + 1):
        y = at(2 ** low_x, 10 ** power)[1]
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.5g}" y2="{y:.5g}" class="g"/>'
                   f'<text x="{left - 6}" y="{y + 4:.5g}" class="s e">{us(10 ** power)}</text>')
    for bytes_, name in ((32, "32 B"), (1024, "1 KiB"), (8192, "8 KiB"), (65536, "64 KiB")):
        out.append(f'<text x="{at(bytes_, 1)[0]:.5g}" y="{top + height + 18}" class="s m">{name}</text>')
    for one in figure["crossovers"]:
        x = at(one["at"], 1)[0]
        out.append(f'<line x1="{x:.5g}" x2="{x:.5g}" y1="{top}" y2="{top + height}" '
                   'class="g" stroke-dasharray="3 3"/>')
    hue, labels = {}, []
    for one in figure["series"]:
        i = hue.setdefault(one.get("of", one["name"]), len(hue) % len(HUES))
        placed = [at(x, y) for x, y in one["points"] if math.log2(x) <= high_x]
        if one["style"] == "points":
            out += [f'<circle cx="{x:.5g}" cy="{y:.5g}" r="5" class="c{i}" stroke-width="2"/>'
                    for x, y in placed]
            continue
        line = " ".join(f"{x:.5g},{y:.5g}" for x, y in placed)
        out.append(f'<polyline points="{line}" class="c{i}" stroke-width="2.2" '
                   f'stroke-dasharray="{DASHES[i]}"/>')
        labels.append([placed[-1][1], i, one["name"]])
    labels.sort()
    for before, label in zip(labels, labels[1:]):
        label[0] = max(label[0], before[0] + 15)
    out += [f'<text x="{left + width + 7}" y="{y + 4:.5g}" class="f{i}">{name}</text>'
            for y, i, name in labels]
    out.append(f'<text x="{left}" y="{top + height + 40}" class="s">'
               "size of the message; rings: published measurements of the chip</text>")
    return out


def main(path):
    with open(path, encoding="utf-8") as page:
        document = json.loads(re.search(r'id="document">(.*?)</script>', page.read(), re.S).group(1))
    of = {figure["kind"] + figure["title"]: figure for figure in document["figures"]}
    time = of["curvesTime on 48 cores"]
    choice = next(figure for figure in document["figures"] if figure["kind"] == "choice")
    fastest = choice["choices"][0]
    picture = next(figure for figure in fastest["figures"] if figure["kind"] == "die")
    winner = fastest["name"]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
             'aria-label="broadcasts on the simulated SCC">',
             f"<style>{style()}</style>",
             f'<text x="20" y="24" class="h">The die while {winner} sends 190 KB to 48 cores</text>',
             *die(picture, 20, 46),
             '<text x="540" y="24" class="h">Broadcast to 48 cores: simulated time</text>',
             *curves(time, 556, 46, 300, 310), "</svg>"]
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    print("\n".join(parts))


main(sys.argv[1])
