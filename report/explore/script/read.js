// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the page (report/explore/data.h), read into typed arrays. The files of this folder are
// one script, in the order of the Makefile; it draws every device of a run over time, with jobs as
// bars, above the queue. Nothing is loaded. Times are milliseconds since the run's beginning; a
// run's `shift` makes them times since the beginning of the earliest run.
'use strict';

const COLORS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#D9C400', '#7B5EA7',
  '#8C6D31', '#17A2B8', '#B0588A', '#7F7F7F'];
const GUTTER = 86, AXIS = 22, SECOND = 1000, HOUR = 3600000, DAY = 24 * HOUR;
// As enum explore_sum of report/explore/bins.h.
const SUM = {installed: 0, down: 1, burnIn: 2, reclaimed: 3, drained: 4, noDemand: 5, fragmented: 6,
  heldBack: 7, allocated: 8, wanted: 9, pending: 10, count: 11};
const LADDER = [['installed', SUM.installed], ['broken', SUM.down], ['burn-in', SUM.burnIn], ['spot capacity, reclaimed', SUM.reclaimed],
  ['drained', SUM.drained], ['no demand', SUM.noDemand], ['fragmented', SUM.fragmented],
  ['held back', SUM.heldBack], ['allocated', SUM.allocated]];
const STATUS = ['pending', 'running', 'completed', 'failed', 'cancelled'];
const REASON = 0, EVICTED = 1, INTERRUPTED = 2;

class Reader {
  constructor(base64) {
    const text = atob(base64);
    this.bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) this.bytes[i] = text.charCodeAt(i);
    this.at = 0;
  }
  number() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.at++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  text() {
    const length = this.number(), from = this.at;
    this.at += length;
    return Reader.decoder.decode(this.bytes.subarray(from, this.at));
  }
  texts() {
    return Array.from({length: this.number()}, () => this.text());
  }
}
Reader.decoder = new TextDecoder();

function readJobs(r) {
  const n = r.number(), numbers = () => new Float64Array(n), jobs = {n, id: [], submit: numbers(),
    eligible: numbers(), start: numbers(), end: numbers(), gpus: numbers(), tasks: numbers(),
    queue: new Int32Array(n), user: new Int32Array(n), class: new Int32Array(n), status: new Int32Array(n),
    counted: new Int32Array(n), preemptions: numbers(), failures: numbers()};
  let submit = 0;
  for (let i = 0; i < n; i++) {
    jobs.id.push(r.text());
    submit += r.number();
    jobs.submit[i] = submit;
    jobs.eligible[i] = submit + r.number();
    const wait = r.number(), rest = r.number();
    jobs.start[i] = wait < 0 ? NaN : jobs.eligible[i] + wait;
    jobs.end[i] = rest < 0 ? NaN : (wait < 0 ? jobs.eligible[i] : jobs.start[i]) + rest;
    jobs.gpus[i] = r.number() / 1000;
    for (const key of ['tasks', 'queue', 'user', 'class', 'status', 'counted', 'preemptions', 'failures'])
      jobs[key][i] = r.number();
  }
  return jobs;
}

function readBars(r) {
  const n = r.number(), numbers = () => new Float64Array(n), whole = () => new Int32Array(n);
  const bars = {n, from: numbers(), to: numbers(), job: whole(), row: whole(), rows: whole(), offset: whole(),
    milli: whole()};
  let from = 0, job = 0, row = 0;
  for (let i = 0; i < n; i++) {
    bars.from[i] = from += r.number();
    bars.to[i] = from + r.number();
    bars.job[i] = job += r.number();
    bars.row[i] = row += r.number();
    bars.rows[i] = r.number();
    bars.offset[i] = r.number();
    bars.milli[i] = r.number();
  }
  return bars;
}

function readGrid(r, rows) {
  const columns = r.number();
  if (columns === 0) return null;
  const rowsOfCell = r.number(), count = columns * Math.ceil(rows / rowsOfCell), grid = {columns, rowsOfCell};
  for (const plane of ['fill', 'queue', 'class', 'user']) {
    const cells = grid[plane] = new Uint8Array(count);
    for (let i = 0; i < count;) {
      const value = r.number(), n = r.number();
      cells.fill(value, i, i + n);
      i += n;
    }
  }
  return grid;
}

// Starts of the jobs that are not listed: there may be a million.
function readStarts(r) {
  const n = r.number(), starts = {n, at: new Float64Array(n), wait: new Float64Array(n), queue: new Int32Array(n),
    class: new Int32Array(n)};
  let at = 0;
  for (let i = 0; i < n; i++) {
    starts.at[i] = SECOND * (at += r.number());
    starts.wait[i] = SECOND * r.number();
    starts.queue[i] = r.number();
    starts.class[i] = r.number();
  }
  return starts;
}

function readRun(base64) {
  const r = new Reader(base64), run = {format: r.number(), title: r.text(), policy: r.text(), dated: r.number() === 1,
    begin: r.number(), end: r.number(), windowFrom: r.number(), windowTo: r.number()};
  for (const key of ['queues', 'users', 'classes', 'reasons', 'actions', 'faultClasses', 'stateNames'])
    run[key] = r.texts();
  run.groups = Array.from({length: r.number()}, () => ({name: r.text(), row: r.number()}));
  run.rows = r.number();
  run.slot = r.number();
  run.slots = r.number();
  run.sums = Float64Array.from({length: run.slots * SUM.count}, () => r.number());
  run.jobs = readJobs(r);
  run.bars = readBars(r);
  run.grid = readGrid(r, run.rows);
  let at = 0;
  run.events = Array.from({length: r.number()}, () =>
    ({at: at += r.number(), job: r.number(), kind: r.number(), what: r.number()}));
  run.states = Array.from({length: r.number()}, () => {
    const from = r.number();
    return {from, to: from + r.number(), node: r.number(), state: r.number()};
  });
  at = 0;
  run.faults = Array.from({length: r.number()}, () => ({at: at += r.number(), node: r.number(), class: r.number()}));
  run.starts = readStarts(r);
  return run;
}

// All times of a run count from the beginning of the earliest one.
function align(runs) {
  const origin = Math.min(...runs.map((run) => run.begin));
  for (const run of runs) run.shift = run.begin - origin;
  return {origin, end: Math.max(...runs.map((run) => run.end + run.shift)), dated: runs.every((run) => run.dated)};
}
