// SPDX-License-Identifier: Apache-2.0
// Curves against a size or a number, one line per name, published points over them, crossovers marked; histograms.

// Lines have a colour, a dash and a letter; points a ring in the colour of the line that they are of.
function styled(figure) {
  const line = new Map();
  return figure.series.map((one) => {
    const of = one.of ?? one.name;
    if (!line.has(of)) line.set(of, line.size);
    const i = line.get(of);
    return {...one, color: hue(i), dash: dash(i), letter: one.style === "points" ? undefined : String.fromCharCode(65 + i % 26)};
  });
}

// uPlot wants one list of x for all series.
function aligned(series) {
  const xs = [...new Set(series.flatMap((one) => one.points.map(([x]) => x)))].sort((a, b) => a - b);
  return [xs, series.map((one) => {
    const at = new Map(one.points);
    return xs.map((x) => at.get(x) ?? null);
  })];
}

draw.curves = (figure, place) => {
  const series = styled(figure), [xs, values] = aligned(series);
  const logX = figure.x.log && xs[0] > 0, logY = figure.y.log && series.every((one) => one.points.every(([, y]) => y > 0));
  const most = Math.max(...series.flatMap((one) => one.points.map(([, y]) => y)));
  chart(place, series.map((one, i) => ({name: one.name, values: values[i], color: one.color, dash: one.dash, letter: one.letter, points: one.style === "points", dots: xs.length <= 24})), {
    x: {values: xs, unit: figure.x.unit, label: figure.x.name, log: logX ? 2 : undefined},
    y: {unit: figure.y.unit, label: figure.y.name, log: logY ? 10 : undefined, range: logY ? undefined : [0, most * 1.05 || 1]},
    marks: () => (figure.crossovers ?? []).map((one) => ({x: one.at})),
  });
  const crossed = (figure.crossovers ?? []).map((one) => `${one.from} gives way to ${one.to} at about ${quantity(one.at, figure.x.unit)}`);
  if (crossed.length) place.append(element("p", {class: "note crossovers"}, `Dashed lines: ${crossed.join("; ")}.`));
  if (series.some((one) => one.style === "points")) place.append(element("p", {class: "note"}, figure.rings ?? "Rings are published values."));
  numbers(place, "Numbers: every point", [["curve", ""], [figure.x.name, figure.x.unit], [figure.y.name, figure.y.unit]],
    figure.series.flatMap((one) => one.points.map(([x, y]) => [one.name, x, y])));
};

draw.histogram = (figure, place) => {
  const width = onPhone() ? 480 : 1040, high = 220, left = 56, bottom = 40, rows = figure.bins.length, step = (width - left) / rows;
  const most = Math.max(1, ...figure.series.flatMap((one) => one.counts));
  // Logarithmic: the tail is what one looks for.
  const y = (count) => (count <= 0 ? 0 : high * (0.08 + 0.92 * Math.log(count) / Math.max(Math.log(most), 1e-9)));
  const fills = ["url(#bars-0)", "url(#bars-1)", "url(#bars-2)", "url(#bars-3)"].slice(0, figure.series.length);
  const patterns = () => shape("defs", {}, ...fills.map((none, i) => hatch(`bars-${i}`, i === 0 ? hue(0) : ink("card"), hue(i), ["", "lines", "dots", "bars"][i])));
  const picture = shape("svg", {viewBox: `0 0 ${width} ${high + bottom}`, role: "img", "aria-label": figure.title}, patterns());
  for (let count = 1; count <= most; count *= 10) {
    picture.append(shape("line", {x1: left, x2: width, y1: high - y(count) + 4, y2: high - y(count) + 4, stroke: ink("line")}));
    picture.append(shape("text", {x: left - 6, y: high - y(count) + 8, "font-size": 12, "text-anchor": "end", class: "soft"}, number(count)));
  }
  const part = step / figure.series.length;
  figure.bins.forEach(([from, to], i) => {
    const group = shape("g", {transform: `translate(${left + i * step} 4)`, "data-bin": from});
    figure.series.forEach((one, k) => {
      const h = y(one.counts[i]);
      group.append(shape("rect", {x: k * part + 0.5, width: Math.max(0.5, part - 1), y: high - h, height: h, fill: fills[k], stroke: hue(k), "stroke-width": 0.7, "data-value": one.counts[i]}));
    });
    group.append(shape("rect", {width: step, height: high, fill: "transparent"}));
    hint(group, () => `${quantity(from, figure.unit)} \u2013 ${quantity(to, figure.unit)}\n` + figure.series.map((one) => `${one.name}: ${number(one.counts[i])}`).join("\n"));
    picture.append(group);
    if (i % Math.ceil(64 / step) === 0) picture.append(shape("text", {x: left + i * step, y: high + 22, "font-size": 11, "text-anchor": "middle", class: "soft"}, quantity(from, figure.unit)));
  });
  place.append(element("div", {class: "drawing"}, picture));
  legend(place, figure.series.map((one, k) => [shape("svg", {width: 18, height: 14, viewBox: "0 0 18 14"}, patterns(), shape("rect", {width: 18, height: 14, rx: 3, fill: fills[k], stroke: hue(k)})), one.name]));
  place.append(element("p", {class: "note"}, "The count of calls is on a logarithmic scale; bins may differ in width."));
  numbers(place, "Numbers: calls by latency", [["from", figure.unit], ["to", figure.unit], ...figure.series.map((one) => [one.name, "1"])],
    figure.bins.map(([from, to], i) => [from, to, ...figure.series.map((one) => one.counts[i])]));
};
