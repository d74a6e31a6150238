// SPDX-License-Identifier: Apache-2.0
// Who sends to whom: a square per pair, by colour and size, on logarithmic scales.
draw.matrix = (figure, place) => {
  const underWay = figure.unfinished ?? [];
  if (figure.cells.length === 0 && underWay.length === 0) {
    place.append(element("p", {class: "note"}, "No core has sent data to another, by messages, puts or gets."));
    return;
  }
  if (figure.cells.some(([, , messages]) => messages === 0))
    place.append(element("p", {class: "note"}, figure.cells.every(([, , messages]) => messages === 0) ? "There are no messages; the data were copied by puts and gets." : "Pairs without messages show the data of puts and gets."));
  // Those that had begun and not arrived when the run was over: dashed, behind the table of the others.
  const unfinishedTable = () => {
    if (underWay.length === 0) return;
    const sent = underWay.filter(([, , , , isSent]) => isSent).length;
    place.append(element("p", {class: "note unfinished"}, `Messages under way at the end of the run: ${number(sent)} sent but not received in full` +
      (underWay.length > sent ? `, ${number(underWay.length - sent)} awaited but not sent` : "") + "."));
    numbers(place, "Numbers: messages under way", [["sender", ""], ["receiver", ""], ["data", "bytes"], ["since", "us"], ["state", ""], ["call", ""]],
      underWay.map(([sender, receiver, bytes, since, isSent, call]) => [sender < 0 ? "any" : `${sender}`, receiver < 0 ? "any" : `${receiver}`, bytes, since,
        isSent ? "sent, not received" : "awaited, not sent", call]));
  };
  const ranks = figure.ranks, group = Math.ceil(ranks / 96), side = Math.ceil(ranks / group);
  const sums = new Map();
  for (const [sender, receiver, messages, bytes] of figure.cells) {
    const key = Math.floor(sender / group) * side + Math.floor(receiver / group);
    const [m, b] = sums.get(key) ?? [0, 0];
    sums.set(key, [m + messages, b + bytes]);
  }
  const values = sums.size ? [...sums.values()].map(([, bytes]) => bytes) : [1], most = Math.max(...values), least = Math.max(1, Math.min(...values));
  // Over a factor of 16 at least: what is nearly equal looks so.
  const degree = (bytes) => 1 - Math.log(most / Math.max(bytes, least)) / Math.log(Math.max(most / least, 16));
  const size = 620, left = 54, cell = size / side;
  const picture = shape("svg", {viewBox: `0 0 ${left + size + 6} ${size + 60}`, role: "img", "aria-label": figure.title});
  picture.append(shape("rect", {x: left, y: 6, width: size, height: size, fill: ink("faint"), stroke: ink("line")}));
  const every = Math.ceil(22 / cell);
  const name = (i) => (group === 1 ? `${i}` : `${i * group}\u2013${Math.min((i + 1) * group, ranks) - 1}`);
  for (let i = 0; i < side; i += every) {
    picture.append(shape("text", {x: left - 6, y: 6 + (i + 0.5) * cell + 4, "font-size": 11, "text-anchor": "end", class: "soft"}, name(i)));
    picture.append(shape("text", {x: left + (i + 0.5) * cell, y: size + 22, "font-size": 11, "text-anchor": "middle", class: "soft"}, name(i)));
  }
  picture.append(shape("text", {x: left + size / 2, y: size + 44, "font-size": 12, "text-anchor": "middle"}, "receiver (rank)"));
  picture.append(shape("text", {x: 14, y: 6 + size / 2, "font-size": 12, "text-anchor": "middle", transform: `rotate(-90 14 ${6 + size / 2})`}, "sender (rank)"));
  for (const [key, [messages, bytes]] of sums) {
    const sender = Math.floor(key / side), receiver = key % side, part = 0.35 + 0.6 * degree(bytes), drawn = cell * part;
    const square = shape("rect", {x: left + receiver * cell + (cell - drawn) / 2, y: 6 + sender * cell + (cell - drawn) / 2, width: drawn, height: drawn,
      rx: Math.min(3, drawn / 5), fill: ramp(0.2 + 0.8 * degree(bytes)), "data-sender": sender, "data-receiver": receiver, "data-messages": messages, "data-bytes": bytes});
    hint(square, () => `rank ${name(sender)} \u2192 rank ${name(receiver)}\n${messages ? `${number(messages)} message${messages === 1 ? "" : "s"}` : "puts and gets"}, ${quantity(bytes, "bytes")}`);
    picture.append(square);
  }
  for (const [sender, receiver, bytes, , isSent] of underWay) {
    if (sender < 0 || receiver < 0) continue;
    const square = shape("rect", {x: left + Math.floor(receiver / group) * cell + 0.5, y: 6 + Math.floor(sender / group) * cell + 0.5, width: Math.max(1, cell - 1), height: Math.max(1, cell - 1),
      fill: "none", stroke: ink("bad"), "stroke-width": Math.min(2, cell / 4), "stroke-dasharray": isSent ? "4 2" : "1 3", "data-unfinished": `${sender} ${receiver}`, "pointer-events": "all"});
    hint(square, () => `rank ${sender} \u2192 rank ${receiver}\n${quantity(bytes, "bytes")} ${isSent ? "under way: sent, not received in full" : "awaited: not sent"}`);
    picture.append(square);
  }
  const drawing = element("div", {class: "drawing"}, picture);
  drawing.style.maxWidth = "680px";
  place.append(drawing);
  legend(place, [...(sums.size ? [[swatch(ramp(0.2 + 0.8 * degree(least))), quantity(least, "bytes")], [swatch(ramp(1)), `${quantity(most, "bytes")} by a pair, logarithmic; larger squares for more`]] : []),
    ...(underWay.length ? [[swatch("none", {x: 1, y: 1, width: 16, height: 12, stroke: ink("bad"), "stroke-width": 2, "stroke-dasharray": "4 2"}), "sent, not received in full"],
      [swatch("none", {x: 1, y: 1, width: 16, height: 12, stroke: ink("bad"), "stroke-width": 2, "stroke-dasharray": "1 3"}), "awaited, not sent"]] : [])]);
  unfinishedTable();
  if (sums.size) numbers(place, "Numbers: messages and bytes by pair", [["sender", "1"], ["receiver", "1"], ["messages", "1"], ["data", "bytes"]], figure.cells);
};
