// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of the devices: rows are devices, bars are jobs.

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
    if (!this.run.grid) this.drawBars(pixels, w, h);
    context.putImageData(image, Math.round(GUTTER * scale), 0);
    if (this.run.grid) this.drawGrid(context);
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
    const palette = COLORS.map((c) => pixel(c)), chosen = this.app.chosenJob(this.run), picked = this.app.chosen !== null;
    const gap = h / (this.rowTo - this.rowFrom) >= 5 ? 1 : 0; // between rows that are high enough
    for (let i = 0; i < bars.n; i++) {
      const from = bars.from[i] + shift, to = bars.to[i] + shift;
      if (from > view.to) break; // bars are in the order of their beginnings
      if (to < view.from || bars.row[i] >= this.rowTo || bars.row[i] + bars.rows[i] <= this.rowFrom) continue;
      const share = bars.milli[i] < 1000, row = bars.row[i] + (share ? bars.offset[i] / 1000 : 0);
      const box = this.box(from, to, row, share ? row + bars.milli[i] / 1000 : row + bars.rows[i], w, h);
      if (gap && box[3] - box[2] > 1) box[3] -= gap;
      const color = palette[of[bars.job[i]] % COLORS.length];
      this.paint(pixels, w, box, picked && bars.job[i] !== chosen ? (color & 0xffffff | 0x50000000) >>> 0 : color);
    }
  }
  // The grid is an image of a pixel a cell, made once for each choice of colours and then scaled.
  gridImage() {
    const {grid, rows} = this.run, planes = grid[this.app.by];
    if (this.image && this.image.by === this.app.by) return this.image.canvas;
    const palette = COLORS.map((c) => Array.from({length: 16}, (_, fill) => pixel(c, fill * 17)));
    const canvas = element('canvas', {width: grid.columns, height: Math.ceil(rows / grid.rowsOfCell)});
    const context = canvas.getContext('2d'), image = context.createImageData(canvas.width, canvas.height);
    const pixels = new Uint32Array(image.data.buffer);
    for (let i = 0; i < pixels.length; i++)
      if (planes[i] !== 0) pixels[i] = palette[planes[i] - 1][grid.fill[i]];
    context.putImageData(image, 0, 0);
    this.image = {by: this.app.by, canvas};
    return canvas;
  }
  drawGrid(context) {
    const {grid, shift, end} = this.run, canvas = this.gridImage();
    const left = this.x(shift), top = this.y(0);
    context.save();
    context.beginPath();
    context.rect(GUTTER, 0, this.area.width - GUTTER, this.area.height);
    context.clip();
    context.imageSmoothingEnabled = false;
    context.drawImage(canvas, left, top, this.x(end + shift) - left, this.y(canvas.height * grid.rowsOfCell) - top);
    context.restore();
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
        app.choose(bar < 0 ? null : this.run.jobs.id[this.run.bars.job[bar]]);
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
