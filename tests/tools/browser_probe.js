// SPDX-License-Identifier: GPL-3.0-or-later
// Looks at a page in the frame "page" and replaces the frame's document title by what is wrong with it, a line each,
// ahead of a line of totals. Runs in the page around the frame: the page itself allows no script.
'use strict';
function probe(frame, dark) {
    const view = frame.contentWindow, page = view.document, wrong = [];
    const box = (element) => element.getBoundingClientRect();
    const name = (element) => (element.id ? '#' + element.id : element.tagName.toLowerCase()) + ' "' +
        element.textContent.trim().slice(0, 30).replace(/\s+/g, ' ') + '"';

    if (page.scrollingElement.scrollWidth > view.innerWidth)
        wrong.push('the page is ' + page.scrollingElement.scrollWidth + ' wide in ' + view.innerWidth);
    for (const element of page.querySelectorAll('body *')) {
        if (element.closest('.scroll, .stack') && !element.matches('.scroll'))
            continue; // these scroll in their box, which itself must fit
        if (box(element).right > view.innerWidth + 0.5)
            wrong.push(name(element) + ' ends at ' + box(element).right);
        if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && !element.matches('.scroll'))
            wrong.push(name(element) + ' is narrower than its text');
    }

    const figures = page.querySelectorAll('figure');
    for (const figure of figures) {
        const svg = figure.querySelector('svg'), drawn = svg || figure.querySelector('.stack');
        if (!drawn || box(drawn).width < 100 || box(drawn).height < 16)
            wrong.push(name(figure) + ' is empty');
        if (!svg)
            continue;
        if (svg.querySelectorAll('path, rect, polygon, line').length < 3)
            wrong.push(name(figure) + ' has nothing drawn');
        for (const text of svg.querySelectorAll('text')) {
            const b = box(text), s = box(svg);
            if (b.left < s.left - 1 || b.right > s.right + 1 || b.top < s.top - 1 || b.bottom > s.bottom + 1)
                wrong.push(name(figure) + ': the label "' + text.textContent.trim() + '" is cut off');
        }
        for (const shape of svg.querySelectorAll('[fill^="var("], [stroke^="var("]')) {
            const style = view.getComputedStyle(shape);
            const filled = (shape.getAttribute('fill') || '').startsWith('var(');
            if (!/^rgb/.test(filled ? style.fill : style.stroke))
                wrong.push(name(figure) + ' has a colour that is not defined');
        }
    }

    const ground = view.getComputedStyle(page.body).backgroundColor.match(/\d+/g).map(Number);
    if ((ground[0] < 128) !== dark)
        wrong.push('the ground is rgb(' + ground + ')');
    return wrong.map((line) => 'WRONG ' + line).concat('PROBED ' + figures.length + ' figures, ' +
        page.querySelectorAll('table').length + ' tables').join('\n');
}
