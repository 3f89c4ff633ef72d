/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text tables below those of a comparison: what the caller adds to the metrics. */
#ifndef REPORT_COMPARE_LISTS_H
#define REPORT_COMPARE_LISTS_H

#include "report/page/html.h"
#include "sim/base/out.h"

#include <stddef.h>

/* The caller owns everything. */
struct comparison_list {
    char *title;    /* "Evicted in B and not in A: 12 jobs" */
    char *more;     /* below the rows: "and 40 more (--json has them all)"; NULL: nothing */
    const char *id; /* id of the table on a page */
    const char *const *head;
    size_t columns, rows;
    char **cells; /* row by row */
};

void lists_print(const struct comparison_list *, size_t count, struct out *, size_t width);
void lists_markdown(const struct comparison_list *, size_t count, struct out *);
void lists_html(const struct comparison_list *, size_t count, const struct page *);

#endif
