// SPDX-License-Identifier: GPL-3.0-or-later
// What a span of time comes to: the ladder of GPU time and the waits.

// Names of what colours stand for.
const namesBy = (run, key) => ({queue: run.queues, class: run.classes, user: run.users})[key];

// GPU time by what colours stand for. Where the bars are not listed, all names count alike.
function heldBy(run, key) {
  const held = new Map(), {bars, jobs} = run;
  if (run.grid && key !== 'user') for (const [k, name] of namesBy(run, key).entries()) if (name) held.set(k, 0);
  for (let i = 0; i < bars.n; i++) {
    const k = jobs[key][bars.job[i]];
    held.set(k, (held.get(k) || 0) + (bars.to[i] - bars.from[i]) * bars.rows[i] * bars.milli[i]);
  }
  return held;
}

// Sums of the ladder from one time to another. A slot that is cut counts in proportion, of the time for
// which it has something: the last one ends with the run, and the ladder is of the window alone.
function ladder(run, from, to) {
  const sums = new Float64Array(SUM.count), begin = from - run.shift, end = to - run.shift;
  for (let i = Math.max(0, Math.floor(begin / run.slot)); i < run.slots && i * run.slot < end; i++) {
    const slotEnd = Math.min((i + 1) * run.slot, run.end);
    const ofWindow = shareOf(begin, end, Math.max(i * run.slot, run.windowFrom), Math.min(slotEnd, run.windowTo));
    const ofRun = shareOf(begin, end, i * run.slot, slotEnd);
    for (let k = 0; k < SUM.count; k++)
      sums[k] += run.sums[i * SUM.count + k] * (k < SUM.wanted ? ofWindow : ofRun);
  }
  return sums;
}

// How much of [first, last] lies in [begin, end].
function shareOf(begin, end, first, last) {
  return last > first ? Math.max(0, Math.min(end, last) - Math.max(begin, first)) / (last - first) : 0;
}

// Waits of the counted jobs that started in the span, in order, by name of queue, class or user; '' is
// all. Of jobs that are not listed the page does not know the user.
function waits(run, from, to, key) {
  const {jobs, starts} = run, names = namesBy(run, key), lists = new Map([['', []]]);
  const add = (at, wait, name) => {
    if (!(at + run.shift >= from && at + run.shift <= to)) return;
    if (!lists.has(name)) lists.set(name, []);
    lists.get('').push(wait);
    lists.get(name).push(wait);
  };
  for (let i = 0; i < jobs.n; i++)
    if (jobs.counted[i]) add(jobs.start[i], jobs.start[i] - jobs.eligible[i], names[jobs[key][i]] || '(none)');
  for (let i = 0; i < starts.n; i++)
    add(starts.at[i], starts.wait[i], key === 'user' ? '(not listed)' : names[starts[key][i]]);
  return new Map([...lists].map(([name, list]) => [name, Float64Array.from(list).sort()]));
}

const rank = (sorted, q) => sorted.length ? sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] : NaN;
const mean = (list) => list.length ? list.reduce((a, b) => a + b, 0) / list.length : NaN;
