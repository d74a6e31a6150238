// An algorithm's rounds on the mesh, one after the other: who gives to whom.
draw.schedule = (figure, place) => {
  const mesh = figure.mesh, count = figure.rounds.length;
  const perTile = new Map();
  for (const one of figure.places) {
    const at = `${one.x},${one.y}`;
    perTile.set(at, [...(perTile.get(at) ?? []), one]);
  }
  const most = Math.max(...[...perTile.values()].map((all) => all.length));
  const pitch = {x: Math.max(120, most * 44 + 44), y: 104}, circle = !mesh;
  const at = new Map();
  let width, height;
  if (circle) {
    const radius = Math.max(170, figure.places.length * 9);
    width = height = 2 * radius + 60;
    figure.places.forEach((one, i) => {
      const angle = (2 * Math.PI * i) / figure.places.length - Math.PI / 2;
      at.set(one.rank, [width / 2 + radius * Math.cos(angle), height / 2 + radius * Math.sin(angle)]);
    });
  } else {
    const ys = figure.places.map((one) => one.y), xs = figure.places.map((one) => one.x);
    const low = Math.min(...ys), high = Math.max(...ys), west = Math.min(...xs), east = Math.max(...xs);
    width = (east - west + 1) * pitch.x + 24;
    height = (high - low + 1) * pitch.y + 20;
    for (const [, all] of perTile)
      all.forEach((one, i) => at.set(one.rank, [12 + (one.x - west + 0.5) * pitch.x + (i - (all.length - 1) / 2) * 42, 10 + (high - one.y + 0.5) * pitch.y]));
  }
  const picture = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": figure.title});
  const id = `arrow-${place.id}`;
  picture.append(shape("defs", {}, ...["data", "signal"].map((kind) => shape("marker", {id: `${id}-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto"}, shape("path", {d: "M0 0.5 L8 4 L0 7.5 z", fill: "context-stroke"})))));
  if (!circle)
    for (const [, all] of perTile) {
      const xs = all.map((one) => at.get(one.rank)[0]), y = at.get(all[0].rank)[1];
      picture.append(shape("rect", {x: Math.min(...xs) - 25, y: y - 27, width: Math.max(...xs) - Math.min(...xs) + 50, height: 54, rx: 10, fill: ink("faint"), stroke: ink("line")}));
    }
  const edges = shape("g"), nodes = shape("g");
  picture.append(edges, nodes);
  const circles = new Map();
  for (const one of figure.places) {
    const [x, y] = at.get(one.rank);
    const drawn = shape("circle", {cx: x, cy: y, r: 15, stroke: ink("soft"), "stroke-width": 1.2, "data-rank": one.rank});
    const label = shape("text", {x, y: y + 4, "font-size": 11, "font-weight": 600, "text-anchor": "middle", "pointer-events": "none"}, one.rank);
    circles.set(one.rank, [drawn, label]);
    nodes.append(drawn, label);
  }
  const slider = element("input", {type: "range", min: 1, max: count, value: 1, "aria-label": "round"});
  const shown = element("output"), back = element("button", {type: "button"}, "\u2190 Back"), next = element("button", {type: "button"}, "Next \u2192");
  place.append(element("div", {class: "controls"}, back, next, slider, shown));
  place.append(element("div", {class: "scroll"}, element("div", {class: "drawing phone-wide"}, picture)));
  const paint = (to) => {
    const round = figure.rounds[to - 1];
    figure.shown = to;
    slider.value = to;
    back.disabled = to === 1;
    next.disabled = to === count;
    shown.textContent = `round ${to} of ${count}, by ${quantity(round.end_us, "us")}`;
    // Who has taken part so far is marked, who does in this round the more.
    const before = new Set(figure.root === null || figure.root === undefined ? [] : [figure.root]), now = new Set();
    figure.rounds.slice(0, to - 1).forEach((one) => one.edges.forEach((edge) => edge.data && before.add(edge.to)));
    round.edges.forEach((edge) => now.add(edge.to));
    for (const [rank, [drawn, label]] of circles) {
      const fill = now.has(rank) ? hue(1) : before.has(rank) ? hue(0) : ink("card");
      drawn.setAttribute("fill", fill);
      drawn.setAttribute("stroke-width", now.has(rank) ? 3 : 1.2);
      label.style.fill = now.has(rank) || before.has(rank) ? (isDark() ? "#10161c" : "#ffffff") : ink("ink");
    }
    edges.replaceChildren(...round.edges.map((edge) => {
      const [x1, y1] = at.get(edge.from), [x2, y2] = at.get(edge.to);
      const dx = x2 - x1, dy = y2 - y1, long = Math.hypot(dx, dy) || 1, bend = Math.min(34, long / 5);
      const start = [x1 + (dx / long) * 16, y1 + (dy / long) * 16], end = [x2 - (dx / long) * 17, y2 - (dy / long) * 17];
      const middle = [(x1 + x2) / 2 - (dy / long) * bend, (y1 + y2) / 2 + (dx / long) * bend];
      const path = shape("path", {d: `M${start} Q${middle} ${end}`, fill: "none", stroke: edge.data ? ink("ink") : ink("soft"), "stroke-width": edge.data ? 2 : 1.4, "stroke-dasharray": edge.data ? undefined : "4 4",
        "marker-end": `url(#${id}-${edge.data ? "data" : "signal"})`, "data-from": edge.from, "data-to": edge.to, "data-bytes": edge.bytes});
      hint(path, () => `rank ${edge.from} \u2192 rank ${edge.to}\n${edge.data ? quantity(edge.bytes, "bytes") : "signal"}, ${quantity(edge.begin_us, "us")} \u2013 ${quantity(edge.end_us, "us")}`);
      return path;
    }));
  };
  slider.addEventListener("input", () => paint(Number(slider.value)));
  back.addEventListener("click", () => paint(Math.max(1, Number(slider.value) - 1)));
  next.addEventListener("click", () => paint(Math.min(count, Number(slider.value) + 1)));
  legend(place, [[swatch(hue(1)), "receives in this round"], [swatch(hue(0)), "has taken part before"],
    [shape("svg", {width: 26, height: 14, viewBox: "0 0 26 14"}, shape("path", {d: "M1 7 H24", stroke: ink("ink"), "stroke-width": 2})), "data"],
    [shape("svg", {width: 26, height: 14, viewBox: "0 0 26 14"}, shape("path", {d: "M1 7 H24", stroke: ink("soft"), "stroke-width": 1.4, "stroke-dasharray": "4 4"})), "signal"]]);
  numbers(place, "Numbers: every edge of every round", [["round", "1"], ["from", "1"], ["to", "1"], ["data", "bytes"], ["begins", "us"], ["ends", "us"]],
    figure.rounds.flatMap((round) => round.edges.map((edge) => [round.round, edge.from, edge.to, edge.bytes, edge.begin_us, edge.end_us])));
  paint(Math.min(figure.shown ?? 1, count));
};
