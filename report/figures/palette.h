/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colours of figures. Figure files use the palette of Okabe and Ito (2008, "Color Universal
 * Design"), which is distinguishable with any colour vision, but half of it is too pale on white.
 * On a page each colour is a variable of the style sheet, --c0 to --c7, with one value for light
 * pages and one for dark: close to the original, with a contrast of at least 3:1 to the page (WCAG
 * 2.2, 1.4.11), and with larger distances under protan, deutan and tritan vision than the original.
 * A test computes both from the style sheet.
 */
#ifndef REPORT_FIGURES_PALETTE_H
#define REPORT_FIGURES_PALETTE_H

#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>

#define PALETTE_COLORS ((size_t)8)

/*
 * The meaning of a colour, the same on every page. Categories without a fixed colour (reasons) take
 * the palette in order.
 */
enum palette_meaning {
    PALETTE_RUNNING = 0,
    PALETTE_CHANGED = 1, /* the side under study: what if, simulated */
    PALETTE_PRODUCTIVE = 2,
    PALETTE_BETTER = 2,   /* also the answer of a plan */
    PALETTE_PROMISED = 3, /* entitlements and targets */
    PALETTE_ALLOCATED = 4,
    PALETTE_DOWN = 5,
    PALETTE_WORSE = 5,
    PALETTE_FRAGMENTED = 6,
    PALETTE_IDLE = 7,
    PALETTE_BASE = 7, /* the reference side: as is, recorded, today */
};

/* Returns the colour of a class of jobs; `index` if the class is not a usual one. */
size_t palette_class(const char *name, size_t index);

/* Returns "#0072B2", for files; grey is the last colour. The index wraps round. */
const char *palette_file(size_t index);

/* Returns "var(--c0)", for drawings within a page. */
const char *palette_page(size_t index);

/* Finds the index of a colour of the palette; returns false if it is not in it. */
bool palette_find(unsigned red, unsigned green, unsigned blue, size_t *index);

/* "--c0:#375d96;--c1:..." */
void palette_variables(struct out *, bool dark);

#endif
