// SPDX-License-Identifier: GPL-3.0-or-later
// The life of a job, in words.

// Names of the nodes (or pools) that have a row of a bar: neighbouring nodes share one.
function namesOf(run, row, rows) {
  const next = (i) => i + 1 < run.groups.length ? run.groups[i + 1].row : run.rows;
  return run.groups.filter((g, i) => g.row < row + rows && next(i) > row).map((g) => g.name);
}

function lifeOf(run, job) {
  const j = run.jobs, list = [], bars = run.bars;
  list.push({at: j.submit[job], order: 0, text: `submitted to ${run.queues[j.queue[job]]}`});
  if (j.eligible[job] > j.submit[job]) list.push({at: j.eligible[job], order: 0, text: 'eligible to start'});
  const by = new Map();
  for (let i = 0; i < bars.n; i++) {
    if (bars.job[i] !== job) continue;
    const names = by.get(bars.from[i]) || new Set();
    by.set(bars.from[i], names);
    for (const name of namesOf(run, bars.row[i], bars.rows[i])) names.add(name);
  }
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
      list.push({at: e.at, order: 0, text: `interrupted: ${words(run.faultClasses[e.what] || (e.what === 254 ? 'planned removal' : 'device memory'))}`});
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
