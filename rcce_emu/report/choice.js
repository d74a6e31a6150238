// SPDX-License-Identifier: Apache-2.0
// The same figures of several runs, of which the reader chooses one.
draw.choice = (figure, place) => {
  const select = element("select", {"aria-label": figure.choose}, ...figure.choices.map((one, i) => element("option", {value: i}, one.name)));
  select.value = figure.chosen ?? 0;
  const holder = element("div");
  place.append(element("div", {class: "controls"}, element("label", {}, `${figure.choose} `), select), holder);
  const paint = () => {
    figure.chosen = Number(select.value); // the page may be drawn anew
    holder.replaceChildren();
    for (const one of figure.choices[figure.chosen].figures) {
      const part = element("div", {class: one.kind, "data-part-of": figure.choices[figure.chosen].name}, element("h3", {}, one.title));
      if (one.note) part.append(element("p", {class: "note"}, one.note));
      holder.append(part);
      draw[one.kind](one, part);
    }
    nameCells(holder);
  };
  select.addEventListener("change", paint);
  paint();
};
