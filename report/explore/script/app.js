// SPDX-License-Identifier: GPL-3.0-or-later
// The page: controls, tables, and what happens on input.

// Names in the legend and in the table of waits.
const MOST_NAMES = 16;

class App {
  constructor(runs) {
    this.runs = runs;
    this.clock = align(runs);
    this.view = new View(this.clock);
    this.by = 'queue';
    this.span = null;
    this.chosen = null; // the id of a job
    this.places = new Map(runs.map((run) => [run, new Map(run.jobs.id.map((id, job) => [id, job]))]));
    this.pictures = runs.map((run) => ({run, devices: new Devices(this, run), queue: new Queue(this, run)}));
    this.readColors();
    this.build();
    this.brush(null);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { this.readColors(); this.legend(); this.redraw(); });
    // A printed page is a light one (report/page/style.c), and so are its pictures.
    const paper = (printing) => () => { this.readColors(printing); this.legend(); this.draw(); };
    addEventListener('beforeprint', paper(true));
    addEventListener('afterprint', paper(false));
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
    this.select.addEventListener('change', () => { this.by = this.select.value; this.redraw(); this.legend(); this.showSpan(); });
    this.swatches = element('ul', {class: 'swatches'});
    this.spanPanel = element('section', {id: 'span'});
    this.jobPanel = element('section', {id: 'job', 'aria-live': 'polite'});
    this.tip = element('div', {class: 'tip', hidden: ''});
    root.append(
      element('div', {class: 'bar-of-controls'},
        element('label', {for: 'by'}, 'Colour by'), this.select,
        element('label', {for: 'search'}, 'Find'), this.search,
        button('+', 'Zoom in', () => this.view.zoom(0.5)), button('\u2212', 'Zoom out', () => this.view.zoom(2)),
        button('All', 'Show the whole run', () => this.reset()),
        button('Select', 'Select the visible time', () => this.brushView()), this.found),
      element('p', {class: 'hint'}, 'Drag the picture to move, turn the wheel to zoom in time (with Shift: in devices), '
        + 'click a bar for its job. Drag in the queue below, or use \u201cSelect\u201d, for the GPU time and the waits of a span. Dashed lines enclose the measured time.'),
      this.swatches,
      ...this.pictures.map(({run, devices, queue}) => element('div', {class: 'picture'},
        element('h2', {}, `${run.title} under ${run.policy}`), devices.canvas, queue.canvas)),
      element('div', {class: this.runs.length > 1 ? 'panels wide' : 'panels'}, this.spanPanel, this.jobPanel), this.tip);
    document.querySelector('main').classList.add('explorer');
    document.getElementById('static').classList.add('hidden');
    this.showJob();
    this.legend();
  }
  readColors(printing = false) {
    const dark = !printing && matchMedia('(prefers-color-scheme: dark)').matches;
    this.colors = {ink: dark ? '#e4e7eb' : '#1b1f24', soft: dark ? '#9aa4af' : '#59636e', alarm: dark ? '#ff8a80' : '#7d0000',
      idle: dark ? '#23282e' : '#eef0f2', down: '#b3261e', 'burn-in': '#c77f3a', reclaimed: '#d98880', unschedulable: '#9aa3ab',
      ordered: '#c9b458', off: dark ? '#111418' : '#ffffff', pending: dark ? '#a5791f' : '#e8b04a', allocated: dark ? '#4f7fa8' : '#7aa6cc',
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
    if (this.stale) this.showSpan();
    const height = Math.max(160, Math.min(520, innerHeight * 0.55)) / (this.runs.length > 1 ? 1.6 : 1);
    this.pictures.forEach((p, i) => {
      p.devices.draw(height);
      p.queue.draw(i === this.pictures.length - 1);
    });
  }
  legend() {
    const run = this.runs[0], names = namesBy(run, this.by), held = heldBy(run, this.by);
    const most = [...held].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_NAMES);
    const item = (color, text) => {
      const swatch = element('i');
      swatch.style.background = color;
      return element('li', {}, swatch, text);
    };
    const states = [...new Set(this.runs.flatMap((r) => r.states.map((s) => r.stateNames[s.state])))];
    this.swatches.replaceChildren(...most.map(([k]) => item(COLORS[k % COLORS.length], kindOf(names[k]) || '(none)')),
      ...(held.size > COLORS.length ? [element('li', {}, `${count(held.size)} in all; colours repeat`)] : []),
      ...states.map((name) => item(this.colors[name], `node ${name}`)),
      ...(this.runs.some((r) => r.faults.length) ? [item(this.colors.alarm, 'fault')] : []),
      item(this.colors.idle, 'idle'));
  }
  // ---- a span ----
  brush(from, to) {
    this.span = from === null ? null : [Math.max(0, from), Math.min(this.clock.end, to)];
    this.stale = true;
    this.redraw();
  }
  brushView() {
    this.brush(this.view.from, this.view.to);
  }
  showSpan() {
    const [from, to] = this.span || [0, this.clock.end];
    this.stale = false;
    const sums = this.runs.map((run) => ladder(run, from, to)), lists = this.runs.map((run) => waits(run, from, to, this.by));
    const many = this.runs.length > 1, name = (run) => many ? `, ${run.policy}` : '';
    const jobs = (kind) => lists.reduce((n, list) => n + (list.get(kind) || []).length, 0);
    const kinds = [...new Set(lists.flatMap((list) => [...list.keys()]))].sort((a, b) => jobs(b) - jobs(a) || (a < b ? -1 : 1));
    kinds.splice(kinds.indexOf(''), 1);
    kinds.unshift('');
    const more = kinds.length - 1 - MOST_NAMES;
    this.spanPanel.replaceChildren(
      element('h2', {}, this.span ? `From ${moment(from, this.clock)} to ${moment(to, this.clock)}` : 'The whole run'),
      table(['GPU time', ...this.runs.flatMap((run) => [`GPU-hours${name(run)}`, 'of installed'])],
        LADDER.map(([label, k]) => [label, ...sums.flatMap((s) =>
          [count(s[k] / 1000 / HOUR), percent(s[k] / s[SUM.installed])])])),
      table(['Waits of jobs that started then', ...this.runs.flatMap((run) => [`jobs${name(run)}`, 'mean', 'p50', 'p95'])],
        kinds.slice(0, MOST_NAMES + 1).map((kind) => [kindOf(kind) || 'all', ...lists.flatMap((list) => {
          const w = list.get(kind) || [];
          return [count(w.length), duration(mean(w)), duration(rank(w, 0.5)), duration(rank(w, 0.95))];
        })])),
      ...(more > 0 ? [element('p', {class: 'hint'}, `and ${count(more)} with fewer jobs`)] : []));
    this.spanSums = sums;
    this.spanWaits = lists;
  }
  // ---- a job ----
  chosenJob(run) {
    return this.chosen === null ? -1 : this.places.get(run).get(this.chosen) ?? -1;
  }
  // A job is chosen by its id, in every run that has it.
  choose(id) {
    this.chosen = id;
    this.showJob();
    this.redraw();
  }
  find(text) {
    const wanted = text.trim();
    this.found.textContent = '';
    if (wanted === '') return this.choose(null);
    const all = [...new Set(this.runs.flatMap((run) => run.jobs.id))];
    const hits = all.includes(wanted) ? [wanted] : all.filter((id) => id.includes(wanted));
    if (hits.length === 0) {
      this.found.textContent = `no job '${wanted}'${this.runs.some((run) => run.grid) ? ' among those that waited longest' : ''}`;
      return this.choose(null);
    }
    const place = (hits.indexOf(this.chosen) + 1) % hits.length;
    if (hits.length > 1) this.found.textContent = `${place + 1} of ${count(hits.length)}, ${hits[place]}`;
    this.choose(hits[place]);
    this.showLife();
  }
  // Moves to the lives of the chosen job, unless they can be seen already.
  showLife() {
    let from = Infinity, to = -Infinity;
    for (const run of this.runs) {
      const job = this.chosenJob(run), {submit, end} = run.jobs;
      if (job < 0) continue;
      from = Math.min(from, submit[job] + run.shift);
      to = Math.max(to, (isFinite(end[job]) ? end[job] : run.end) + run.shift);
    }
    if (from < this.view.from || to > this.view.to || to - from < (this.view.to - this.view.from) / 200)
      this.view.set(from - (to - from) * 0.3 - 60 * SECOND, to + (to - from) * 0.3 + 60 * SECOND);
  }
  showJob() {
    const lives = this.runs.filter((run) => this.chosenJob(run) >= 0).map((run) => this.life(run, this.chosenJob(run)));
    this.jobPanel.classList.toggle('none', lives.length === 0);
    if (lives.length === 0)
      this.jobPanel.replaceChildren(element('h2', {}, 'No job is selected'),
        element('p', {class: 'hint'}, 'Click a bar, or enter a job id.'));
    else
      this.jobPanel.replaceChildren(element('h2', {}, `Job ${this.chosen}`), element('div', {class: 'lives'}, ...lives));
  }
  life(run, job) {
    const j = run.jobs, wait = j.start[job] - j.eligible[job];
    const facts = [['Queue', run.queues[j.queue[job]]], ['User', run.users[j.user[job]] || '\u2013'],
      ['Class', kindOf(run.classes[j.class[job]])], ['GPUs', count(j.gpus[job])], ['Tasks', count(j.tasks[job])],
      ['Wait', isFinite(wait) ? duration(wait) : 'has not started'], ['State', STATUS[j.status[job]]],
      ['Evictions', count(j.preemptions[job])], ['Interruptions', count(j.failures[job])]];
    return element('div', {}, ...(this.runs.length > 1 ? [element('h3', {}, `under ${run.policy}`)] : []),
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
      s: () => this.brushView(), '+': () => this.view.zoom(0.7), '-': () => this.view.zoom(1 / 0.7), 0: () => this.reset(),
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
