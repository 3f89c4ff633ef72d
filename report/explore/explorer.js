// SPDX-License-Identifier: GPL-3.0-or-later
// The explorer of a run: draws every device over time, with jobs as bars, above the queue. The data
// are in the page (report/explore/data.h); nothing is loaded. Times are milliseconds since the
// beginning of the earliest run.
'use strict';
(() => {
const COLORS = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#D9C400', '#7B5EA7',
  '#8C6D31', '#17A2B8', '#B0588A', '#7F7F7F'];
const GUTTER = 86, AXIS = 22, SECOND = 1000, HOUR = 3600000, DAY = 24 * HOUR;
// As enum explore_sum of report/explore/bins.h.
const SUM = {installed: 0, down: 1, reclaimed: 2, drained: 3, noDemand: 4, fragmented: 5, heldBack: 6,
  allocated: 7, wanted: 8, pending: 9, count: 10};
const LADDER = [['installed', SUM.installed], ['broken', SUM.down], ['spot capacity, reclaimed', SUM.reclaimed],
  ['drained', SUM.drained], ['no demand', SUM.noDemand], ['fragmented', SUM.fragmented],
  ['held back', SUM.heldBack], ['allocated', SUM.allocated]];
const STATUS = ['pending', 'running', 'completed', 'failed', 'cancelled'];
const REASON = 0, EVICTED = 1, INTERRUPTED = 2;

// ---- packed data (report/explore/pack.h) ----

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
  at = 0;
  run.starts = Array.from({length: r.number()}, () =>
    ({at: SECOND * (at += r.number()), wait: SECOND * r.number(), queue: r.number(), class: r.number()}));
  return run;
}

// All times of a run count from the beginning of the earliest one.
function align(runs) {
  const origin = Math.min(...runs.map((run) => run.begin));
  for (const run of runs) run.shift = run.begin - origin;
  return {origin, end: Math.max(...runs.map((run) => run.end + run.shift)), dated: runs.every((run) => run.dated)};
}

// ---- words ----

const kindOf = (name) => name === 'build' ? 'interactive (build)' : name;
const words = (code) => code.toLowerCase().replaceAll('_', ' ');

function duration(ms) {
  if (!isFinite(ms)) return '\u2013';
  const s = Math.round(ms / SECOND), parts = [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']];
  let rest = s, text = '', shown = 0;
  for (const [size, unit] of parts) {
    const n = Math.floor(rest / size);
    rest -= n * size;
    if (shown === 0 && n === 0 && size > 1) continue;
    text += `${n}${unit} `;
    if (++shown === 2) break;
  }
  return text.trim();
}

function moment(time, clock) {
  if (clock.dated) return new Date(clock.origin + time).toISOString().slice(0, 19).replace('T', ' ');
  return `${Math.floor(time / DAY)}d ${new Date(time - Math.floor(time / DAY) * DAY).toISOString().slice(11, 19)}`;
}

const count = (n) => n.toLocaleString('en-US', {maximumFractionDigits: n < 100 ? 2 : 0});
const percent = (share) => isFinite(share) ? `${(100 * share).toFixed(1)} %` : '\u2013';

// ---- what a span comes to ----

// Sums of the ladder from one time to another: whole slots, and parts of those at the ends.
function ladder(run, from, to) {
  const sums = new Float64Array(SUM.count);
  const first = Math.max(0, Math.floor((from - run.shift) / run.slot));
  for (let i = first; i < run.slots && i * run.slot < to - run.shift; i++) {
    const begin = Math.max(from - run.shift, i * run.slot), end = Math.min(to - run.shift, (i + 1) * run.slot);
    for (let k = 0; k < SUM.count; k++) sums[k] += run.sums[i * SUM.count + k] * (end - begin) / run.slot;
  }
  return sums;
}

// Waits of the counted jobs that started in the span, by class; '' is all.
function waits(run, from, to) {
  const by = new Map([['', []]]);
  const add = (at, wait, kind) => {
    if (!(at + run.shift >= from && at + run.shift <= to)) return;
    by.get('').push(wait);
    if (!by.has(kind)) by.set(kind, []);
    by.get(kind).push(wait);
  };
  const j = run.jobs;
  for (let i = 0; i < j.n; i++) if (j.counted[i]) add(j.start[i], j.start[i] - j.eligible[i], run.classes[j.class[i]]);
  for (const start of run.starts) add(start.at, start.wait, run.classes[start.class]);
  for (const list of by.values()) list.sort((a, b) => a - b);
  return by;
}

const rank = (sorted, q) => sorted.length ? sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] : NaN;
const mean = (list) => list.length ? list.reduce((a, b) => a + b, 0) / list.length : NaN;

// ---- elements ----

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

function table(head, rows) {
  const cell = (tag, text, i) => element(tag, i === 0 ? {scope: tag === 'th' ? 'col' : ''} : {class: 'n'}, text);
  return element('table', {}, element('thead', {}, element('tr', {}, ...head.map((t, i) => cell('th', t, i)))),
    element('tbody', {}, ...rows.map((row) => element('tr', {},
      element('th', {scope: 'row'}, row[0]), ...row.slice(1).map((t) => element('td', {class: 'n'}, t))))));
}

function fit(canvas, height) {
  const scale = window.devicePixelRatio || 1, width = canvas.clientWidth;
  canvas.style.height = `${height}px`;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d');
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return {context, width, height, scale};
}

const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// '#rrggbb' as a pixel of ImageData, which is little-endian RGBA.
function pixel(color, alpha = 255) {
  const v = parseInt(color.slice(1), 16);
  return ((alpha << 24) | ((v & 255) << 16) | (v & 0xff00) | (v >> 16)) >>> 0;
}

// ---- the view ----

class View {
  constructor(clock) {
    this.clock = clock;
    this.reset();
  }
  reset() {
    this.from = 0;
    this.to = Math.max(1, this.clock.end);
  }
  set(from, to) {
    const length = Math.min(Math.max(to - from, 10 * SECOND), Math.max(1, this.clock.end));
    const middle = (from + to) / 2;
    this.from = Math.min(Math.max(middle - length / 2, 0), Math.max(0, this.clock.end - length));
    this.to = this.from + length;
  }
  zoom(factor, at = (this.from + this.to) / 2) {
    this.set(at - (at - this.from) * factor, at + (this.to - at) * factor);
  }
  pan(ms) {
    const length = this.to - this.from;
    this.from = Math.min(Math.max(this.from + ms, 0), Math.max(0, this.clock.end - length));
    this.to = this.from + length;
  }
}

// ---- devices ----

class Devices {
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.rowFrom = 0;
    this.rowTo = Math.max(1, run.rows);
    this.canvas = element('canvas', {class: 'devices', tabindex: '0', role: 'img',
      'aria-label': `Devices of ${run.title} over time. Arrow keys move, plus and minus zoom, 0 shows all.`});
    this.listen();
  }
  x(time) {
    return GUTTER + (time - this.app.view.from) * (this.area.width - GUTTER) / (this.app.view.to - this.app.view.from);
  }
  time(x) {
    return this.app.view.from + (x - GUTTER) * (this.app.view.to - this.app.view.from) / (this.area.width - GUTTER);
  }
  y(row) {
    return (row - this.rowFrom) * this.area.height / (this.rowTo - this.rowFrom);
  }
  row(y) {
    return this.rowFrom + y * (this.rowTo - this.rowFrom) / this.area.height;
  }
  draw(height) {
    this.area = fit(this.canvas, height);
    const {context, width, scale} = this.area;
    const w = Math.max(1, Math.round((width - GUTTER) * scale)), h = this.canvas.height;
    const image = context.createImageData(w, h);
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(pixel(this.app.colors.idle));
    this.drawStates(pixels, w, h);
    if (this.run.grid) this.drawGrid(pixels, w, h);
    else this.drawBars(pixels, w, h);
    context.putImageData(image, Math.round(GUTTER * scale), 0);
    this.drawWindow(context);
    this.drawFaults(context);
    this.drawNames(context);
    this.drawChosen(context);
  }
  // Pixel coordinates of an area in time and rows, by the centres of the pixels that it covers.
  box(from, to, row, rowTo, w, h) {
    const view = this.app.view, sx = w / (view.to - view.from), sy = h / (this.rowTo - this.rowFrom);
    return [Math.max(0, Math.round((from - view.from) * sx)), Math.min(w, Math.round((to - view.from) * sx)),
      Math.max(0, Math.round((row - this.rowFrom) * sy)), Math.min(h, Math.round((rowTo - this.rowFrom) * sy))];
  }
  paint(pixels, w, [x0, x1, y0, y1], color) {
    if (x1 <= x0) return;
    for (let y = y0; y < y1; y++) pixels.fill(color, y * w + x0, y * w + x1);
  }
  drawStates(pixels, w, h) {
    const run = this.run, colors = run.stateNames.map((name) => pixel(this.app.colors[name] || this.app.colors.down));
    for (const s of run.states) {
      const group = run.groups[s.node], next = run.groups[s.node + 1];
      if (!group) continue;
      this.paint(pixels, w, this.box(s.from + run.shift, s.to + run.shift, group.row, next ? next.row : run.rows, w, h),
        colors[s.state]);
    }
  }
  drawBars(pixels, w, h) {
    const {bars, jobs, shift} = this.run, view = this.app.view, of = jobs[this.app.by];
    const palette = COLORS.map((c) => pixel(c)), chosen = this.app.chosenJob(this.run);
    const gap = h / (this.rowTo - this.rowFrom) >= 5 ? 1 : 0; // between rows that are high enough
    for (let i = 0; i < bars.n; i++) {
      const from = bars.from[i] + shift, to = bars.to[i] + shift;
      if (from > view.to) break; // bars are in the order of their beginnings
      if (to < view.from || bars.row[i] >= this.rowTo || bars.row[i] + bars.rows[i] <= this.rowFrom) continue;
      const share = bars.milli[i] < 1000, row = bars.row[i] + (share ? bars.offset[i] / 1000 : 0);
      const box = this.box(from, to, row, share ? row + bars.milli[i] / 1000 : row + bars.rows[i], w, h);
      if (gap && box[3] - box[2] > 1) box[3] -= gap;
      const color = palette[of[bars.job[i]] % COLORS.length];
      this.paint(pixels, w, box, chosen >= 0 && bars.job[i] !== chosen ? (color & 0xffffff | 0x50000000) >>> 0 : color);
    }
  }
  drawGrid(pixels, w, h) {
    const {grid, shift, end, rows} = this.run, planes = grid[this.app.by], width = end / grid.columns;
    const palette = COLORS.map((c) => Array.from({length: 16}, (_, fill) => pixel(c, fill * 17)));
    const n = Math.ceil(rows / grid.rowsOfCell);
    for (let row = 0; row < n; row++)
      for (let column = 0; column < grid.columns; column++) {
        const i = row * grid.columns + column;
        if (planes[i] === 0) continue;
        this.paint(pixels, w, this.box(column * width + shift, (column + 1) * width + shift, row * grid.rowsOfCell,
          Math.min(rows, (row + 1) * grid.rowsOfCell), w, h), palette[planes[i] - 1][grid.fill[i]]);
      }
  }
  // What lies outside the measurement window is not measured.
  drawWindow(context) {
    const {run} = this;
    context.fillStyle = this.app.colors.ink;
    for (const time of [run.windowFrom, run.windowTo]) {
      const x = Math.round(this.x(time + run.shift));
      if (time > 0 && time < run.end && x > GUTTER && x < this.area.width)
        for (let y = 0; y < this.area.height; y += 8) context.fillRect(x, y, 1, 4);
    }
  }
  drawFaults(context) {
    context.fillStyle = this.app.colors.alarm;
    for (const fault of this.run.faults) {
      const x = this.x(fault.at + this.run.shift);
      if (fault.node < 0 || x < GUTTER || x > this.area.width) continue;
      const group = this.run.groups[fault.node];
      if (group && group.row >= this.rowFrom && group.row < this.rowTo)
        context.fillRect(x - 1, this.y(group.row), 2, Math.max(3, this.y(group.row + 1) - this.y(group.row)));
    }
  }
  drawNames(context) {
    context.clearRect(0, 0, GUTTER - 1, this.area.height);
    context.fillStyle = this.app.colors.soft;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'top';
    let free = -1;
    for (const group of this.run.groups) {
      const y = this.y(group.row);
      if (group.row < Math.floor(this.rowFrom) || y < free || y > this.area.height - 12) continue;
      context.fillText(group.name, 0, y, GUTTER - 6);
      free = y + 14;
    }
  }
  // The bars of the chosen job, never thinner than two pixels.
  drawChosen(context) {
    const chosen = this.app.chosenJob(this.run), {bars, shift} = this.run;
    if (chosen < 0) return;
    context.save();
    context.beginPath();
    context.rect(GUTTER, 0, this.area.width - GUTTER, this.area.height);
    context.clip();
    context.strokeStyle = this.app.colors.ink;
    context.fillStyle = COLORS[this.run.jobs[this.app.by][chosen] % COLORS.length];
    for (let i = 0; i < bars.n; i++) {
      if (bars.job[i] !== chosen) continue;
      const x = this.x(bars.from[i] + shift), y = this.y(bars.row[i]);
      const width = Math.max(2, this.x(bars.to[i] + shift) - x);
      const height = Math.max(2, this.y(bars.row[i] + bars.rows[i]) - y);
      context.fillRect(x, y, width, height);
      context.strokeRect(x, y, width, height);
    }
    context.restore();
  }
  // The bar under a point, or -1.
  find(x, y) {
    const {bars, shift} = this.run, time = this.time(x) - shift, row = this.row(y);
    if (x < GUTTER) return -1;
    for (let i = 0; i < bars.n; i++) {
      if (bars.from[i] > time) break;
      if (bars.to[i] < time || row < bars.row[i] || row >= bars.row[i] + bars.rows[i]) continue;
      const inside = (row - Math.floor(row)) * 1000;
      if (bars.milli[i] >= 1000 || (inside >= bars.offset[i] && inside < bars.offset[i] + bars.milli[i])) return i;
    }
    return -1;
  }
  zoomRows(factor, at) {
    const length = Math.min(Math.max((this.rowTo - this.rowFrom) * factor, Math.min(8, this.run.rows)), this.run.rows);
    const from = at - (at - this.rowFrom) * length / (this.rowTo - this.rowFrom);
    this.rowFrom = Math.min(Math.max(from, 0), this.run.rows - length);
    this.rowTo = this.rowFrom + length;
  }
  panRows(rows) {
    const length = this.rowTo - this.rowFrom;
    this.rowFrom = Math.min(Math.max(this.rowFrom + rows, 0), this.run.rows - length);
    this.rowTo = this.rowFrom + length;
  }
  listen() {
    const c = this.canvas, app = this.app;
    let held = null, moved = false;
    c.addEventListener('pointerdown', (event) => {
      held = {x: event.offsetX, y: event.offsetY};
      moved = false;
      c.setPointerCapture(event.pointerId);
    });
    c.addEventListener('pointermove', (event) => {
      if (!held) return app.showTip(this, event);
      const dx = event.offsetX - held.x, dy = event.offsetY - held.y;
      if (!moved && Math.abs(dx) + Math.abs(dy) < 4) return;
      moved = true;
      app.hideTip();
      app.view.pan(-dx * (app.view.to - app.view.from) / (this.area.width - GUTTER));
      this.panRows(-dy * (this.rowTo - this.rowFrom) / this.area.height);
      held = {x: event.offsetX, y: event.offsetY};
      app.redraw();
    });
    c.addEventListener('pointerup', (event) => {
      if (held && !moved) {
        const bar = this.find(event.offsetX, event.offsetY);
        app.choose(bar < 0 ? null : {run: this.run, job: this.run.bars.job[bar]});
      }
      held = null;
    });
    c.addEventListener('pointercancel', () => { held = null; });
    c.addEventListener('pointerleave', () => app.hideTip());
    c.addEventListener('wheel', (event) => {
      event.preventDefault();
      const factor = Math.exp(Math.sign(event.deltaY) * Math.min(0.4, Math.abs(event.deltaY) / 250));
      if (event.shiftKey || event.altKey) this.zoomRows(factor, this.row(event.offsetY));
      else app.view.zoom(factor, this.time(event.offsetX));
      app.redraw();
    }, {passive: false});
    c.addEventListener('dblclick', (event) => {
      app.view.zoom(0.4, this.time(event.offsetX));
      this.zoomRows(0.4, this.row(event.offsetY));
      app.redraw();
    });
    c.addEventListener('keydown', (event) => app.key(event, this));
  }
}

// ---- the queue ----

class Queue {
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.canvas = element('canvas', {class: 'queue', tabindex: '0', role: 'img',
      'aria-label': `Allocated and pending GPUs of ${run.title} over time. Drag to select a span.`});
    this.top = 1;
    for (let i = 0; i < run.slots; i++)
      this.top = Math.max(this.top, this.at(i, SUM.wanted), this.at(i, SUM.allocated), this.at(i, SUM.installed));
    this.listen();
  }
  // GPUs in a slot, on average.
  at(slot, sum) {
    return this.run.sums[slot * SUM.count + sum] / this.run.slot / 1000;
  }
  x(time) {
    return GUTTER + (time - this.app.view.from) * (this.area.width - GUTTER) / (this.app.view.to - this.app.view.from);
  }
  time(x) {
    return this.app.view.from + (x - GUTTER) * (this.app.view.to - this.app.view.from) / (this.area.width - GUTTER);
  }
  draw(height, labelled) {
    this.area = fit(this.canvas, height + (labelled ? AXIS : 0));
    const {context, width} = this.area, view = this.app.view;
    context.clearRect(0, 0, width, this.area.height);
    this.bottom = height;
    context.save();
    context.beginPath();
    context.rect(GUTTER, 0, width - GUTTER, height);
    context.clip();
    this.area1(context, SUM.wanted, this.app.colors.pendingFill, true);
    this.area1(context, SUM.allocated, COLORS[0], false);
    this.area1(context, SUM.installed, this.app.colors.soft, false);
    if (this.app.span) {
      context.fillStyle = this.app.colors.brush;
      const from = this.x(this.app.span[0]), to = this.x(this.app.span[1]);
      context.fillRect(from, 0, Math.max(1, to - from), height);
    }
    context.restore();
    context.fillStyle = context.strokeStyle = this.app.colors.soft;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'top';
    context.fillText(`${count(this.top)} GPUs`, 0, 0, GUTTER - 6);
    context.fillText('pending, allocated', 0, 14, GUTTER - 6);
    context.strokeRect(GUTTER - 0.5, -1, width, height + 0.5);
    if (labelled) this.drawAxis(context, view, width, height);
  }
  // Slots become columns of at least a pixel: the mean of those that fall into it.
  area1(context, sum, color, filled) {
    const {run, top, bottom} = this, view = this.app.view;
    const first = Math.max(0, Math.floor((view.from - run.shift) / run.slot));
    const last = Math.min(run.slots, Math.ceil((view.to - run.shift) / run.slot) + 1);
    const step = Math.max(1, Math.floor((last - first) / Math.max(1, this.area.width - GUTTER)));
    context.beginPath();
    if (filled) context.moveTo(this.x(first * run.slot + run.shift), bottom);
    for (let i = first; i < last; i += step) {
      let value = 0, n = Math.min(step, last - i);
      for (let k = 0; k < n; k++) value += this.at(i + k, sum) / n;
      const y = bottom - value / top * (bottom - 4);
      context.lineTo(this.x(i * run.slot + run.shift), y);
      context.lineTo(this.x((i + n) * run.slot + run.shift), y);
    }
    if (filled) {
      context.lineTo(this.x(last * run.slot + run.shift), bottom);
      context.fillStyle = color;
      context.fill();
    } else {
      context.strokeStyle = color;
      context.lineWidth = 1.5;
      context.stroke();
      context.lineWidth = 1;
    }
  }
  drawAxis(context, view, width, height) {
    const steps = [SECOND, 10 * SECOND, 60 * SECOND, 300 * SECOND, 900 * SECOND, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY,
      2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 364 * DAY];
    const wanted = (view.to - view.from) * 110 / Math.max(1, width - GUTTER);
    const step = steps.find((s) => s >= wanted) || steps[steps.length - 1];
    const offset = view.clock.dated ? view.clock.origin : 0;
    for (let t = Math.ceil((view.from + offset) / step) * step - offset; t <= view.to; t += step) {
      const text = moment(t, view.clock), x = this.x(t);
      context.fillRect(x, height, 1, 4);
      context.fillText(step >= DAY ? text.split(' ')[0] : text.slice(view.clock.dated ? 5 : 0, step >= 60 * SECOND ? -3 : undefined), x + 3, height + 6);
    }
  }
  listen() {
    const c = this.canvas, app = this.app;
    let from = null;
    c.addEventListener('pointerdown', (event) => {
      from = this.time(event.offsetX);
      c.setPointerCapture(event.pointerId);
    });
    c.addEventListener('pointermove', (event) => {
      if (from === null) return;
      const to = this.time(event.offsetX);
      app.brush(Math.min(from, to), Math.max(from, to));
    });
    c.addEventListener('pointerup', (event) => {
      if (from !== null && Math.abs(this.x(from) - event.offsetX) < 3) app.brush(null);
      from = null;
    });
    c.addEventListener('pointercancel', () => { from = null; });
    c.addEventListener('keydown', (event) => app.key(event, null));
  }
}

// ---- the life of a job ----

function lifeOf(run, job) {
  const j = run.jobs, list = [], bars = run.bars, starts = [];
  for (let i = 0; i < bars.n; i++) if (bars.job[i] === job) starts.push(i);
  const place = (i) => run.groups.findLast((g) => g.row <= bars.row[i]).name;
  list.push({at: j.submit[job], order: 0, text: `submitted to ${run.queues[j.queue[job]]}`});
  if (j.eligible[job] > j.submit[job]) list.push({at: j.eligible[job], order: 0, text: 'eligible to start'});
  const by = new Map();
  for (const i of starts) by.set(bars.from[i], (by.get(bars.from[i]) || new Set()).add(place(i)));
  for (const [at, nodes] of by) {
    const names = [...nodes], shown = names.slice(0, 4).join(', ');
    list.push({at, order: 2, start: true,
      text: `takes devices on ${shown}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`});
  }
  for (const e of run.events) {
    if (e.job !== job) continue;
    if (e.kind === REASON) list.push({at: e.at, order: 1, reason: run.reasons[e.what]});
    if (e.kind === EVICTED) list.push({at: e.at, order: 0, text: `evicted by ${words(run.actions[e.what] || 'the policy')}`});
    if (e.kind === INTERRUPTED)
      list.push({at: e.at, order: 0, text: `interrupted: ${words(run.faultClasses[e.what] || 'device memory')}`});
  }
  if (isFinite(j.end[job])) list.push({at: j.end[job], order: 3, start: true, text: STATUS[j.status[job]]});
  list.sort((a, b) => a.at - b.at || a.order - b.order);
  for (let i = 0; i < list.length; i++) {
    if (!list[i].reason) continue;
    const next = list.slice(i + 1).find((e) => e.reason || e.start);
    list[i].text = `pending for ${duration((next ? next.at : run.end) - list[i].at)}: ${words(list[i].reason)}`;
  }
  return list;
}

// ---- the page ----

class App {
  constructor(runs) {
    this.runs = runs;
    this.clock = align(runs);
    this.view = new View(this.clock);
    this.by = 'queue';
    this.span = null;
    this.chosen = null;
    this.pictures = runs.map((run) => ({run, devices: new Devices(this, run), queue: new Queue(this, run)}));
    this.readColors();
    this.build();
    this.brush(null);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.readColors(); this.legend(); this.redraw(); });
    addEventListener('resize', () => this.redraw());
  }
  build() {
    const root = document.getElementById('explorer');
    this.search = element('input', {type: 'search', id: 'search', placeholder: 'job id', autocomplete: 'off'});
    this.found = element('span', {class: 'hint', role: 'status'});
    this.select = element('select', {id: 'by'}, ...['queue', 'class', 'user'].map((v) => element('option', {value: v}, v)));
    const button = (label, title, act) => {
      const b = element('button', {type: 'button', title, 'aria-label': title}, label);
      b.addEventListener('click', () => { act(); this.redraw(); });
      return b;
    };
    this.search.addEventListener('keydown', (event) => { if (event.key === 'Enter') this.find(this.search.value); });
    this.search.addEventListener('search', () => this.find(this.search.value));
    this.select.addEventListener('change', () => { this.by = this.select.value; this.redraw(); this.legend(); });
    this.swatches = element('ul', {class: 'swatches'});
    this.spanPanel = element('section', {id: 'span'});
    this.jobPanel = element('section', {id: 'job', 'aria-live': 'polite'});
    this.tip = element('div', {class: 'tip', hidden: ''});
    root.append(
      element('div', {class: 'bar-of-controls'},
        element('label', {for: 'by'}, 'Colour by'), this.select,
        element('label', {for: 'search'}, 'Find'), this.search,
        button('+', 'Zoom in', () => this.view.zoom(0.5)), button('\u2212', 'Zoom out', () => this.view.zoom(2)),
        button('All', 'Show the whole run', () => this.reset()), this.found),
      element('p', {class: 'hint'}, 'Drag the picture to move, turn the wheel to zoom in time (with Shift: in devices), '
        + 'click a bar for its job. Drag in the queue below to select a span. Dashed lines enclose the measured time.'),
      this.swatches,
      ...this.pictures.map(({run, devices, queue}) => element('div', {class: 'picture'},
        element('h2', {}, `${run.title} under ${run.policy}`), devices.canvas, queue.canvas)),
      element('div', {class: this.runs.length > 1 ? 'panels wide' : 'panels'}, this.spanPanel, this.jobPanel), this.tip);
    document.querySelector('main').classList.add('explorer');
    document.getElementById('static').classList.add('hidden');
    this.showJob();
    this.legend();
  }
  readColors() {
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    this.colors = {ink: variable('--ink'), soft: variable('--soft'), alarm: variable('--alarm'),
      idle: dark ? '#23282e' : '#eef0f2', down: '#b3261e', reclaimed: '#d98880', unschedulable: '#9aa3ab',
      ordered: '#c9b458', off: dark ? '#111418' : '#ffffff', pendingFill: dark ? '#7a5a1e' : '#f3d9a4',
      brush: dark ? 'rgba(255,255,255,.18)' : 'rgba(0,0,0,.14)'};
  }
  reset() {
    this.view.reset();
    for (const p of this.pictures) {
      p.devices.rowFrom = 0;
      p.devices.rowTo = Math.max(1, p.run.rows);
    }
  }
  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }
  draw() {
    const height = Math.max(160, Math.min(520, innerHeight * 0.55)) / (this.runs.length > 1 ? 1.6 : 1);
    this.pictures.forEach((p, i) => {
      p.devices.draw(height);
      p.queue.draw(70, i === this.pictures.length - 1);
    });
  }
  legend() {
    const run = this.runs[0], names = {queue: run.queues, class: run.classes, user: run.users}[this.by];
    const held = new Map(), of = run.jobs[this.by];
    for (let i = 0; i < run.bars.n; i++) {
      const k = of[run.bars.job[i]];
      held.set(k, (held.get(k) || 0) + (run.bars.to[i] - run.bars.from[i]) * run.bars.rows[i]);
    }
    const most = [...held].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 16);
    const item = (color, text) => {
      const swatch = element('i');
      swatch.style.background = color;
      return element('li', {}, swatch, text);
    };
    const states = [...new Set(this.runs.flatMap((r) => r.states.map((s) => r.stateNames[s.state])))];
    this.swatches.replaceChildren(...most.map(([k]) => item(COLORS[k % COLORS.length], kindOf(names[k]) || '(none)')),
      ...(held.size > COLORS.length ? [element('li', {}, `${count(held.size)} in all; colours repeat`)] : []),
      ...states.map((name) => item(this.colors[name], `node ${name}`)),
      ...(this.runs.some((r) => r.faults.length) ? [item(this.colors.alarm, 'fault')] : []));
  }
  // ---- a span ----
  brush(from, to) {
    this.span = from === null ? null : [Math.max(0, from), Math.min(this.clock.end, to)];
    this.showSpan();
    this.redraw();
  }
  showSpan() {
    const [from, to] = this.span || [0, this.clock.end];
    const sums = this.runs.map((run) => ladder(run, from, to)), lists = this.runs.map((run) => waits(run, from, to));
    const many = this.runs.length > 1, name = (run) => many ? `, ${run.policy}` : '';
    const kinds = [...new Set(lists.flatMap((list) => [...list.keys()]))];
    this.spanPanel.replaceChildren(
      element('h2', {}, this.span ? `From ${moment(from, this.clock)} to ${moment(to, this.clock)}` : 'The whole run'),
      table(['GPU time', ...this.runs.flatMap((run) => [`GPU-hours${name(run)}`, 'of installed'])],
        LADDER.map(([label, k]) => [label, ...sums.flatMap((s) =>
          [count(s[k] / 1000 / HOUR), percent(s[k] / s[SUM.installed])])])),
      table(['Waits of jobs that started then', ...this.runs.flatMap((run) => [`jobs${name(run)}`, 'mean', 'p50', 'p95'])],
        kinds.map((kind) => [kindOf(kind) || 'all', ...lists.flatMap((list) => {
          const w = list.get(kind) || [];
          return [count(w.length), duration(mean(w)), duration(rank(w, 0.5)), duration(rank(w, 0.95))];
        })])));
    this.spanSums = sums;
    this.spanWaits = lists;
  }
  // ---- a job ----
  chosenJob(run) {
    return this.chosen && this.chosen.run === run ? this.chosen.job : -1;
  }
  choose(chosen) {
    this.chosen = chosen;
    this.showJob();
    this.redraw();
  }
  find(text) {
    const wanted = text.trim();
    this.found.textContent = '';
    if (wanted === '') return this.choose(null);
    const all = this.runs.flatMap((run) => run.jobs.id.map((id, job) => ({run, job, id})));
    const exact = all.filter((j) => j.id === wanted), hits = exact.length ? exact : all.filter((j) => j.id.includes(wanted));
    if (hits.length === 0) {
      this.found.textContent = `no job '${wanted}'`;
      return this.choose(null);
    }
    const again = hits.findIndex((h) => this.chosen && h.run === this.chosen.run && h.job === this.chosen.job);
    const hit = hits[(again + 1) % hits.length];
    this.found.textContent = hits.length > 1 ? `${(again + 1) % hits.length + 1} of ${count(hits.length)}` : '';
    const j = hit.run.jobs, from = j.submit[hit.job] + hit.run.shift;
    const to = (isFinite(j.end[hit.job]) ? j.end[hit.job] : hit.run.end) + hit.run.shift;
    if (from < this.view.from || to > this.view.to || to - from < (this.view.to - this.view.from) / 200)
      this.view.set(from - (to - from) * 0.3 - 60 * SECOND, to + (to - from) * 0.3 + 60 * SECOND);
    this.choose({run: hit.run, job: hit.job});
  }
  showJob() {
    if (!this.chosen) {
      this.jobPanel.replaceChildren(element('h2', {}, 'No job is selected'),
        element('p', {class: 'hint'}, 'Click a bar, or enter a job id.'));
      return;
    }
    const {run, job} = this.chosen, j = run.jobs, wait = j.start[job] - j.eligible[job];
    const facts = [['Queue', run.queues[j.queue[job]]], ['User', run.users[j.user[job]] || '\u2013'],
      ['Class', kindOf(run.classes[j.class[job]])], ['GPUs', count(j.gpus[job])], ['Tasks', count(j.tasks[job])],
      ['Wait', isFinite(wait) ? duration(wait) : 'has not started'], ['State', STATUS[j.status[job]]],
      ['Evictions', count(j.preemptions[job])], ['Interruptions', count(j.failures[job])]];
    this.jobPanel.replaceChildren(element('h2', {}, `Job ${j.id[job]}`),
      element('dl', {class: 'facts'}, ...facts.map(([k, v]) => element('div', {}, element('dt', {}, k), element('dd', {}, v)))),
      element('ol', {}, ...lifeOf(run, job).map((e) => element('li', e.reason ? {title: e.reason} : {},
        element('time', {}, moment(e.at + run.shift, this.clock)), element('span', {}, e.text)))));
  }
  showTip(devices, event) {
    const bar = devices.find(event.offsetX, event.offsetY);
    if (bar < 0) return this.hideTip();
    const {run} = devices, {bars, jobs} = run, job = bars.job[bar];
    this.tip.replaceChildren(element('strong', {}, jobs.id[job]), element('br'),
      `${run.queues[jobs.queue[job]]}, ${run.users[jobs.user[job]] || 'no user'}, ${run.classes[jobs.class[job]]}, `
      + `${count(jobs.gpus[job])} GPUs`, element('br'),
      `${moment(bars.from[bar] + run.shift, this.clock)}, ${duration(bars.to[bar] - bars.from[bar])}; waited ${
        duration(jobs.start[job] - jobs.eligible[job])}`);
    this.tip.hidden = false;
    this.tip.style.left = `${Math.min(event.pageX + 14, document.documentElement.clientWidth - 240)}px`;
    this.tip.style.top = `${event.pageY + 14}px`;
  }
  hideTip() {
    this.tip.hidden = true;
  }
  key(event, devices) {
    const step = (this.view.to - this.view.from) / 10;
    const act = {ArrowLeft: () => this.view.pan(-step), ArrowRight: () => this.view.pan(step),
      ArrowUp: () => devices && devices.panRows((devices.rowFrom - devices.rowTo) / 10),
      ArrowDown: () => devices && devices.panRows((devices.rowTo - devices.rowFrom) / 10),
      '+': () => this.view.zoom(0.7), '-': () => this.view.zoom(1 / 0.7), 0: () => this.reset(),
      Escape: () => { this.choose(null); this.brush(null); }}[event.key];
    if (!act) return;
    event.preventDefault();
    act();
    this.redraw();
  }
}

const runs = [...document.querySelectorAll('script.run')].map((e) => readRun(e.textContent));
const app = new App(runs);
app.draw();
window.explorer = app; // for tests and the curious
document.documentElement.dataset.ready = Math.round(performance.now());
})();
