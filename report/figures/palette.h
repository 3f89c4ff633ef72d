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

/* "#0072B2", for files; grey comes last. Any index is fine, it wraps round. */
const char *palette_file(size_t index);

/* "var(--c0)", for what is drawn into a page. */
const char *palette_page(size_t index);

/* The index of a colour of the palette; false when it is none. */
bool palette_find(unsigned red, unsigned green, unsigned blue, size_t *index);

/* "--c0:#375d96;--c1:..." */
void palette_variables(struct out *, bool dark);

#endif
