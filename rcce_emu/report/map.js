// SPDX-License-Identifier: Apache-2.0
// The best of all, size by cores: a field per point, coloured by the winner, with its letter.
draw.map = (figure, place) => {
  const sizes = [...new Set(figure.cells.map(([, bytes]) => bytes))].sort((a, b) => a - b), cores = [...new Set(figure.cells.map(([count]) => count))].sort((a, b) => b - a);
  const left = 70, narrow = onPhone(), cell = {width: Math.min(120, (narrow ? 370 : 960) / sizes.length), height: 46};
  const width = left + sizes.length * cell.width + 4, height = cores.length * cell.height + 54;
  const picture = shape("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": figure.title});
  const letter = (winner) => String.fromCharCode(65 + winner % 26);
  cores.forEach((count, i) => picture.append(shape("text", {x: left - 8, y: (i + 0.5) * cell.height + 5, "font-size": 12, "text-anchor": "end"}, `${count}`)));
  const each = Math.ceil(46 / cell.width); // sizes that have room for their name
  sizes.forEach((bytes, i) => i % each === 0 && picture.append(shape("text", {x: left + (i + 0.5) * cell.width, y: cores.length * cell.height + 20, "font-size": 11, "text-anchor": "middle"}, quantity(bytes, "bytes"))));
  picture.append(shape("text", {x: left + (width - left) / 2, y: height - 8, "font-size": 12, "text-anchor": "middle", class: "soft"}, "size"));
  picture.append(shape("text", {x: 14, y: cores.length * cell.height / 2, "font-size": 12, "text-anchor": "middle", class: "soft", transform: `rotate(-90 14 ${cores.length * cell.height / 2})`}, "cores"));
  for (const [count, bytes, winner, us] of figure.cells) {
    const group = shape("g", {transform: `translate(${left + sizes.indexOf(bytes) * cell.width} ${cores.indexOf(count) * cell.height})`, "data-cores": count, "data-bytes": bytes, "data-winner": figure.winners[winner], "data-us": us});
    group.append(shape("rect", {x: 1.5, y: 1.5, width: cell.width - 3, height: cell.height - 3, rx: 7, fill: hue(winner)}));
    const paper = isDark() ? "#10161c" : "#ffffff";
    const mark = shape("text", {x: cell.width / 2, y: 21, "font-size": 16, "font-weight": 700, "text-anchor": "middle"}, letter(winner));
    const time = shape("text", {x: cell.width / 2, y: 36, "font-size": 10, "text-anchor": "middle"}, quantity(us, "us"));
    for (const text of [mark, time]) text.style.fill = paper;
    group.append(mark, ...(cell.width >= 46 ? [time] : []));
    hint(group, () => `${count} cores, ${quantity(bytes, "bytes")}\n${figure.winners[winner]}: ${quantity(us, "us")}`);
    picture.append(group);
  }
  const drawing = element("div", {class: "drawing"}, picture);
  drawing.style.maxWidth = `${width * 1.1}px`;
  place.append(drawing);
  const won = [...new Set(figure.cells.map(([, , winner]) => winner))].sort((a, b) => a - b);
  legend(place, won.map((winner) => [swatch(hue(winner)), `${letter(winner)} ${figure.winners[winner]}`]));
  numbers(place, "Numbers: winners", [["cores", "1"], ["size", "bytes"], ["winner", ""], ["time", "us"]], figure.cells.map(([count, bytes, winner, us]) => [count, bytes, figure.winners[winner], us]));
};
