// SPDX-License-Identifier: Apache-2.0
// An algorithm's rounds, one after the other: who gives to whom. Where ranks and arrows lie is in the document.
draw.schedule = (figure, place) => {
  const choice = element("select", {"aria-label": "algorithm"}, ...figure.schedules.map((one, i) => element("option", {value: i}, one.title)));
  const holder = element("div");
  if (figure.schedules.length > 1) place.append(element("div", {class: "controls"}, element("label", {}, "Algorithm ", choice)));
  place.append(holder);
  const show = () => {
    figure.chosen = Number(choice.value);
    holder.replaceChildren();
    drawSchedule(figure.schedules[figure.chosen], holder, `${place.id}-arrow`);
  };
  choice.value = figure.chosen ?? 0;
  choice.addEventListener("change", show);
  if (figure.schedules.length) show();
};

const arrowHead = (id, kind) => shape("marker", {id: `${id}-${kind}`, class: kind, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
  markerUnits: "userSpaceOnUse", orient: "auto"}, shape("path", {d: "M0 0L8 4L0 8z"}));

function drawSchedule(schedule, place, id) {
  const {layout, rounds} = schedule, count = rounds.length;
  const picture = shape("svg", {viewBox: `0 0 ${layout.width} ${layout.height}`, role: "img", "aria-label": schedule.title},
    shape("defs", {}, arrowHead(id, "data"), arrowHead(id, "signal")));
  for (const [x, y, wide, high] of layout.tiles) picture.append(shape("rect", {class: "tile", x, y, width: wide, height: high, rx: 4}));
  const circles = layout.ranks.map(([x, y], rank) => {
    const circle = shape("circle", {cx: x, cy: y, r: layout.radius, "data-rank": rank});
    const at = schedule.places[rank];
    hint(circle, () => `rank ${rank}, ${schedule.place} ${at.core}`);
    picture.append(circle, shape("text", {x, y: y + 3.5, "pointer-events": "none"}, rank));
    return circle;
  });
  const edges = shape("g"), caption = shape("text", {class: "caption", x: 14, y: 24});
  picture.append(edges, caption);
  const slider = element("input", {type: "range", min: 1, max: Math.max(count, 1), value: 1, "aria-label": "round"});
  const shown = element("output"), back = element("button", {type: "button"}, "\u2190 Back"), next = element("button", {type: "button"}, "Next \u2192");
  if (count > 0) place.append(element("div", {class: "controls"}, back, next, slider, shown));
  place.append(element("div", {class: "drawing"}, picture));
  picture.style.maxWidth = `${1.6 * layout.width}px`;
  const paint = (to) => {
    const round = rounds[to - 1];
    schedule.shown = to;
    slider.value = to;
    back.disabled = to === 1;
    next.disabled = to === count;
    shown.textContent = `round ${to} of ${count}, by ${quantity(round.end_us, "us")}`;
    caption.textContent = `round ${to}: ${round.edges.length} edge${round.edges.length === 1 ? "" : "s"}`;
    // Who has taken part before, who gives and who gets in this round.
    const before = new Set(schedule.root === null ? [] : [schedule.root]);
    for (const one of rounds.slice(0, to - 1)) for (const edge of one.edges) before.add(edge.from).add(edge.to);
    const gives = new Set(round.edges.map((edge) => edge.from)), gets = new Set(round.edges.map((edge) => edge.to));
    circles.forEach((circle, rank) => circle.setAttribute("class", gets.has(rank) ? "gets" : gives.has(rank) ? "gives" : before.has(rank) ? "before" : "idle"));
    edges.replaceChildren(...round.edges.map((edge) => {
      const kind = edge.data ? "data" : "signal";
      const arrow = shape("path", {class: kind, d: edge.arrow, "marker-end": `url(#${id}-${kind})`, "data-from": edge.from, "data-to": edge.to, "data-bytes": edge.bytes,
        "data-begin": edge.begin_us, "data-end": edge.end_us});
      hint(arrow, () => `rank ${edge.from} \u2192 rank ${edge.to}\n${edge.data ? quantity(edge.bytes, "bytes") : "signal"}, ${quantity(edge.begin_us, "us")} \u2013 ${quantity(edge.end_us, "us")}`);
      return arrow;
    }));
  };
  slider.addEventListener("input", () => paint(Number(slider.value)));
  back.addEventListener("click", () => paint(Math.max(1, Number(slider.value) - 1)));
  next.addEventListener("click", () => paint(Math.min(count, Number(slider.value) + 1)));
  const circleOf = (kind) => shape("svg", {width: 16, height: 14, viewBox: "0 0 16 14"}, shape("circle", {class: kind, cx: 8, cy: 7, r: 5.5}));
  const lineOf = (kind) => shape("svg", {width: 26, height: 14, viewBox: "0 0 26 14"}, shape("path", {class: kind, d: "M1 7 H24"}));
  legend(place, [[circleOf("gets"), "gets something in this round"], [circleOf("gives"), "only gives"], [circleOf("before"), "has taken part before"],
    [circleOf("idle"), "not yet"], [lineOf("data"), "data"], [lineOf("signal"), "signal"]]);
  numbers(place, "Numbers: every edge of every round", [["round", "1"], ["from", "1"], ["to", "1"], ["data", "bytes"], ["begins", "us"], ["ends", "us"]],
    rounds.flatMap((round) => round.edges.map((edge) => [round.round, edge.from, edge.to, edge.bytes, edge.begin_us, edge.end_us])));
  if (count > 0) paint(Math.min(schedule.shown ?? 1, count));
}
