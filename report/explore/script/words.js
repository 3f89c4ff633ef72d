// SPDX-License-Identifier: GPL-3.0-or-later
// Times, amounts and elements as the page shows them.

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
