// SPDX-License-Identifier: Apache-2.0
// Curves by uPlot: an axis each way, dashes and letters beside colours, the values under the pointer in the legend.

// Sizes and times of an axis as people write them.
function axisText(unit) {
  return (value) => (value === null ? "" : steps[unit] || unit === "MiB/s" ? quantity(value, unit) : number(value));
}
// What its label has to say because its marks do not.
const axisLabel = (of) => (steps[of.unit] || ["MiB/s", "1", "", undefined].includes(of.unit) ? of.label : `${of.label} (${of.unit})`);

// Marks that stand beside the curves: {x, y?, text}; vertical lines where y is missing.
function drawMarks(chart, marks) {
  const {ctx, bbox} = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `${11 * scale}px system-ui, sans-serif`;
  for (const mark of marks) {
    const x = chart.valToPos(mark.x, "x", true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = ink("soft");
    if (mark.y === undefined) {
      ctx.setLineDash([3 * scale, 3 * scale]);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    } else {
      const y = chart.valToPos(mark.y, "y", true);
      ctx.setLineDash([]);
      ctx.lineWidth = 1.5 * scale;
      ctx.beginPath();
      ctx.arc(x, y, 6 * scale, 0, 2 * Math.PI);
      ctx.stroke();
    }
  }
  ctx.restore();
}

// The letter of each series beside the last value that it has. Letters that would stand on each other are spread, each with a line to
// its curve's end.
function drawLetters(chart, series) {
  const {ctx, bbox} = chart;
  const scale = devicePixelRatio, apart = 12 * scale;
  const ends = [];
  series.forEach((one, i) => {
    if (!one.letter || !chart.series[i + 1].show) return;
    const values = chart.data[i + 1];
    const last = values.findLastIndex((value) => value !== null && value !== undefined);
    if (last >= 0) ends.push({one, x: chart.valToPos(chart.data[0][last], "x", true), y: chart.valToPos(values[last], "y", true)});
  });
  ctx.save();
  ctx.font = `600 ${11 * scale}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  for (const x of new Set(ends.map((end) => end.x))) {
    const column = ends.filter((end) => end.x === x).sort((a, b) => a.y - b.y);
    const step = Math.min(apart, bbox.height / column.length), bottom = bbox.top + bbox.height;
    const places = column.map((end) => end.y);
    // Neighbours push each other apart by halves, and those at the ends stay inside.
    for (let round = 0; round < 200; ++round) {
      for (let i = 1; i < places.length; ++i) {
        const lacking = step - (places[i] - places[i - 1]);
        if (lacking > 0) places[i - 1] -= lacking / 2, places[i] += lacking / 2;
      }
      const above = bbox.top - places[0], below = places[places.length - 1] - bottom;
      if (above > 0) places[0] += above;
      if (below > 0) places[places.length - 1] -= below;
    }
    column.forEach(({one, y}, i) => {
      ctx.fillStyle = ctx.strokeStyle = one.color;
      ctx.beginPath();
      ctx.moveTo(x + 3 * scale, y);
      ctx.lineTo(x + 17 * scale, places[i]);
      ctx.stroke();
      ctx.fillText(one.letter, x + 19 * scale, places[i]);
    });
  }
  ctx.restore();
}

// What stands for a series in the legend: its line with its dash, or its ring.
function mark(one) {
  const drawn = one.points ? shape("circle", {cx: 17, cy: 6, r: 4, fill: "none", stroke: one.color, "stroke-width": 2})
    : shape("line", {x1: 0, x2: 34, y1: 6, y2: 6, stroke: one.color, "stroke-width": 2.5, "stroke-dasharray": (one.dash ?? []).join(" ")});
  return shape("svg", {class: "mark", width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true"}, drawn);
}

// series: {name, values, color, dash, letter, points (no line), width}. options: {x: {values, unit, label, log}, y: {unit, label,
// log, max}, height, marks, onIndex, small}.
function chart(place, series, options) {
  const holder = element("div", {class: "chart"});
  place.append(holder);
  const axis = (of, size) => ({
    stroke: ink("soft"), grid: {stroke: ink("line"), width: 1}, ticks: {stroke: ink("line"), width: 1}, label: axisLabel(of), labelSize: 22, size,
    // Steps of sizes are powers of two, so that their marks are whole KiB.
    ...(of.unit === "bytes" && !of.log ? {incrs: Array.from({length: 40}, (none, i) => 2 ** i), space: 84} : {}),
    ...(of.unit === "1" && !of.log ? {incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4]} : {}),
    font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    values: (self, splits) => splits.map((value) => (value === null ? "" : axisText(of.unit)(value))),
    ...(of.log === 2 ? {filter: (self, splits) => splits.map((value) => (value !== null && (splits.length < 10 || Math.log2(value) % 2 === 0) ? value : null))} : {}),
    ...(of.log === 10 ? {filter: (self, splits) => splits.map((value) => (value !== null && Math.abs(Math.log10(value) % 1) < 1e-9 ? value : null))} : {}),
  });
  const scale = (of) => ({time: false, ...(of.log ? {distr: 3, log: of.log} : {}), ...(of.range ? {range: of.range} : {})});
  const made = new uPlot({
    width: Math.max(240, holder.clientWidth || place.clientWidth - 24), height: options.height ?? 340, padding: [12, options.small ? 10 : 34, 0, 0],
    scales: {x: scale(options.x), y: scale(options.y)},
    axes: [axis(options.x, 38), axis(options.y, 80)],
    cursor: {drag: {x: false, y: false}, points: {size: 8}},
    legend: {show: true},
    series: [
      {label: options.x.label, value: (self, value) => axisText(options.x.unit)(value)},
      ...series.map((one) => ({
        label: one.letter ? `${one.letter} ${one.name}` : one.name, stroke: one.color, width: one.points ? 0 : one.width ?? 2, dash: one.dash, spanGaps: true,
        points: {show: Boolean(one.points) || Boolean(one.dots), size: one.points ? 10 : 6, stroke: one.color, fill: one.points ? "transparent" : one.color, width: 2},
        value: (self, value) => (value === null || value === undefined ? "-" : quantity(value, options.y.unit)),
        ...(one.points ? {paths: () => null} : {}),
      })),
    ],
    hooks: {
      draw: [(self) => drawMarks(self, options.marks?.() ?? []), (self) => drawLetters(self, series)],
      ...(options.onIndex ? {ready: [(self) => self.over.addEventListener("click", () => self.cursor.idx !== null && options.onIndex(self.cursor.idx))]} : {}),
    },
  }, [options.x.values, ...series.map((one) => one.values)], holder);
  [...made.root.querySelectorAll(".u-legend .u-series")].slice(1).forEach((row, i) => row.querySelector(".u-marker")?.replaceWith(mark(series[i])));
  return made;
}
