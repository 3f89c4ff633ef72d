/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The colours of figures. Files of figures have the palette of Okabe and Ito (2008, "Color
 * Universal Design"), which people with any colour vision tell apart, but half of which is too pale
 * on white. On a page each colour is a variable of the style sheet, --c0 to --c7, with one value
 * for light pages and one for dark: near to the original, with a contrast of at least 3:1 to the
 * page (WCAG 2.2, 1.4.11), and further apart under protan, deutan and tritan vision than the
 * original is. A test computes both from the style sheet.
 */
#ifndef REPORT_FIGURES_PALETTE_H
#define REPORT_FIGURES_PALETTE_H

#include "sim/base/out.h"

#include <stdbool.h>
#include <stddef.h>

#define PALETTE_COLORS ((size_t)8)

/*
 * What a colour means, the same on every page. Categories without a colour of their own (reasons)
 * take the palette in its order.
 */
enum palette_meaning {
    PALETTE_RUNNING = 0,
    PALETTE_CHANGED = 1, /* the side that is asked about: what if, simulated */
    PALETTE_PRODUCTIVE = 2,
    PALETTE_BETTER = 2,   /* and the answer of a plan */
    PALETTE_PROMISED = 3, /* entitlements and targets */
    PALETTE_ALLOCATED = 4,
    PALETTE_DOWN = 5,
    PALETTE_WORSE = 5,
    PALETTE_FRAGMENTED = 6,
    PALETTE_IDLE = 7,
    PALETTE_BASE = 7, /* the side that it is compared with: as it is, recorded, today */
};

/* The colour of a class of jobs; `index` where the class is not a usual one. */
size_t palette_class(const char *name, size_t index);

/* "#0072B2", for files; grey comes last. Any index is fine, it wraps round. */
const char *palette_file(size_t index);

/* "var(--c0)", for what is drawn into a page. */
const char *palette_page(size_t index);

/* The index of a colour of the palette; false when it is none. */
bool palette_find(unsigned red, unsigned green, unsigned blue, size_t *index);

/* "--c0:#375d96;--c1:..." */
void palette_variables(struct out *, bool dark);

#endif
