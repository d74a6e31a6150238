// SPDX-License-Identifier: Apache-2.0
// The die: tiles with their cores, the links between them, memory controllers, all by what they carry, over the whole run or in
// one piece of it.
draw.die = (figure, place) => {
  const phone = onPhone(), letters = phone ? 2 : 1;
  const pitch = phone ? {x: 150, y: 140} : {x: 168, y: 132}, tile = {width: 104, height: 76}, margin = phone ? 74 : 92;
  const large = figure.columns * figure.rows > 64;
  const left = (x) => margin + x * pitch.x;
  const top = (y) => 18 + (figure.rows - 1 - y) * pitch.y;
  const width = 2 * margin + (figure.columns - 1) * pitch.x + tile.width;
  const height = 36 + (figure.rows - 1) * pitch.y + tile.height;
  let bin = -1; // -1: the whole run

  // --- what is shown: shares in [0, 1], of the run or of a bin
  const share = (load) => (load === undefined ? 0 : bin < 0 ? load.share_percent / 100 : load.bins[bin] / 1000);
  const loads = [...figure.links, ...figure.ports, ...figure.controller_loads];
  const peak = () => Math.max(0, ...loads.flatMap((load) => (bin < 0 ? [load.share_percent / 100] : load.bins.map((one) => one / 1000))));
  // One scale for all, from nothing to a round share: what is hardly busy is drawn so. The reader may choose another.
  const tops = [0.01, 0.1, 0.2, 0.5, 1], least = 0.1;
  let top1 = 1;
  const setScale = () => { top1 = figure.scale || (tops.find((one) => one >= Math.max(peak(), least)) ?? 1); };
  const degree = (part) => Math.min(part / top1, 1);
  const binStart = () => bin * figure.bin_us;
  const binEnd = () => Math.min((bin + 1) * figure.bin_us, figure.end_us);
  const period = () => (bin < 0 ? "whole run" : `${quantity(binStart(), "us")} \u2013 ${quantity(binEnd(), "us")}`);
  const loadText = (load, name) => (load === undefined ? `${name}\nno traffic` :
    `${load.name}, ${period()}\nbusy ${quantity(100 * share(load), "%")}` +
    (bin < 0 ? ` (${quantity(load.busy_us, "us")})\n${number(load.packets)} packets, ${quantity(load.bytes, "bytes")}\nqueued for ${quantity(load.queued_us, "us")}` : ""));

  // --- controls
  const slider = element("input", {type: "range", min: 0, max: figure.bins, value: 0, step: 1, "aria-label": "simulated time"});
  const shown = element("output", {}, "whole run");
  const play = element("button", {type: "button", "aria-pressed": "false"}, "Play");
  const scale = element("select", {"aria-label": "scale of the load", class: "scale"}, element("option", {value: 0}, "scale fits"),
    ...tops.map((one) => element("option", {value: one}, `0 to ${100 * one}\u202f%`)));
  scale.value = figure.scale || 0;
  const modelled = figure.contended !== false;
  place.append(element("p", {class: "note"}, (modelled ? "Colour and width show the share of time in which a link, a buffer (the bar under a tile's cores) or a memory controller " +
    "is busy, all on one scale. " : "Links, buffers and memory controllers are not simulated in this run (contention off), so they are not drawn. ") +
    "Each core shows what it does. Move the slider through simulated time. Point at anything for its numbers."));
  place.append(element("div", {class: "controls"}, play, slider, shown, modelled ? scale : null));

  // --- drawing
  const picture = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "tiles, cores, links and memory controllers"}, activityPatterns());
  picture.append(shape("defs", {}, shape("marker", {id: "head", viewBox: "0 0 8 8", refX: 6.5, refY: 4, markerWidth: 12, markerHeight: 12, markerUnits: "userSpaceOnUse", orient: "auto"},
    shape("path", {d: "M0 0.8 L8 4 L0 7.2 z", fill: "context-stroke"}))));
  picture.append(shape("defs", {}, shape("marker", {id: "head-waits", viewBox: "0 0 8 8", refX: 6.5, refY: 4, markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto"},
    shape("path", {d: "M0 0.8 L8 4 L0 7.2 z", fill: ink("bad")}))));
  const repaint = [];

  const linkAt = new Map(figure.links.map((load) => [`${load.x},${load.y},${load.port}`, load]));
  const line = (x, y, port) => {
    const gap = 9, cx = left(x) + tile.width / 2, cy = top(y) + tile.height / 2, w = tile.width / 2 + 3, h = tile.height / 2 + 3;
    const far = {x: pitch.x - 2 * w, y: pitch.y - 2 * h};
    const inside = port === "east" ? x + 1 < figure.columns : port === "west" ? x > 0 : port === "north" ? y + 1 < figure.rows : y > 0;
    const reach = inside ? 1 : 0.42; // a wrap-around link leaves the picture
    if (port === "east") return [cx + w, cy - gap, cx + w + far.x * reach, cy - gap, inside];
    if (port === "west") return [cx - w, cy + gap, cx - w - far.x * reach, cy + gap, inside];
    if (port === "north") return [cx - gap, cy - h, cx - gap, cy - h - far.y * reach, inside];
    return [cx + gap, cy + h, cx + gap, cy + h + far.y * reach, inside];
  };
  const labels = shape("g", {"font-size": 10, "text-anchor": "middle", "pointer-events": "none"});
  for (let y = 0; modelled && y < figure.rows; ++y)
    for (let x = 0; x < figure.columns; ++x)
      for (const port of ["east", "west", "north", "south"]) {
        const load = linkAt.get(`${x},${y},${port}`);
        const [x1, y1, x2, y2, inside] = line(x, y, port);
        if (!inside && load === undefined) continue;
        const name = `link(${x},${y})->${port}`;
        const drawn = shape("line", {x1, y1, x2, y2, "marker-end": "url(#head)", "data-name": name});
        const target = shape("line", {x1, y1, x2, y2, stroke: "transparent", "stroke-width": 17, "data-target": name, ...(load && !large ? {tabindex: -1} : {})});
        hint(target, () => loadText(load, name));
        picture.append(drawn, target);
        const label = shape("text", {x: (x1 + x2) / 2 + (port === "north" ? -14 : port === "south" ? 14 : 0), y: (y1 + y2) / 2 + (port === "east" ? -6 : port === "west" ? 13 : 4)});
        labels.append(label);
        repaint.push(() => {
          const part = share(load), of = degree(part);
          drawn.setAttribute("stroke", part > 0 ? ramp(0.12 + 0.88 * of) : ink("line"));
          drawn.setAttribute("stroke-width", part > 0 ? 2 + 7 * of : 1.2);
          drawn.setAttribute("data-share", part);
          label.textContent = !large && !phone && part >= 0.01 && part > 0.6 * peak() ? `${Math.round(100 * part)}%` : "";
        });
      }

  const portAt = new Map(figure.ports.map((load) => [`${load.x},${load.y}`, load]));
  const coresAt = new Map();
  for (const core of figure.cores) {
    const at = `${core.x},${core.y}`;
    coresAt.set(at, [...(coresAt.get(at) ?? []), core]);
  }
  const doing = (core) => {
    // Over the whole run: the mean of the bins, the last of which may be shorter.
    const part = (name) => {
      if (bin >= 0) return core[name][bin] / 1000;
      return core[name].reduce((sum, one, i) => sum + (one / 1000) * (Math.min((i + 1) * figure.bin_us, figure.end_us) - i * figure.bin_us), 0) / figure.end_us;
    };
    const parts = ["put", "get", "access", "wait"].map((name) => [name, part(name)]);
    const [from, to] = bin < 0 ? [0, figure.end_us] : [binStart(), binEnd()];
    const idle = to > from ? Math.max(0, Math.min(to - core.end_us, to - from)) / (to - from) : 0;
    const code = Math.max(0, 1 - idle - parts.reduce((sum, [, one]) => sum + one, 0));
    return [...parts, ["compute", code < 0.0005 ? 0 : code], ["idle", idle]];
  };
  for (let y = 0; y < figure.rows; ++y)
    for (let x = 0; x < figure.columns; ++x) {
      const port = portAt.get(`${x},${y}`), name = `mpb(${x},${y})`;
      const group = shape("g", {transform: `translate(${left(x)} ${top(y)})`});
      group.append(shape("rect", {width: tile.width, height: tile.height, rx: 9, fill: ink("card"), stroke: ink("soft"), "stroke-width": 1.2}));
      if (!phone) group.append(shape("text", {x: tile.width / 2, y: 12.5, "font-size": 10, "text-anchor": "middle", class: "soft"}, `(${x},${y})`));
      const bar = shape("rect", {x: 8, y: tile.height - 13, height: 7, rx: 3.5, "data-name": name});
      const frame = shape("rect", {x: 8, y: tile.height - 13, width: tile.width - 16, height: 7, rx: 3.5, fill: ink("faint"), stroke: ink("line")});
      hint(frame, () => loadText(port, name));
      bar.style.pointerEvents = "none";
      if (modelled) group.append(frame, bar);
      repaint.push(() => {
        const part = share(port), of = degree(part);
        bar.setAttribute("width", (tile.width - 16) * of);
        bar.setAttribute("fill", ramp(0.12 + 0.88 * of));
        bar.setAttribute("data-share", part);
      });
      const cores = coresAt.get(`${x},${y}`) ?? [];
      const slots = Math.max(figure.cores_per_tile, cores.length), side = Math.min(40, (tile.width - 16 - 6 * (slots - 1)) / slots), down = 40;
      for (let slot = 0; slot < slots; ++slot) {
        const core = cores[slot];
        const at = (tile.width - slots * side - (slots - 1) * 6) / 2 + slot * (side + 6);
        const box = shape("g", {transform: `translate(${at} 17)`});
        box.append(shape("rect", {width: side, height: down, rx: 5, fill: "none", stroke: ink("line"), ...(core ? {} : {"stroke-dasharray": "3 3"})}));
        group.append(box);
        if (!core) continue;
        const parts = doing(core).map(([name]) => {
          const rect = shape("rect", {width: side, fill: activities[name].fill(), "data-part": name});
          box.append(rect);
          return rect;
        });
        box.setAttribute("data-core", core.core);
        box.append(shape("rect", {width: side, height: down, rx: 5, fill: "none", stroke: ink("soft"), "stroke-width": 0.8}));
        if (side >= 16) {
          const wide = Math.min(side, 19 * letters);
          box.append(shape("rect", {x: (side - wide) / 2, y: down / 2 - 7.5 * letters, width: wide, height: 15 * letters, rx: 4, fill: ink("card"), opacity: 0.86}));
          box.append(shape("text", {x: side / 2, y: down / 2 + 4 * letters, "font-size": 11 * letters, "font-weight": 600, "text-anchor": "middle"}, core.rank));
        }
        hint(box, () => `rank ${core.rank} (core ${core.core}), ${period()}\n` + doing(core).map(([name, part]) => `${activityText(name, figure)} ${quantity(Math.round(part * 1000) / 10, "%")}`).join("\n"));
        repaint.push(() => {
          let above = down;
          doing(core).forEach(([, part], i) => {
            const high = Math.min(part, 1) * down;
            above = Math.max(0, above - high);
            parts[i].setAttribute("y", above);
            parts[i].setAttribute("height", high);
          });
        });
      }
      picture.append(group);
    }

  const controllerAt = new Map(figure.controller_loads.map((load) => [load.name, load]));
  const places = new Map(); // several may stand at one tile
  for (const controller of modelled ? figure.controllers : []) {
    const load = controllerAt.get(controller.name);
    const before = places.get(`${controller.x},${controller.y}`) ?? 0;
    places.set(`${controller.x},${controller.y}`, before + 1);
    const west = controller.x < figure.columns / 2;
    const x = west ? left(controller.x) - (phone ? 70 : 82) : left(controller.x) + tile.width + (phone ? 10 : 22);
    const edge = controller.x === 0 || controller.x === figure.columns - 1;
    const y = top(controller.y) + 20 + 34 * before;
    const box = shape("g", {transform: edge ? `translate(${x} ${y})` : `translate(${left(controller.x) + tile.width - 20} ${top(controller.y) - 24})`});
    const rect = shape("rect", {width: 60, height: 30 * (phone ? 1.6 : 1), rx: 6, stroke: ink("soft"), "data-name": controller.name});
    const text = shape("text", {x: 30, y: phone ? 20 : 13, "font-size": phone ? 18 : 10, "font-weight": 600, "text-anchor": "middle"}, controller.name.replace("controller", phone ? "M" : "memory"));
    const value = shape("text", {x: 30, y: phone ? 41 : 25, "font-size": phone ? 18 : 10, "text-anchor": "middle"});
    box.append(rect, text, value);
    hint(box, () => loadText(load, controller.name));
    picture.append(box);
    repaint.push(() => {
      const part = share(load), of = degree(part);
      rect.setAttribute("fill", part > 0 ? ramp(0.12 + 0.88 * of) : ink("faint"));
      rect.setAttribute("data-share", part);
      for (const one of [text, value]) one.style.fill = part > 0 ? onRamp(0.12 + 0.88 * of) : ink("soft");
      value.textContent = `${number(Math.round(part * 1000) / 10)}%`;
    });
  }
  picture.append(labels);

  // --- who waits for whom when the run was over: from the core that waits
  const centre = (core) => {
    const cores = coresAt.get(`${core.x},${core.y}`), slots = Math.max(figure.cores_per_tile, cores.length);
    const side = Math.min(40, (tile.width - 16 - 6 * (slots - 1)) / slots), slot = cores.indexOf(core);
    return [left(core.x) + (tile.width - slots * side - (slots - 1) * 6) / 2 + slot * (side + 6) + side / 2, top(core.y) + 37];
  };
  const coreOf = new Map(figure.cores.map((core) => [core.rank, core]));
  for (const [rank, other, since, inCycle] of figure.waits ?? []) {
    if (!coreOf.has(other)) continue;
    const [x1, y1] = centre(coreOf.get(rank)), [x2, y2] = centre(coreOf.get(other));
    const far = Math.hypot(x2 - x1, y2 - y1) || 1, bend = Math.min(46, 16 + far / 9), back = 13 / far;
    const mx = (x1 + x2) / 2 - ((y2 - y1) / far) * bend, my = (y1 + y2) / 2 + ((x2 - x1) / far) * bend;
    const way = rank === other ? `M${x1 - 8} ${y1 - 12} C${x1 - 26} ${y1 - 52} ${x1 + 26} ${y1 - 52} ${x1 + 9} ${y1 - 13}` // for itself
      : `M${x1} ${y1} Q${mx} ${my} ${x2 + (mx - x2) * back} ${y2 + (my - y2) * back}`;
    const drawn = shape("path", {d: way, fill: "none", stroke: ink("bad"), "stroke-width": inCycle ? 3 : 1.2,
      ...(inCycle ? {} : {"stroke-dasharray": "3 3"}), "marker-end": "url(#head-waits)", "data-waits": `${rank} ${other}`, "data-cycle": inCycle, "pointer-events": "stroke"});
    hint(drawn, () => `rank ${rank} waits for rank ${other} since ${quantity(since, "us")}${inCycle ? "\nin a cycle: none of its ranks can go on" : ""}`);
    picture.append(drawn);
  }
  place.append(element("div", {class: "drawing"}, picture));

  // --- legend
  const scaleText = element("span", {class: "scale-top"});
  const gradient = () => {
    const drawn = shape("svg", {width: 130, height: 14, viewBox: "0 0 130 14", "aria-hidden": "true"});
    for (let i = 0; i < 26; ++i) drawn.append(shape("rect", {x: i * 5, y: 7 - (1 + 6 * i / 25), width: 5.3, height: 2 * (1 + 6 * i / 25), fill: ramp(0.12 + 0.88 * i / 25)}));
    return drawn;
  };
  const arrow = (more) => shape("svg", {width: 24, height: 14, viewBox: "0 0 24 14", "aria-hidden": "true"}, shape("path", {d: "M1 11 Q12 -3 22 9", fill: "none", stroke: ink("bad"), ...more}));
  const waits = figure.waits ?? [];
  legend(place, [...(modelled ? [[gradient(), element("span", {}, "busy: nothing to ", scaleText, " of the time")]] : []),
    ...["compute", "put", "get", "access", "wait", "idle"].map((name) => [activitySwatch(name), activityText(name, figure)]),
    ...(waits.some(([, , , inCycle]) => inCycle) ? [[arrow({"stroke-width": 3}), "waits for, in a cycle"]] : []),
    ...(waits.some(([, , , inCycle]) => !inCycle) ? [[arrow({"stroke-width": 1.2, "stroke-dasharray": "3 3"}), "waits for"]] : [])]);

  // --- load over time
  const times = Array.from({length: figure.bins}, (none, i) => (i + 0.5) * figure.bin_us);
  const over = (loads, how) => times.map((none, i) => (loads.length ? how(loads.map((load) => load.bins[i] / 10)) : 0));
  const most = (values) => Math.max(...values), mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const waiting = times.map((none, i) => mean(figure.cores.map((core) => core.wait[i] / 10)));
  let plot;
  const set = (to) => {
    bin = to - 1;
    figure.shown = to; // the page may be drawn anew
    slider.value = to;
    shown.textContent = period();
    slider.setAttribute("aria-valuetext", period());
    setScale();
    repaint.forEach((one) => one());
    scaleText.textContent = quantity(100 * top1, "%");
    plot?.redraw(false);
  };
  set(figure.shown ?? 0);
  plot = chart(place, [
    ...(modelled ? [{name: "busiest link", values: over(figure.links, most), color: hue(0), dash: dash(0), letter: "A"},
      {name: "busiest buffer", values: over(figure.ports, most), color: hue(1), dash: dash(1), letter: "B"},
      {name: "busiest controller", values: over(figure.controller_loads, most), color: hue(2), dash: dash(2), letter: "C"}] : []),
    {name: "cores waiting", values: waiting, color: hue(3), dash: dash(3), letter: "D"},
  ], {
    x: {values: times, unit: "us", label: "simulated time"}, y: {unit: "%", label: "share of time, %", range: [0, 100]}, height: 220,
    marks: () => (bin < 0 ? [] : [{x: (bin + 0.5) * figure.bin_us}]), onIndex: (i) => set(i + 1),
  });
  scale.addEventListener("change", () => {
    figure.scale = Number(scale.value);
    set(Number(slider.value));
  });
  slider.addEventListener("input", () => set(Number(slider.value)));
  let timer;
  play.addEventListener("click", () => {
    const start = timer === undefined;
    clearInterval(timer);
    timer = undefined;
    play.setAttribute("aria-pressed", String(start));
    play.textContent = start ? "Stop" : "Play";
    if (start) timer = setInterval(() => (place.isConnected ? set(Number(slider.value) % figure.bins + 1) : clearInterval(timer)), 140);
  });

  numbers(place, "Numbers: links, buffers and controllers over the whole run", [["resource", ""], ["busy", "us"], ["share", "%"], ["packets", "1"], ["bytes", "bytes"], ["queued", "us"]],
    [...figure.links, ...figure.ports, ...figure.controller_loads].sort((a, b) => b.busy_us - a.busy_us)
      .map((load) => [load.name, load.busy_us, load.share_percent, load.packets, load.bytes, load.queued_us]));
};
