/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in Markdown as GitHub and GitLab show it. */
#ifndef REPORT_WORDS_MARKDOWN_H
#define REPORT_WORDS_MARKDOWN_H

#include "sim/base/out.h"

/*
 * Prints text literally on one line: escapes what would end a cell or start markup, and makes
 * control characters visible.
 */
void markdown_text(struct out *, const char *text);

/* Prints text as a table cell, with its separator. */
void markdown_cell(struct out *, const char *text);

#endif
