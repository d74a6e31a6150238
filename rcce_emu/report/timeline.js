// SPDX-License-Identifier: Apache-2.0
// What each core does from when to when, with the messages between them.
draw.timeline = (figure, place) => {
  if (figure.left_out > 0) {
    const until = Math.max(...figure.slices.map(([, , begin, duration]) => begin + duration));
    place.append(element("p", {class: "note"}, `The first ${number(figure.slices.length)} of ${number(figure.slices.length + figure.left_out)} slices of the run, up to ${quantity(until / 1e6, "us")}. rccerun --trace records all of them.`));
  }
  const end = figure.left_out > 0 ? Math.max(...figure.slices.map(([, , begin, duration]) => begin + duration)) : figure.end;
  const zoom = element("select", {"aria-label": "zoom"}, ...[1, 2, 4, 8, 16, 32, 64].map((factor) => element("option", {value: factor}, `${factor}\u00d7`)));
  place.append(element("div", {class: "controls"}, element("label", {}, "Zoom "), zoom));
  const holder = element("div", {class: "timeline", tabindex: 0, role: "group", "aria-label": "timeline, scrolls"});
  place.append(holder);
  const lane = 22, left = 46, top = 24;
  const rankName = (rank) => (rank < 0 ? "shared memory" : `rank ${rank}`);
  // Slices come as they end: what is inside a call comes before it, and is drawn on top of it.
  const unfinished = new Set((figure.unfinished ?? []).map((i) => figure.slices[i]));
  const byBegin = [...figure.slices].sort((a, b) => a[2] - b[2] || b[3] - a[3]);
  const text = (slice) => {
    const [rank, kind, begin, duration, what, peer, bytes] = slice;
    const when = `\nfrom ${quantity(begin / 1e6, "us")} for ${quantity(duration / 1e6, "us")}` + (unfinished.has(slice) ? "\nnot over when the run was" : "");
    if (kind === 0) return `rank ${rank}: ${figure.calls[what]}${peer >= 0 ? `, ${quantity(bytes, "bytes")}, partner rank ${peer}` : ""}${when}`;
    if (kind === 3) return `rank ${rank}: waits${what >= 0 ? ` for a word in the buffer of rank ${what}` : ""}${peer >= 0 ? `\nended by rank ${peer}` : ""}${when}`;
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
    holder.replaceChildren(picture);
  };
  zoom.addEventListener("change", paint);
  paint();
  if (unfinished.size) legend(place, [[swatch(activities.compute.fill(), {stroke: ink("bad"), "stroke-width": 1.6, "stroke-dasharray": "4 2"}), "not over when the run was"]]);
  legend(place, [[activitySwatch("compute"), "inside a call (full height)"], ...["put", "get"].map((name) => [activitySwatch(name), activities[name].text]),
    [swatch(hue(3), {y: 5, height: 4, rx: 1}), "wait (thin)"],
    [shape("svg", {width: 18, height: 14, viewBox: "0 0 18 14"}, shape("line", {x1: 1, y1: 12, x2: 17, y2: 2, stroke: ink("ink"), opacity: 0.6})), "message, from its sender's begin to its receiver's end"]]);
};
