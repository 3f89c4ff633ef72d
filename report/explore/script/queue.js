// SPDX-License-Identifier: GPL-3.0-or-later
// The queue below the devices, over the same time.

const STRIP = 46, STRIP_GAP = 8;
// Each strip has a scale of its own. Pending work is drawn at all times, allocation in the measured
// time alone.
const STRIPS = [
  {label: 'pending GPUs', unit: 1000, filled: SUM.wanted, color: 'pending'},
  {label: 'pending jobs', unit: 1, filled: SUM.pending, color: 'pending'},
  {label: 'allocated GPUs', unit: 1000, filled: SUM.allocated, color: 'allocated', line: SUM.installed},
];

class Queue {
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.canvas = element('canvas', {class: 'queue', tabindex: '0', role: 'img',
      'aria-label': `Pending GPUs, pending jobs and allocated GPUs of ${run.title} over time. Drag to select a span, `
        + 'or press S to select the visible time.'});
    this.tops = STRIPS.map((strip) => {
      let top = 0;
      for (let i = 0; i < run.slots; i++)
        for (const sum of [strip.filled, strip.line]) if (sum !== undefined) top = Math.max(top, this.at(i, sum, strip.unit));
      return top;
    });
    this.listen();
  }
  // The mean in a slot.
  at(slot, sum, unit) {
    return this.run.sums[slot * SUM.count + sum] / this.run.slot / unit;
  }
  x(time) {
    return GUTTER + (time - this.app.view.from) * (this.area.width - GUTTER) / (this.app.view.to - this.app.view.from);
  }
  time(x) {
    return this.app.view.from + (x - GUTTER) * (this.app.view.to - this.app.view.from) / (this.area.width - GUTTER);
  }
  draw(labelled) {
    const height = STRIPS.length * (STRIP + STRIP_GAP);
    this.area = fit(this.canvas, height + (labelled ? AXIS : 0));
    const {context, width} = this.area, {colors, view, span} = this.app;
    context.clearRect(0, 0, width, this.area.height);
    context.save();
    context.beginPath();
    context.rect(GUTTER, 0, width - GUTTER, height);
    context.clip();
    STRIPS.forEach((strip, i) => this.drawStrip(context, strip, i));
    if (span) {
      context.fillStyle = colors.brush;
      context.fillRect(this.x(span[0]), 0, Math.max(1, this.x(span[1]) - this.x(span[0])), height);
    }
    context.restore();
    context.fillStyle = colors.soft;
    context.font = '11px system-ui, sans-serif';
    context.textBaseline = 'top';
    STRIPS.forEach((strip, i) => {
      const y = i * (STRIP + STRIP_GAP) + STRIP_GAP;
      context.fillText(strip.label, 0, y, GUTTER - 6);
      context.fillText(`up to ${count(this.tops[i])}`, 0, y + 14, GUTTER - 6);
      context.fillRect(GUTTER, y + STRIP - 1, width - GUTTER, 1);
    });
    if (labelled) this.drawAxis(context, view, width, height);
  }
  drawStrip(context, strip, i) {
    const bottom = (i + 1) * (STRIP + STRIP_GAP), {colors} = this.app;
    if (this.tops[i] === 0) return;
    this.trace(context, strip.filled, strip.unit, this.tops[i], bottom, true);
    context.fillStyle = colors[strip.color];
    context.fill();
    if (strip.line === undefined) return;
    this.trace(context, strip.line, strip.unit, this.tops[i], bottom, false);
    context.strokeStyle = colors.soft;
    context.stroke();
  }
  // A path over the slots in view. Slots narrower than a pixel are drawn together, as their mean; they
  // are grouped by their number, so that the curve does not flicker while it moves.
  trace(context, sum, unit, top, bottom, closed) {
    const {run} = this, {view} = this.app;
    const perPixel = (view.to - view.from) / run.slot / Math.max(1, this.area.width - GUTTER);
    const step = Math.max(1, Math.floor(perPixel));
    const first = Math.max(0, Math.floor((view.from - run.shift) / run.slot / step) * step);
    const last = Math.min(run.slots, Math.ceil((view.to - run.shift) / run.slot) + 1);
    context.beginPath();
    if (closed) context.moveTo(this.x(first * run.slot + run.shift), bottom);
    for (let i = first; i < last; i += step) {
      const n = Math.min(step, run.slots - i);
      let value = 0;
      for (let k = 0; k < n; k++) value += this.at(i + k, sum, unit) / n;
      const y = bottom - value / top * (STRIP - 2);
      context.lineTo(this.x(i * run.slot + run.shift), y);
      context.lineTo(this.x((i + n) * run.slot + run.shift), y);
    }
    if (!closed) return;
    context.lineTo(this.x(Math.max(first, last) * run.slot + run.shift), bottom);
    context.closePath();
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
