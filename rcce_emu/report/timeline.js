// SPDX-License-Identifier: Apache-2.0
// What each core does from when to when, with the messages between them and the critical path.
draw.timeline = (figure, place) => {
  const begun = figure.left_out > 0 && figure.slices.length > 0; // the figure shows the run's beginning
  const end = begun ? figure.slices.reduce((latest, [, , begin, duration]) => Math.max(latest, begin + duration), 0) : figure.end;
  if (begun)
    place.append(element("p", {class: "note"}, `The first ${number(figure.slices.length)} of ${number(figure.slices.length + figure.left_out)} slices of the run, up to ${quantity(end / 1e6, "us")}. rccerun --trace records all of them.`));
  const path = figure.path.filter(([, begin]) => begin < end);
  if (figure.path.length && figure.path[0][1] > 0)
    place.append(element("p", {class: "note"}, `Of the critical path the last ${number(figure.path.length)} parts are kept, from ${quantity(figure.path[0][1] / 1e6, "us")} on${path.length ? "" : ": behind what is drawn, see the numbers"}.`));
  const zoom = element("select", {"aria-label": "zoom"}, ...[1, 2, 4, 8, 16, 32, 64].map((factor) => element("option", {value: factor}, `${factor}\u00d7`)));
  place.append(element("div", {class: "controls"}, element("label", {}, "Zoom "), zoom));
  const holder = element("div", {class: "lanes", tabindex: 0, role: "group", "aria-label": "timeline, scrolls"});
  place.append(holder);
  const lane = 22, left = 46, top = 24;
  const rankName = (rank) => (rank < 0 ? "shared memory" : `rank ${rank}`);
  // Slices come as they end: what is inside a call comes before it, and is drawn on top of it.
  const unfinished = new Set((figure.unfinished ?? []).map((i) => figure.slices[i]));
  const byBegin = [...figure.slices].sort((a, b) => a[2] - b[2] || b[3] - a[3]);
  const awaited = {2: "the lock of rank", 3: "atomic counter"};
  const text = (slice) => {
    const [rank, kind, begin, duration, what, peer, bytes, on] = slice;
    const when = `\nfrom ${quantity(begin / 1e6, "us")} for ${quantity(duration / 1e6, "us")}` + (unfinished.has(slice) ? "\nnot over when the run was" : "");
    if (kind === 0) return `rank ${rank}: ${figure.calls[what]}${peer >= 0 ? `, ${quantity(bytes, "bytes")}, partner rank ${peer}` : ""}${when}`;
    if (kind === 3) return `rank ${rank}: waits${what >= 0 ? ` for ${awaited[on] ?? "a word in the buffer of rank"} ${what}` : ""}${peer >= 0 ? `\nended by rank ${peer}` : ""}${when}`;
    return `rank ${rank}: ${figure.kinds[kind]} ${quantity(bytes, "bytes")}, buffer of ${rankName(what)}${when}`;
  };
  const paint = () => {
    const wide = Math.max(300, holder.clientWidth - 4) * Number(zoom.value), high = top + figure.ranks * lane + 6;
    const x = (time) => left + ((wide - left - 8) * time) / end;
    const picture = shape("svg", {width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": figure.title}, activityPatterns());
    const ticks = Math.max(2, Math.floor(wide / 130));
    for (let i = 0; i <= ticks; ++i) {
      const time = (end * i) / ticks;
      picture.append(shape("line", {x1: x(time), x2: x(time), y1: top - 4, y2: high, stroke: ink("line")}));
      picture.append(shape("text", {x: x(time), y: 14, "font-size": 11, "text-anchor": i === 0 ? "start" : i === ticks ? "end" : "middle", class: "soft"}, quantity(time / 1e6, "us")));
    }
    for (let rank = 0; rank < figure.ranks; ++rank) picture.append(shape("text", {x: left - 8, y: top + rank * lane + 15, "font-size": 11, "text-anchor": "end", class: "soft"}, rank));
    byBegin.forEach((slice) => {
      const [rank, kind, begin, duration] = slice;
      // Second channel beside colour: height.
      const inset = [1, 4, 4, 7][kind];
      const drawn = shape("rect", {x: x(begin), width: Math.max(0.6, x(begin + duration) - x(begin)), y: top + rank * lane + inset, height: lane - 2 * inset - 1, rx: kind === 0 ? 3 : 1,
        fill: kind === 0 ? activities.compute.fill() : kind === 3 ? hue(3) : [null, activities.put, activities.get][kind].fill(), "data-kind": figure.kinds[kind],
        ...(unfinished.has(slice) ? {stroke: ink("bad"), "stroke-width": 1.2, "stroke-dasharray": "4 2", "data-unfinished": ""} : {})});
      hint(drawn, () => text(slice));
      picture.append(drawn);
    });
    if (figure.messages.length <= 400)
      for (const [sender, receiver, begin, duration] of figure.messages)
        picture.append(shape("line", {x1: x(begin), y1: top + (sender + 0.5) * lane, x2: x(begin + duration), y2: top + (receiver + 0.5) * lane, stroke: ink("ink"), "stroke-width": 0.8,
          opacity: 0.4, "pointer-events": "none", class: "message"}));
    if (path.length) {
      const middle = (rank) => top + (rank + 0.5) * lane, until = ([, begin, duration]) => x(Math.min(begin + duration, end));
      const way = path.map((stay, i) => `${i ? "V" : `M${x(stay[1])} `}${middle(stay[0])}H${until(stay)}`).join("");
      for (const more of [{stroke: ink("card"), "stroke-width": 5, opacity: 0.8}, {stroke: hue(2), "stroke-width": 2.4, class: "path"}])
        picture.append(shape("path", {d: way, fill: "none", "stroke-linejoin": "round", "pointer-events": "none", ...more}));
      path.forEach((stay, i) => {
        const [rank, begin, duration] = stay;
        const target = shape("line", {x1: x(begin), x2: until(stay), y1: middle(rank), y2: middle(rank), stroke: "transparent", "stroke-width": 5, "data-stay": `${rank} ${begin} ${duration}`});
        hint(target, () => `critical path, part ${i + 1} of ${figure.path.length}: rank ${rank}\nfrom ${quantity(begin / 1e6, "us")} for ${quantity(duration / 1e6, "us")}`);
        picture.append(target);
      });
    }
    holder.replaceChildren(picture);
  };
  zoom.addEventListener("change", paint);
  paint();
  const drawn = (line) => shape("svg", {width: 18, height: 14, viewBox: "0 0 18 14", "aria-hidden": "true"}, line);
  if (unfinished.size) legend(place, [[swatch(activities.compute.fill(), {stroke: ink("bad"), "stroke-width": 1.6, "stroke-dasharray": "4 2"}), "not over when the run was"]]);
  legend(place, [...(figure.slices.length ? [[activitySwatch("compute"), "inside a call (full height)"], ...["put", "get"].map((name) => [activitySwatch(name), activities[name].text]),
    [swatch(hue(3), {y: 5, height: 4, rx: 1}), "wait (thin)"]] : []),
  ...(figure.messages.length ? [[drawn(shape("line", {x1: 1, y1: 12, x2: 17, y2: 2, stroke: ink("ink"), opacity: 0.6})), "message, from its sender's begin to its receiver's end"]] : []),
  ...(path.length ? [[drawn(shape("path", {d: "M1 11H9V3H17", fill: "none", stroke: hue(2), "stroke-width": 2.4})), "critical path: the chain that made the end time"]] : [])]);
  if (figure.path.length)
    numbers(place, "Numbers: the critical path, rank by rank", [["rank", "1"], ["from", "us"], ["for", "us"]], figure.path.map(([rank, begin, duration]) => [rank, begin / 1e6, duration / 1e6]));
};
