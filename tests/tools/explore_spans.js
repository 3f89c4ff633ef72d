// SPDX-License-Identifier: GPL-3.0-or-later
// Spans as the explorer computes them, without a browser: node explore_spans.js PAGE.html DIR
//
//   - the whole run has the ladder of summary.json and its number of waits, mean and percentiles;
//   - two spans that meet add up to the whole, wherever they meet;
//   - the GPU time allocated in a part of the window is that of the bars in it. Within a slot the
//     ladder is even, so up to the GPU time of two slots may differ.
//
// Prints a line for each law that is broken and exits with 1.
'use strict';
const fs = require('fs'), vm = require('vm');
const [page, folder] = process.argv.slice(2);
const script = ['read.js', 'span.js'].map((name) => fs.readFileSync(`report/explore/script/${name}`, 'utf8')).join('');
const {readRun, align, ladder, waits, rank, mean, SUM} =
  vm.runInNewContext(`${script}\n({readRun, align, ladder, waits, rank, mean, SUM})`, {atob, TextDecoder});
const run = readRun(fs.readFileSync(page, 'utf8').match(/class="run">([^<]*)</)[1]);
const summary = JSON.parse(fs.readFileSync(`${folder}/summary.json`, 'utf8')), wrong = [];
const {end} = align([run]), lost = summary.gpu_hours.lost, hours = (sum) => sum / 3.6e9;

function equal(what, got, expected, tolerance) {
  if (!(Math.abs(got - expected) <= tolerance)) wrong.push(`${what}: ${got}, expected ${expected}`);
}

const whole = ladder(run, 0, end);
const expected = {installed: summary.gpu_hours.installed, noDemand: lost.idle_no_demand, fragmented: lost.idle_fragmented,
  heldBack: lost.idle_blocked, allocated: summary.gpu_hours.allocated};
for (const [key, value] of Object.entries(expected)) equal(key, hours(whole[SUM[key]]), value, 1e-6 * Math.max(1, value));

for (const part of [0.1, 1 / 3, 0.777]) {
  const before = ladder(run, 0, part * end), after = ladder(run, part * end, end);
  whole.forEach((sum, k) => equal(`sum ${k} cut at ${part}`, before[k] + after[k], sum, 1e-9 * Math.max(1, sum)));
}

function allocatedByBars(from, to) {
  const {bars} = run, begin = Math.max(from, run.windowFrom), stop = Math.min(to, run.windowTo);
  let sum = 0;
  for (let i = 0; i < bars.n; i++)
    sum += Math.max(0, Math.min(bars.to[i], stop) - Math.max(bars.from[i], begin)) * bars.rows[i] * bars.milli[i];
  return sum;
}
for (const [from, to] of [[0, 0.25], [0.2, 0.4], [0.5, 0.9]])
  equal(`allocated from ${from} to ${to}`, hours(ladder(run, from * end, to * end)[SUM.allocated]),
    hours(allocatedByBars(from * end, to * end)), hours(2 * run.slot * run.rows * 1000));

for (const key of ['queue', 'class', 'user']) {
  const lists = waits(run, 0, end, key), all = lists.get('');
  let count = 0;
  for (const [name, list] of lists) if (name !== '') count += list.length;
  equal(`jobs by ${key}`, count, all.length, 0);
  if (summary.wait_s.censored) continue;
  equal('p95 of waits', rank(all, 0.95) / 1000, summary.wait_s.p95, 1e-3);
  equal('p50 of waits', rank(all, 0.5) / 1000, summary.wait_s.p50, 1e-3);
  equal('mean of waits', mean(all) / 1000, summary.wait_s.mean, 1e-3 * Math.max(1, summary.wait_s.mean));
}
console.log(wrong.join('\n'));
process.exit(wrong.length > 0 ? 1 : 0);
