// SPDX-License-Identifier: Apache-2.0
// What Perfetto's trace processor answers about timelines:
//
//   node trace_processor.js ENGINE TRACE... <queries.json >answers.json
//
// ENGINE is a folder with engine_bundle.js and trace_processor.wasm of Perfetto's UI, in which the trace processor is a worker that
// speaks the protocol of protos/perfetto/trace_processor/trace_processor.proto over a message port. Queries are an object of
// name to SQL; answers one of trace to an object of name to rows. What the trace processor itself reports goes to stderr.
// Status 1 with its words where it does not take a trace or a query.
'use strict';
const fs = require('fs');
const path = require('path');

// Protocol buffers, as much as the protocol needs: a message is a list of [field, value], with numbers for the wire types 0 and 1,
// and bytes for type 2.
function varint(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) | 128);
  return Buffer.from([...bytes, number]);
}
function encode(fields) {
  return Buffer.concat(fields.flatMap(([field, value]) => typeof value === 'number'
    ? [varint(field * 8), varint(value)]
    : [varint(field * 8 + 2), varint(value.length), Buffer.from(value)]));
}
function* varints(bytes) {
  for (let at = 0; at < bytes.length;) {
    let number = 0n, shift = 0n, byte;
    do {
      byte = bytes[at++];
      number |= BigInt(byte & 127) << shift;
      shift += 7n;
    } while (byte & 128);
    yield [Number(BigInt.asIntN(64, number)), at];
  }
}
function decode(bytes) {
  const fields = [];
  const take = (from) => varints(bytes.subarray(from)).next().value;
  for (let at = 0; at < bytes.length;) {
    const [key, after] = take(at);
    at += after;
    const field = Math.floor(key / 8), kind = key % 8;
    if (kind === 1) {
      fields.push([field, bytes.readDoubleLE(at)]);
      at += 8;
      continue;
    }
    const [number, length] = take(at);
    at += length;
    fields.push([field, kind === 0 ? number : bytes.subarray(at, at + number)]);
    if (kind === 2) at += number;
  }
  return fields;
}
const all = (fields, wanted) => fields.filter(([field]) => field === wanted).map(([, value]) => value);

// The worker sees no Node, but what a browser gives one.
async function start(folder, answer) {
  class XMLHttpRequest {
    open(method, url) { this.url = url; }
    send() { this.response = fs.readFileSync(path.join(folder, path.basename(this.url))); }
  }
  const self = {location: {href: 'file:///'}};
  const worker = {self, XMLHttpRequest, WorkerGlobalScope: Object, importScripts() {}, process: undefined, require: undefined,
    window: undefined, console: {...console, log: console.error, warn: console.error}};
  const code = fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8');
  new Function(...Object.keys(worker), code)(...Object.values(worker));
  const port = {postMessage: (bytes) => answer(Buffer.from(bytes))};
  self.onmessage({data: port});
  await new Promise((ready) => setImmediate(ready)); // by then it has its buffer
  return (bytes) => port.onmessage({data: new Uint8Array(bytes)});
}

const Request = {append: 1, finish: 2, query: 3, reset: 11};
const Field = {stream: 1, sequence: 1, request: 2, append: 101, query: 103, fatal: 5, appended: 201, result: 203};
const Cell = {null: 1, varint: 2, float64: 3, string: 4, blob: 5};

class TraceProcessor {
  #replies = [];
  #sequence = 0;
  #send;
  static async start(engine) {
    const one = new TraceProcessor();
    one.#send = await start(engine, (bytes) => one.#replies.push(bytes));
    return one;
  }
  /** Forgets the trace before and reads another. */
  load(trace) {
    this.#ask(Request.reset);
    const file = fs.openSync(trace, 'r');
    const block = Buffer.alloc(8 << 20);
    for (let length; (length = fs.readSync(file, block)) > 0;)
      failIn(all(this.#ask(Request.append, [Field.append, block.subarray(0, length)]), Field.appended), 2, trace);
    fs.closeSync(file);
    this.#ask(Request.finish);
  }
  /** Rows of an SQL query: arrays of numbers, strings and null. */
  rows(sql) {
    const results = all(this.#ask(Request.query, [Field.query, encode([[1, Buffer.from(sql)]])]), Field.result);
    failIn(results, 2, sql);
    const columns = results.flatMap((one) => all(decode(one), 1)).length;
    const cells = results.flatMap((one) => all(decode(one), 3)).flatMap(cellsOf);
    return Array.from({length: columns ? cells.length / columns : 0}, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  }
  #ask(request, ...fields) {
    this.#replies = [];
    this.#send(encode([[Field.stream, encode([[Field.sequence, ++this.#sequence], [Field.request, request], ...fields])]]));
    const replies = all(decode(Buffer.concat(this.#replies)), Field.stream).flatMap(decode);
    for (const words of all(replies, Field.fatal)) throw new Error(words.toString());
    return replies;
  }
}

function failIn(results, field, about) {
  const words = results.flatMap((one) => all(decode(one), field)).find((one) => one.length > 0);
  if (words) throw new Error(`${about}: ${words}`);
}

function cellsOf(batch) {
  const fields = decode(batch);
  const numbers = all(fields, 2).flatMap((one) => [...varints(one)]).map(([number]) => number)[Symbol.iterator]();
  const doubles = all(fields, 3).flatMap((one) => Array.from({length: one.length / 8}, (_, i) => one.readDoubleLE(8 * i)))[Symbol.iterator]();
  const strings = all(fields, 5).join('').split('\0')[Symbol.iterator]();
  return all(fields, 1).flatMap((one) => [...one]).map((kind) => {
    switch (kind) {
      case Cell.null: return null;
      case Cell.varint: return numbers.next().value;
      case Cell.float64: return doubles.next().value;
      case Cell.string: return strings.next().value;
      default: throw new Error(`a cell of kind ${kind}`);
    }
  });
}

async function main([engine, ...traces]) {
  const queries = Object.entries(JSON.parse(fs.readFileSync(0, 'utf8')));
  const processor = await TraceProcessor.start(engine);
  const answers = traces.map((trace) => {
    processor.load(trace);
    return [trace, Object.fromEntries(queries.map(([name, sql]) => [name, processor.rows(sql)]))];
  });
  process.stdout.write(JSON.stringify(Object.fromEntries(answers)) + '\n');
}
main(process.argv.slice(2)).catch((error) => {
  console.error(`trace_processor.js: ${error.message}`);
  process.exitCode = 1;
});
