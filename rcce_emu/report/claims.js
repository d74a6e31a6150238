// SPDX-License-Identifier: Apache-2.0
// Statements of a publication, held and failed; tables as they are.
draw.claims = (figure, place) => {
  const held = figure.rows.filter((row) => row.holds).length;
  const verdict = (row) => (row.holds ? "holds" : row.holds === false ? "fails" : "not measured");
  const width = 1040, each = width / figure.rows.length;
  const picture = shape("svg", {viewBox: `0 0 ${width} 26`, role: "img", "aria-label": `${held} of ${figure.rows.length} statements hold`}, shape("defs", {}, hatch("failed", ink("card"), ink("bad"), "lines")));
  [...figure.rows].sort((a, b) => b.holds - a.holds).forEach((row, i) => {
    const mark = shape("rect", {x: i * each + 0.5, width: Math.max(0.8, each - 1), height: 24, y: 1, rx: Math.min(4, each / 4), fill: row.holds ? ink("good") : "url(#failed)", stroke: row.holds ? ink("good") : ink("bad"), opacity: row.evidence === false ? 0.45 : 1});
    hint(mark, () => `${row.id ? `${row.id}: ` : ""}${row.statement}\n${verdict(row)}${row.evidence === false ? ", no evidence" : ""}`);
    picture.append(mark);
  });
  place.append(picture);
  place.append(element("p", {class: "note"}, `${held} of ${figure.rows.length} hold. Filled: holds; hatched: fails${figure.rows.some((row) => row.evidence === false) ? "; pale: no evidence, because it follows from numbers that were put in or fitted" : ""}.`));
  const show = element("select", {"aria-label": "which statements"}, ...["all", "failed", "held"].map((name) => element("option", {value: name}, name)));
  place.append(element("div", {class: "controls"}, element("label", {}, "Show "), show));
  const body = element("tbody");
  // A column that is empty throughout is left out.
  const has = (name) => figure.rows.some((row) => row[name]);
  const columns = [["id", "", {class: "narrow"}], ["statement", "statement", {class: "wide"}], ["published", "published"], ["simulated", "simulated"], ["unit", "unit", {class: "word"}],
    ["tolerance", "tolerance", {class: "narrow"}]].filter(([name]) => ["statement", "published", "simulated"].includes(name) || has(name));
  const value = (row, name) => (name === "published" || name === "simulated" ? {class: typeof row[name] === "string" ? "narrow" : undefined, [`data-${name}`]: row[name] ?? ""} : {});
  for (const row of figure.rows)
    body.append(element("tr", {"data-holds": row.holds, "data-id": row.id ?? ""}, ...columns.map(([name, head, attributes]) =>
      element("td", {...attributes, ...value(row, name)}, typeof row[name] === "number" ? number(row[name]) : row[name] ?? (name in row ? "-" : ""),
        ...(name === "statement" && row.reason ? [element("p", {class: "note"}, row.reason)] : []))),
      element("td", {class: `word ${row.holds ? "held" : "failed"}`}, `${{holds: "\u2713 ", fails: "\u2717 "}[verdict(row)] ?? ""}${verdict(row)}`)));
  place.append(element("div", {class: "table"}, element("table", {}, element("thead", {}, element("tr", {}, ...columns.map(([, head]) => element("th", {class: "word"}, head)), element("th"))), body)));
  show.addEventListener("change", () => {
    for (const row of body.children) row.style.display = show.value === "all" || (row.dataset.holds === "true") === (show.value === "held") ? "" : "none";
  });
};

draw.table = (figure, place) => {
  const body = element("tbody");
  for (const row of figure.rows)
    body.append(element("tr", {}, ...row.map((cell) => element("td", {class: typeof cell === "string" ? "word" : undefined, "data-value": cell ?? ""}, typeof cell === "string" ? cell : typeof cell === "boolean" ? (cell ? "yes" : "no") : number(cell)))));
  const table = element("div", {class: "table"}, element("table", {}, element("thead", {}, element("tr", {}, ...figure.columns.map(([name, unit], i) =>
    element("th", {class: typeof figure.rows[0]?.[i] === "string" ? "word" : undefined}, unitName(unit) ? `${name} (${unitName(unit)})` : name)))), body));
  place.append(figure.folded ? element("details", {class: "numbers"}, element("summary", {}, "Table of the curves"), table) : table);
};
