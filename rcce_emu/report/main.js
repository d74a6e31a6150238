// SPDX-License-Identifier: Apache-2.0
// Puts the page together: head, figures in the document's order, foot.
function renderHead(page) {
  const modes = ["auto", "light", "dark"];
  const button = element("button", {class: "theme", type: "button"}, `Theme: ${theme}`);
  button.addEventListener("click", () => {
    theme = modes[(modes.indexOf(theme) + 1) % modes.length];
    render();
  });
  page.append(element("header", {}, element("h1", {}, report.verdict ? `${report.verdict.title}: ${report.title}` : report.title), button));
  if (report.verdict) {
    const [first, ...lines] = report.verdict.lines;
    page.append(element("div", {class: "verdict", role: "alert"}, element("b", {}, first ?? `The run has failed: ${report.verdict.title}.`),
      lines.length ? element("pre", {}, lines.join("\n")) : null));
  }
  if (report.lead) page.append(element("p", {class: "lead"}, report.lead));
  else page.append(element("p", {class: "lead"}, (report.settings.find(([name]) => name === "machine") ?? ["", ""])[1]));
  if (report.facts?.length)
    page.append(element("ul", {class: "facts"}, ...report.facts.map((fact) => element("li", {},
      element("span", {}, fact.name), element("b", {"data-value": fact.value}, typeof fact.value === "string" ? fact.value : quantity(fact.value, fact.unit)),
      element("span", {}, fact.note || "\u00a0")))));
}

function renderFoot(page) {
  const settings = element("dl");
  for (const [name, value] of report.settings) settings.append(element("dt", {}, name), element("dd", {}, value));
  const foot = element("footer", {}, element("h2", {}, "How this was made"), element("pre", {id: "command"}, report.command), settings);
  if (report.parameters?.length) {
    const body = element("tbody");
    for (const [name, value, unit, source] of report.parameters)
      body.append(element("tr", {}, element("td", {class: "word"}, name), element("td", {"data-value": value}, value),
        element("td", {class: "word"}, unit), element("td", {class: "wide"}, source)));
    foot.append(element("details", {class: "numbers", id: "parameters"}, element("summary", {}, "Every parameter of the machine, with its source"),
      element("div", {class: "table"}, element("table", {}, element("thead", {}, element("tr", {}, ...["parameter", "value", "unit", "meaning and source"].map((text) =>
        element("th", {class: "word"}, text)))), body))));
  }
  foot.append(element("p", {}, `Rockcreek ${report.release}. ${typeof uPlot === "undefined" ? "" : "Charts by uPlot (MIT licence; its notice stands in this page's source). "}The numbers are in this page's source as JSON, schema ${report.schema} version ${report.version}.`));
  page.append(foot);
}

// On a phone tables whose rows are wide have a line for each cell (style.css).
function nameCells(place) {
  for (const table of place.querySelectorAll(".table table")) {
    const names = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
    if (names.length < 3 || table.parentElement.classList.contains("stacked")) continue;
    table.parentElement.classList.add("stacked");
    for (const row of table.querySelectorAll("tbody tr")) [...row.children].forEach((cell, i) => cell.setAttribute("data-column", names[i] ?? ""));
  }
}

let theme = "auto";
const darkWanted = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

function render() {
  document.documentElement.classList.toggle("dark", !printing && (theme === "dark" || (theme === "auto" && darkWanted.matches)));
  const page = document.getElementById("page");
  const scrolled = scrollY;
  page.replaceChildren();
  renderHead(page);
  report.figures.forEach((figure, i) => {
    const place = element("section", {class: figure.kind, id: `figure-${i}`, "data-folded": figure.folded}, element("h2", {}, figure.title));
    if (figure.note) place.append(element("p", {class: "note"}, figure.note));
    page.append(place);
    draw[figure.kind](figure, place);
  });
  renderFoot(page);
  nameCells(page);
  scrollTo(0, scrolled);
}

darkWanted.addEventListener("change", render);
for (const [event, on] of [["beforeprint", true], ["afterprint", false]])
  addEventListener(event, () => {
    printing = on;
    render();
  });
// Charts are drawn for a width; the page has no other.
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width || printing) return;
  width = innerWidth;
  render();
});
render();
