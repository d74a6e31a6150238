// SPDX-License-Identifier: Apache-2.0
"use strict";
// What all figures share: the document, elements, numbers for people, colours, hints.
const report = JSON.parse(document.getElementById("document").textContent);
// Kind of figure -> function(figure, place) that draws it into the element. Each file adds its own.
const draw = {};

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

function shape(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes ?? {})) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== undefined && child !== null));
  return made;
}

// Drawings are as wide as the page; on a phone their letters are larger, and what is least is left.
const onPhone = () => innerWidth <= 640;

// --- numbers -------------------------------------------------------------------------------------------------
// Four digits, or all of a whole number.
function number(value) {
  if (value === null || value === undefined) return "-";
  if (Number.isInteger(value)) return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
  const text = Math.abs(value) >= 1000 ? value.toFixed(0) : value.toPrecision(4);
  return text.includes("e") ? text : text.includes(".") ? text.replace(/\.?0+$/, "") : number(Number(text));
}

const steps = {
  us: [[1e6, "s"], [1e3, "ms"], [1, "\u00b5s"], [1e-3, "ns"]],
  bytes: [[1 << 20, "MiB"], [1 << 10, "KiB"], [1, "B"]],
};
// A value with its unit, of which the one is taken that leaves the fewest digits.
function quantity(value, unit) {
  if (value === null || value === undefined) return "-";
  if (unit === "1" || unit === "" || unit === undefined) return number(value);
  if (unit === "%") return `${number(value)}\u202f%`;
  const scale = steps[unit];
  if (!scale) return `${number(value)}\u202f${unit}`;
  const [size, name] = value === 0 ? scale.at(unit === "us" ? 2 : -1) : scale.find(([least]) => Math.abs(value) >= least) ?? scale.at(-1);
  return `${number(value / size)}\u202f${name}`;
}
const unitName = (unit) => (unit === "us" ? "\u00b5s" : unit === "1" ? "" : unit);

// --- colours -------------------------------------------------------------------------------------------------
const isDark = () => document.documentElement.classList.contains("dark");
const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// From nothing to everything: lightness falls (on light paper) or rises (on dark) all the way, so that the order is seen
// without colour vision and in grey print. Light: reversed mako, dark: viridis (both of matplotlib's family).
const ramps = {
  light: [[222, 245, 229], [150, 221, 181], [73, 193, 173], [53, 161, 171], [52, 128, 163], [58, 94, 156], [64, 61, 119], [46, 30, 60]],
  dark: [[52, 40, 82], [68, 57, 131], [49, 104, 142], [33, 145, 140], [53, 183, 121], [144, 215, 67], [253, 231, 37]],
};
function ramp(share) {
  const stops = ramps[isDark() ? "dark" : "light"];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  const mixed = stops[i].map((part, k) => Math.round(part + (stops[i + 1][k] - part) * (at - i)));
  return `rgb(${mixed.join(",")})`;
}
// Ink on a colour of the ramp.
const onRamp = (share) => (share > 0.45 ? (isDark() ? "#10161c" : "#ffffff") : isDark() ? "#ffffff" : "#14202b");

// Of curves: Okabe and Ito's colours, which people with any colour vision tell apart; darker on light paper where they are
// pale; behind the first ten further ones. The second channel are dashes and letters.
const hues = {
  light: ["#0072b2", "#d55e00", "#00805d", "#a8568a", "#14202b", "#8a6d00", "#3a94c9", "#6b4fa0", "#7a4a1e", "#5a6875", "#b3003b", "#006d77", "#a07855", "#2f3f9e", "#4f7a00", "#d0708a"],
  dark: ["#56b4e9", "#e69f00", "#1fc795", "#e08abf", "#e8edf2", "#f0e442", "#9fd5f5", "#b9a1f0", "#d8a273", "#9aa8b5", "#ff6b8f", "#4fd3dd", "#c9b199", "#8fa2ff", "#a8d65c", "#ffc2d1"],
};
const dashes = [[], [8, 4], [2, 3], [10, 4, 2, 4], [14, 3], [5, 2], [2, 6], [12, 3, 2, 3, 2, 3], [4, 4], [1, 2], [16, 3, 5, 3], [6, 2, 1, 2], [3, 7], [9, 2, 9, 6], [1, 5], [7, 7]];
const hue = (i) => hues[isDark() ? "dark" : "light"][i % hues.light.length];
const dash = (i) => dashes[i % dashes.length];

// --- hints ---------------------------------------------------------------------------------------------------
const hintBox = element("div", {id: "hint", role: "tooltip"});
document.body.append(hintBox);
function showHint(text, x, y) {
  hintBox.textContent = text;
  hintBox.style.visibility = "visible";
  const box = hintBox.getBoundingClientRect();
  hintBox.style.left = `${Math.max(6, Math.min(x + 14, innerWidth - box.width - 6))}px`;
  hintBox.style.top = `${y + box.height + 22 > innerHeight ? Math.max(6, y - box.height - 12) : y + 16}px`;
}
function hideHint() { hintBox.style.visibility = "hidden"; }
// Whoever points at the target, touches it or comes to it by keyboard sees what text() says then.
function hint(target, text) {
  const at = (event) => showHint(text(), event.clientX, event.clientY);
  target.addEventListener("pointerenter", at);
  target.addEventListener("pointermove", at);
  target.addEventListener("pointerleave", hideHint);
  target.addEventListener("focus", () => {
    const box = target.getBoundingClientRect();
    showHint(text(), box.x + box.width / 2, box.y + box.height / 2);
  });
  target.addEventListener("blur", hideHint);
}

// --- tables --------------------------------------------------------------------------------------------------
// The numbers behind a figure, folded. Columns are [name, unit]; a cell's own value is its data-value.
function numbers(place, name, columns, rows) {
  const most = 3000;
  const head = element("tr", {}, ...columns.map(([text, unit], i) =>
    element("th", {class: typeof rows[0]?.[i] === "string" ? "word" : undefined}, unitName(unit) ? `${text} (${unitName(unit)})` : text)));
  const body = element("tbody");
  const details = element("details", {class: "numbers"}, element("summary", {}, name),
    element("div", {class: "table"}, element("table", {}, element("thead", {}, head), body)));
  for (const row of rows.slice(0, most))
    body.append(element("tr", {}, ...row.map((cell) =>
      element("td", {class: typeof cell === "string" ? "word" : undefined, "data-value": cell ?? ""}, typeof cell === "string" ? cell : number(cell)))));
  if (rows.length > most) details.append(element("p", {class: "note"}, `The first ${most} of ${rows.length} rows.`));
  place.append(details);
}

// A legend of items: [drawing, text].
function legend(place, items) {
  place.append(element("ul", {class: "legend"}, ...items.map(([drawing, text]) => element("li", {}, drawing, text))));
}
const swatch = (fill, more) => shape("svg", {width: 18, height: 14, viewBox: "0 0 18 14", "aria-hidden": "true"},
  shape("rect", {width: 18, height: 14, rx: 3, fill, ...more}));

// A pattern that stands for a fill where colour does not tell; its definition goes into the drawing.
function hatch(id, paper, line, kind) {
  const pattern = shape("pattern", {id, width: 6, height: 6, patternUnits: "userSpaceOnUse"}, shape("rect", {width: 6, height: 6, fill: paper}));
  if (kind === "lines") pattern.append(shape("path", {d: "M-1 1 L1 -1 M0 6 L6 0 M5 7 L7 5", stroke: line, "stroke-width": 1.4}));
  if (kind === "dots") pattern.append(shape("circle", {cx: 3, cy: 3, r: 1, fill: line}));
  if (kind === "bars") pattern.append(shape("path", {d: "M0 1.5 H6 M0 4.5 H6", stroke: line, "stroke-width": 1}));
  return pattern;
}

// What cores do: colour and pattern.
const activities = {
  compute: {text: "code", fill: () => (isDark() ? "#3d4a56" : "#cfd6dd")},
  put: {text: "put", fill: () => hue(0)},
  get: {text: "get", fill: () => hue(1)},
  access: {text: "flags, locks, counters", fill: () => hue(4)},
  wait: {text: "wait", pattern: "lines", fill: () => "url(#wait)"},
  idle: {text: "idle (ended)", pattern: "dots", fill: () => "url(#idle)"},
};
// Where the program's own code takes no simulated time, only that of calls is left.
const activityText = (name, figure) => (name === "compute" ? `code, ${figure.own_code === false ? "of calls" : "own and of calls"}` : activities[name].text);
// Inside every drawing that uses them.
const activityPatterns = () => shape("defs", {}, hatch("wait", isDark() ? "#2a2340" : "#efe3ee", hue(3), "lines"),
  hatch("idle", isDark() ? "#161d24" : "#ffffff", isDark() ? "#55616d" : "#a9b4bf", "dots"));
const activitySwatch = (name) => shape("svg", {width: 18, height: 14, viewBox: "0 0 18 14", "aria-hidden": "true"}, activityPatterns(),
  shape("rect", {width: 18, height: 14, rx: 3, fill: activities[name].fill(), stroke: ink("line")}));
