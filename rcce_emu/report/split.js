// SPDX-License-Identifier: Apache-2.0
// A bar per core, in parts that add up to the run.
draw.split = (figure, place) => {
  const all = figure.rows[0].values.reduce((sum, one) => sum + one, 0) || 1;
  const width = onPhone() ? 440 : 1040, high = 260, left = 76, bottom = 34, step = (width - left) / figure.rows.length;
  const picture = shape("svg", {viewBox: `0 0 ${width} ${high + bottom + 10}`, role: "img", "aria-label": figure.title}, activityPatterns());
  for (let i = 0; i <= 4; ++i) {
    const y = 8 + high - (high * i) / 4;
    picture.append(shape("line", {x1: left, x2: width, y1: y, y2: y, stroke: ink("line")}));
    picture.append(shape("text", {x: left - 6, y: y + 4, "font-size": 12, "text-anchor": "end", class: "soft"}, quantity((all * i) / 4, figure.unit)));
  }
  figure.rows.forEach((row, i) => {
    const group = shape("g", {transform: `translate(${left + i * step} 0)`, "data-row": row.name});
    const gap = step > 6 ? Math.min(3, step / 6) : 0;
    let y = 8 + high;
    row.values.forEach((value, k) => {
      const h = (high * value) / all;
      y -= h;
      group.append(shape("rect", {x: gap / 2, width: step - gap, y, height: Math.max(0, h), fill: activities[figure.parts[k]].fill(), "data-part": figure.parts[k], "data-value": value}));
    });
    group.append(shape("rect", {x: 0, width: step, y: 8, height: high, fill: "transparent"}));
    hint(group, () => `${row.name} (core ${row.core})\n` + figure.parts.map((part, k) => `${activityText(part, figure)}: ${quantity(row.values[k], figure.unit)} (${quantity((100 * row.values[k]) / all, "%")})`).join("\n"));
    const every = Math.ceil(26 / step);
    if (i % every === 0) picture.append(shape("text", {x: left + (i + 0.5) * step, y: high + 26, "font-size": 11, "text-anchor": "middle", class: "soft"}, row.name.replace("rank ", "")));
    picture.append(group);
  });
  picture.append(shape("text", {x: left, y: high + 42, "font-size": 11, class: "soft"}, "rank"));
  place.append(element("div", {class: "drawing"}, picture));
  legend(place, figure.parts.map((part) => [activitySwatch(part), activityText(part, figure)]));
  numbers(place, "Numbers: each core's time", [["rank", ""], ...figure.parts.map((part) => [activityText(part, figure), figure.unit])], figure.rows.map((row) => [row.name, ...row.values]));
};
