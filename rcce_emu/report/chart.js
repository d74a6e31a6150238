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

// The letter of each series at the last value that it has.
function drawLetters(chart, series) {
  const {ctx, bbox} = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${11 * scale}px system-ui, sans-serif`;
  ctx.textBaseline = "middle";
  const taken = [];
  series.forEach((one, i) => {
    if (!one.letter || !chart.series[i + 1].show) return;
    const values = chart.data[i + 1];
    let last = values.length - 1;
    while (last >= 0 && (values[last] === null || values[last] === undefined)) --last;
    if (last < 0) return;
    const x = chart.valToPos(chart.data[0][last], "x", true);
    let y = chart.valToPos(values[last], "y", true);
    while (taken.some((other) => Math.abs(other - y) < 12 * scale)) y += 12 * scale;
    taken.push(y);
    ctx.fillStyle = one.color;
    ctx.fillText(one.letter, Math.min(x + 5 * scale, bbox.left + bbox.width + 4 * scale), y);
  });
  ctx.restore();
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
    width: Math.max(240, holder.clientWidth || place.clientWidth - 24), height: options.height ?? 340, padding: [12, options.small ? 10 : 26, 0, 0],
    scales: {x: scale(options.x), y: scale(options.y)},
    axes: [axis(options.x, 38), axis(options.y, 64)],
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
  return made;
}
