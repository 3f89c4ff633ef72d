/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in Markdown as GitHub and GitLab show it. */
#ifndef REPORT_WORDS_MARKDOWN_H
#define REPORT_WORDS_MARKDOWN_H

#include "sim/base/out.h"

/* Text as it stands: what would end a cell or begin markup is escaped; it is made safe to show, and
 * one line. */
void markdown_text(struct out *, const char *text);

/* The same as a cell of a row of a table, with what separates it from the next one. */
void markdown_cell(struct out *, const char *text);

#endif
