# SPDX-License-Identifier: Apache-2.0
"""Opens reports in a headless Chromium: no complaint, every figure drawn, the numbers those of the page's
JSON; slider, hover, themes, a phone's width and paper work. python3 report_page.py FOLDER PAGE..."""

import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

FLAGS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync --window-size=1200,1000""".split()


# Arrows that come closer to the middle of a rank at neither end than its circle's rim, looked at every second
# pixel at most. Browsers take long to say where a path is; an arrow is of lines and quadratic curves.
THROUGH_CIRCLES = """
const ranks = [...arguments[0].querySelectorAll("circle[data-rank]")].map(one => ({rank: one.dataset.rank,
  x: one.cx.baseVal.value, y: one.cy.baseVal.value, r: one.r.baseVal.value})), found = [];
for (const path of arguments[0].querySelectorAll("path[data-from]")) {
  const {from, to} = path.dataset, others = ranks.filter(({rank}) => rank !== from && rank !== to);
  const parts = path.getAttribute("d").match(/[A-Za-z][^A-Za-z]*/g);
  let before = [];
  for (const part of parts) {
    const numbers = part.slice(1).split(" ").map(Number), [x2, y2] = numbers.slice(-2);
    if (numbers.length !== {M: 2, L: 2, Q: 4}[part[0]] || numbers.some(isNaN)) throw Error(parts.join(""));
    const [x0, y0] = part[0] === "M" ? [x2, y2] : before;
    const [x1, y1] = part[0] === "Q" ? numbers : [(x0 + x2) / 2, (y0 + y2) / 2];
    const steps = Math.ceil(Math.max(Math.hypot(x1 - x0, y1 - y0), Math.hypot(x2 - x1, y2 - y1))) + 1;
    for (let step = 0; step <= steps; ++step) {
      const t = step / steps, u = 1 - t;
      const x = u * u * x0 + 2 * u * t * x1 + t * t * x2, y = u * u * y0 + 2 * u * t * y1 + t * t * y2;
      for (const one of others)
        if (Math.hypot(x - one.x, y - one.y) < one.r) found.push([from, to, one.rank]);
    }
    before = [x2, y2];
  }
}
return found;
"""


def same(shown, wanted, what):
    assert math.isclose(float(shown), float(wanted), rel_tol=1e-12,
        abs_tol=1e-9), f"{what}: {shown} is shown, {wanted} in the JSON"


def text_number(text):
    """The number that a text begins with, and its unit's factor."""
    words = text.replace("\u202f", " ").replace("\u00a0", " ").split(" ")
    digits = [word for word in words if word.replace(".", "").isdigit()]
    return float("".join(digits))


class Page:
    def __init__(self, driver, path):
        self.driver = driver
        driver.get(path.as_uri())
        self.document = json.loads(driver.execute_script(
            "return document.getElementById('document').textContent"))
        assert self.document["schema"] == "rockcreek-report" and self.document["version"] == 1
        assert driver.title == self.document["title"]

    def figure(self, kind):
        """Its JSON and its element; none where the page has no such figure."""
        for i, figure in enumerate(self.document["figures"]):
            if figure["kind"] == kind:
                return figure, self.driver.find_element(By.ID, f"figure-{i}")
        return None, None

    def attributes(self, place, selector, *names):
        """Of all elements of that place, at once."""
        return self.driver.execute_script(
            "return [...arguments[0].querySelectorAll(arguments[1])].map(e => arguments[2].map(n => "
            "e.getAttribute(n)))",
            place, selector, names)

    def texts(self, place, selector=":scope"):
        """What a reader sees of all elements of that place, at once; WebDriver's own words take long."""
        return self.driver.execute_script("return (arguments[1] === ':scope' ? [arguments[0]] : "
            "[...arguments[0].querySelectorAll(arguments[1])]).map(e => e.innerText)", place, selector)

    def hint_at(self, target):
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
        ActionChains(self.driver, duration=20).move_to_element(target).perform()
        box = self.driver.find_element(By.ID, "hint")
        assert box.is_displayed(), "no hint"
        return box.text

    def check(self):
        driver = self.driver
        complaints = driver.get_log("browser")
        assert not complaints, complaints
        assert driver.execute_script(
            "return performance.getEntriesByType('resource').length") == 0, "something was fetched"
        figures = self.document["figures"]
        places = driver.find_elements(By.TAG_NAME, "section")
        assert [place.get_attribute("class") for place in places] == [figure["kind"] for figure in figures]
        for figure, place in zip(figures, places):
            drawn = driver.execute_script("return arguments[0].querySelectorAll('svg *').length", place)
            assert drawn > 3 or figure["kind"] in ("claims", "table",
                "curves") or figure.get("cells") == [], f"{figure['title']}: nothing is drawn"
        for ink in driver.execute_script("""return [...document.querySelectorAll('canvas')].map(c => {
            const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0;
            for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; })"""):
            assert ink > 500, "an empty chart"
        for shown, fact in zip(self.attributes(driver.find_element(By.TAG_NAME, "main"), ".facts b",
            "data-value"), self.document["facts"]):
            same(shown[0], fact["value"], fact["name"])
        assert driver.find_element(By.ID, "command").text == self.document["command"]
        parameters = self.attributes(driver.find_element(By.ID, "parameters"), "td[data-value]", "data-value")
        assert [cell[0] for cell in parameters] == [row[1]
            for row in self.document["parameters"]] and len(parameters) > 20
        self.verdict()
        for kind, method in (("die", self.die), ("split", self.split), ("matrix", self.matrix),
            ("timeline", self.timeline)):
            figure, place = self.figure(kind)
            if figure:
                method(figure, place)
        for figure, place in zip(figures, places):
            if figure["kind"] == "curves":
                self.curves(figure, place)
            elif figure["kind"] == "table":
                self.cells(place, [cell for row in figure["rows"] for cell in row])
            elif figure["kind"] in ("map", "histogram", "claims", "schedule", "choice"):
                getattr(self, figure["kind"])(figure, place)
        assert not driver.get_log("browser")

    def choice(self, figure, place):
        """Each of the runs is drawn as it is chosen, by itself."""
        select = Select(place.find_element(By.TAG_NAME, "select"))
        assert [option.text for option in select.options] == [one["name"]
            for one in figure["choices"]] and len(figure["choices"]) > 1
        for one in (figure["choices"][-1], figure["choices"][0]):
            select.select_by_visible_text(one["name"])
            parts = place.find_elements(By.CSS_SELECTOR, "[data-part-of]")
            assert [part.get_attribute("class") for part in parts] == [part["kind"]
                for part in one["figures"]]
            for part, shown in zip(one["figures"], parts):
                if part["kind"] == "die":
                    assert len(shown.find_elements(By.CSS_SELECTOR, "[data-core]")) == len(part["cores"])
                elif part["kind"] == "timeline":
                    assert part["path"], f"{one['name']}: no critical path"
                    self.timeline(part, shown)
                elif part["kind"] == "split":
                    self.split(part, shown)
                elif part["kind"] == "matrix":
                    self.matrix(part, shown)
                    got = {cell[1]: 0 for cell in part["cells"] if cell[1] != 0}
                    for cell in part["cells"]:
                        if cell[1] != 0:
                            got[cell[1]] += cell[3]
                    assert got and all(size >= 1000
                        for size in got.values()), f"{one['name']}: who sends to whom: {part['cells']}"

    def verdict(self):
        """A run that has failed says so first, and who waits for whom is drawn."""
        boxes = self.driver.find_elements(By.CLASS_NAME, "verdict")
        verdict = self.document.get("verdict")
        assert len(boxes) == (verdict is not None)
        if not verdict:
            return
        assert self.driver.find_element(By.TAG_NAME, "h1").text.startswith(verdict["title"])
        assert boxes[0].text.split("\n")[0] == verdict["lines"][0] and verdict["lines"][-1].strip() in boxes[
            0].text
        figure, place = self.figure("die")
        drawn = self.attributes(place, "path[data-waits]", "data-waits", "data-cycle")
        assert drawn == [[f"{rank} {other}", str(cycle).lower()] for rank, other, _,
            cycle in figure["waits"]] and drawn
        figure, place = self.figure("matrix")
        (text,) = self.texts(place)
        assert "No messages" not in text and ("Messages under way" in text) == (figure["unfinished"] != [])
        figure, place = self.figure("timeline")
        assert len(place.find_elements(By.CSS_SELECTOR, "rect[data-unfinished]")) == len(
            figure["unfinished"]) > 0

    def die(self, figure, place):
        loads = {load["name"]: load for name in ("links", "ports", "controller_loads")
            for load in figure[name]}
        names = "line[data-name], rect[data-name]"

        def shown(share):
            found = self.attributes(place, names, "data-name", "data-share")
            assert set(loads) <= {name for name, _ in found}
            for name, value in found:
                same(value, share(loads[name]) if name in loads else 0, name)

        assert len(place.find_elements(By.CSS_SELECTOR, "[data-core]")) == len(figure["cores"])
        shown(lambda load: load["share_percent"] / 100)
        # Through simulated time, by keyboard.
        slider, output = place.find_element(By.CSS_SELECTOR,
            "input[type=range]"), place.find_element(By.TAG_NAME, "output")
        assert output.text == "whole run" and int(slider.get_attribute("max")) == figure["bins"]
        slider.send_keys(Keys.ARROW_RIGHT)
        slider.send_keys(Keys.ARROW_RIGHT)
        assert text_number(output.text.split("\u2013")[0]) > 0
        shown(lambda load: load["bins"][min(1, figure["bins"] - 1)] / 1000)
        slider.send_keys(Keys.END)
        shown(lambda load: load["bins"][-1] / 1000)
        slider.send_keys(Keys.HOME)
        assert output.text == "whole run"
        if figure["links"]:
            busiest = max(figure["links"], key=lambda load: load["busy_us"])
            hint = self.hint_at(place.find_element(By.CSS_SELECTOR, f"[data-target='{busiest['name']}']"))
            assert busiest["name"] in hint and f"{busiest['packets']:,}".replace(",",
                "\u202f") + " packets" in hint, hint
            assert abs(text_number(hint.split("busy ")[1].split("%")[0])
                - busiest["share_percent"]) < 0.001 * busiest["share_percent"], hint
        rows = self.attributes(place, ".numbers td", "data-value")
        assert len(rows) == 6 * len(loads)
        for i in range(0, len(rows), 6):
            load = loads[rows[i][0]]
            for cell, key in zip(rows[i + 1:i + 6],
                ("busy_us", "share_percent", "packets", "bytes", "queued_us")):
                same(cell[0], load[key], f"{load['name']} {key}")
        # A click on the load's chart goes there.
        over = place.find_element(By.CSS_SELECTOR, ".u-over")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", over)
        ActionChains(self.driver, duration=20).move_to_element(over).click().perform()
        assert figure["bins"] == 1 or output.text != "whole run"
        slider.send_keys(Keys.HOME)

    def split(self, figure, place):
        found = self.attributes(place, "[data-part]", "data-part", "data-value")
        wanted = [(part, value) for row in figure["rows"] for part,
            value in zip(figure["parts"], row["values"])]
        assert len(found) == len(wanted)
        for (part, value), (wanted_part, wanted_value) in zip(found, wanted):
            assert part == wanted_part
            same(value, wanted_value, part)
        end = sum(figure["rows"][0]["values"])
        for row in figure["rows"]:
            same(sum(row["values"]), end, row["name"])
        hint = self.hint_at(place.find_element(By.CSS_SELECTOR, "[data-row]"))
        assert figure["rows"][0]["name"] in hint

    def matrix(self, figure, place):
        found = self.attributes(place, "[data-sender]", "data-sender", "data-receiver", "data-messages",
            "data-bytes")
        assert sorted([int(word) for word in cell] for cell in found) == sorted(figure["cells"])
        if found:
            hint = self.hint_at(place.find_element(By.CSS_SELECTOR, "[data-sender]"))
            messages = f"{int(found[0][2]):,}".replace(",", "\u202f")
            assert f"rank {found[0][0]}" in hint and (f"{messages} message"
                if int(found[0][2]) else "puts and gets") in hint, hint

    def timeline(self, figure, place):
        assert len(place.find_elements(By.CSS_SELECTOR, "[data-kind]")) == len(figure["slices"])
        zoom = place.find_element(By.TAG_NAME, "select")
        before = place.find_element(By.CSS_SELECTOR, ".lanes svg").size["width"]
        zoom.send_keys("4")
        assert place.find_element(By.CSS_SELECTOR, ".lanes svg").size["width"] > 3.5 * before
        self.path(figure, place)

    def path(self, figure, place):
        """The critical path: a line that goes on where it was at each change of rank, and its numbers."""
        end = figure["end"] if figure["left_out"] == 0 else max(one[2] + one[3] for one in figure["slices"])
        drawn = [one for one in figure["path"] if one[1] < end]
        stays = self.attributes(place, "[data-stay]", "data-stay", "x1", "x2", "y1")
        assert [stay[0] for stay in stays] == [" ".join(str(value) for value in one) for one in drawn]
        for before, after in zip(stays, stays[1:]):
            same(after[1], before[2], "where the path goes on")
        lanes = {rank: float(y) for (rank, *_), (_, _, _, y) in zip(drawn, stays)}
        for rank, y in lanes.items():
            same(y - lanes[drawn[0][0]], 22 * (rank - drawn[0][0]), f"the lane of rank {rank}")
        assert len(place.find_elements(By.CSS_SELECTOR, "path.path")) == bool(drawn)
        assert ("critical path" in place.find_elements(By.CLASS_NAME, "legend")[-1].text) == bool(drawn)
        self.cells(place, [value for rank, begin, duration in figure["path"][:3000]
            for value in (rank, begin / 1e6, duration / 1e6)])
        kept = re.search(r"the last (\S+) parts are kept", self.texts(place)[0].replace("\u202f", ""))
        assert (kept and int(kept[1])) == (len(figure["path"]) if figure["path"] and figure["path"][0][1] > 0
            else None)
        if drawn:
            last = place.find_elements(By.CSS_SELECTOR, "[data-stay]")[-1]
            hint = self.driver.execute_script("arguments[0].dispatchEvent(new Event('pointerenter')); "
                "return document.getElementById('hint').textContent", last)
            assert hint.startswith(f"critical path, part {len(drawn)} of {len(figure['path'])}: "
                                   f"rank {drawn[-1][0]}"), hint

    def cells(self, place, wanted):
        found = [cell[0] for cell in self.attributes(place, "td[data-value]", "data-value")]
        assert len(found) == len(wanted), place.text[:80]
        for shown, value in zip(found, wanted):
            if isinstance(value, bool) or value is None or isinstance(value, str):
                assert shown == {True: "true", False: "false", None: ""}.get(value,
                    value) if not isinstance(value, str) else shown == value
            else:
                same(shown, value, "a cell")

    def curves(self, figure, place):
        self.cells(place, [cell for one in figure["series"] for point in one["points"]
            for cell in (one["name"], *point)])
        # The legend says what the curves have under the pointer.
        over = place.find_element(By.CSS_SELECTOR, ".u-over")
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", over)
        ActionChains(self.driver, duration=20).move_to_element(over).perform()
        marks = self.attributes(place, ".u-legend .mark > *", "stroke", "stroke-dasharray")
        lines = [tuple(mark) for mark, one in zip(marks, figure["series"]) if one["style"] != "points"]
        assert len(marks) == len(figure["series"]) and len(set(lines)) == len(
            lines), f"two curves look the same: {lines}"
        values = self.texts(place, ".u-legend .u-value")
        assert len(values) == 1 + len(figure["series"]) and any(word[:1].isdigit()
            for word in values[1:]), values
        if any(one["style"] == "points" for one in figure["series"]):
            assert figure.get("rings",
                "Rings are published values.") in self.texts(place)[0], "nothing says what the rings are"
        if figure["crossovers"]:
            assert "gives way to" in place.find_element(By.CSS_SELECTOR, ".crossovers").text

    def histogram(self, figure, place):
        found = [int(cell[0]) for cell in self.attributes(place, "[data-bin] [data-value]", "data-value")]
        assert found == [one["counts"][i] for i in range(len(figure["bins"])) for one in figure["series"]]

    def map(self, figure, place):
        found = self.attributes(place, "[data-winner]", "data-cores", "data-bytes", "data-winner", "data-us")
        assert len(found) == len(figure["cells"])
        for shown, (cores, size, winner, us) in zip(found, figure["cells"]):
            assert shown[:3] == [str(cores), str(size), figure["winners"][winner]]
            same(shown[3], us, "time")
        hint = self.hint_at(place.find_element(By.CSS_SELECTOR, "[data-winner]"))
        assert found[0][2] in hint, hint

    def claims(self, figure, place):
        found = self.attributes(place, "tr[data-holds]", "data-holds", "data-id")
        assert found == [[str(row["holds"]).lower(), row.get("id", "")] for row in figure["rows"]]
        numbers = self.attributes(place, "td[data-simulated]", "data-simulated")
        for shown, row in zip(numbers, figure["rows"]):
            if isinstance(row["simulated"], (int, float)) and not isinstance(row["simulated"], bool):
                same(shown[0], row["simulated"], row["statement"])
        choice = place.find_element(By.TAG_NAME, "select")
        choice.send_keys("failed")
        failed = sum(not row["holds"] for row in figure["rows"])
        assert self.driver.execute_script("return [...arguments[0].querySelectorAll('tr[data-holds]')]"
            ".filter(row => row.checkVisibility()).length", place) == failed
        choice.send_keys("all")

    def schedule(self, figure, place):
        """Every algorithm, by its choice; of the first and the last every round, by its buttons."""
        assert figure["schedules"], "no schedule"
        choice = place.find_elements(By.TAG_NAME, "select")
        assert len(choice) == (len(figure["schedules"]) > 1)
        for i, schedule in enumerate(figure["schedules"]):
            if choice:
                self.driver.execute_script("arguments[0].value = arguments[1]; "
                                           "arguments[0].dispatchEvent(new Event('change'))", choice[0], i)
            assert len(self.attributes(place, "circle[data-rank]", "data-rank")) == len(schedule["places"])
            self.cells(place, [edge_value for one in schedule["rounds"] for edge in one["edges"]
                               for edge_value in (one["round"],
                                   *(edge[name] for name in ("from", "to", "bytes", "begin_us", "end_us")))])
            if schedule["rounds"] and i in (0, len(figure["schedules"]) - 1):
                self.steps(schedule, place)

    def steps(self, schedule, place):
        buttons = place.find_elements(By.TAG_NAME, "button")
        back, forward = [next(button for button in buttons if word in button.text)
            for word in ("Back", "Next")]
        output, slider, rounds = place.find_element(By.TAG_NAME,
            "output"), place.find_element(By.CSS_SELECTOR, "input[type=range]"), schedule["rounds"]
        part = set() if schedule["root"] is None else {schedule["root"]}

        def shown(i):
            found = self.attributes(place, "path[data-from]", "data-from", "data-to", "data-bytes",
                "data-begin", "data-end", "class", "d")
            wanted = rounds[i]["edges"]
            assert len(found) == len(wanted)
            for (giver, taker, *numbers, kind, path), edge in zip(found, wanted):
                assert (giver, taker, kind, path) == (str(edge["from"]), str(edge["to"]),
                    "data" if edge["data"] else "signal", edge["arrow"])
                for number, name in zip(numbers, ("bytes", "begin_us", "end_us")):
                    same(number, edge[name], name)
            through = self.driver.execute_script(THROUGH_CIRCLES, place)
            assert not through, f"round {i + 1}: arrows run through ranks: {through}"
            assert output.text.startswith(f"round {i + 1} of {len(rounds)}, by ")
            classes = self.attributes(place, "circle[data-rank]", "class")
            gets, gives = ({edge[name] for edge in wanted} for name in ("to", "from"))
            for rank, (kind,) in enumerate(classes):
                assert kind == ("gets" if rank in gets else "gives" if rank in gives else "before"
                    if rank in part else "idle"), (rank, kind)

        assert not back.is_enabled()
        for i, one in enumerate(rounds):
            shown(i)
            part |= {edge[name] for edge in one["edges"] for name in ("from", "to")}
            if i + 1 < len(rounds):
                self.driver.execute_script("arguments[0].click()", forward)
        assert not forward.is_enabled()
        hint = self.hint_at(place.find_element(By.CSS_SELECTOR, "circle[data-rank='0']"))
        assert hint.startswith(f"rank 0, {schedule['place']} {schedule['places'][0]['core']}"), hint
        part = set() if schedule["root"] is None else {schedule["root"]}
        slider.send_keys(Keys.HOME)
        shown(0)

    def other_looks(self):
        """The dark theme, a phone, paper."""
        driver = self.driver
        paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        button = driver.find_element(By.CSS_SELECTOR, "button.theme")
        driver.execute_script("arguments[0].click()", button)
        driver.execute_script("arguments[0].click()", driver.find_element(By.CSS_SELECTOR, "button.theme"))
        assert driver.execute_script("return getComputedStyle(document.body).backgroundColor") != paper
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True})
        driver.get(driver.current_url)
        assert driver.execute_script(
            "return document.documentElement.scrollWidth") <= 390, "wider than a phone"
        # Nothing is cut off: drawings and tables, opened, are as wide as the page. A timeline scrolls.
        driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
        wide = driver.execute_script(
            """return [...document.querySelectorAll('.table, .drawing, .scroll, .chart')]
            .filter(e => e.scrollWidth > e.clientWidth + 1)
            .map(e => `${e.className} ${e.scrollWidth} > ${e.clientWidth}`)""")
        assert not wide, wide
        for value in driver.find_elements(By.CSS_SELECTOR, "td[data-published], td[data-simulated]")[:20]:
            assert 0 <= value.rect["x"] and value.rect["x"] + value.rect[
                "width"] <= 390, "a statement hides its values"
        assert len(driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]) > 20000
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        assert not driver.get_log("browser")


def main(folder, *names):
    looks = ["deadlock.html", "compare.html", "phi.html"]
    if os.environ.get("WHOLE"):
        looks.append("machines.html")
    profile = tempfile.mkdtemp(dir=folder)
    options = webdriver.ChromeOptions()
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
    try:
        for name in names:
            page = Page(driver, pathlib.Path(folder) / name)
            page.check()
            if name in looks:
                page.other_looks()
            print(f"{name}: {len(page.document['figures'])} figures")
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


main(*sys.argv[1:])
