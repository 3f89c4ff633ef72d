/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every family of keys of summary.json with its unit, its definition and the direction in which it
 * improves. Printed by `list metrics` and by the appendix of the report; judgements take the
 * direction from here.
 *
 * A name is the dotted path in summary.json. An object of statistics (mean, p50, ... max) is one
 * family: `wait_s` stands for `wait_s.p95` too. `*` stands for any one key: `by_class.*.wait_s`.
 */
#ifndef REPORT_WORDS_METRIC_ROWS_H
#define REPORT_WORDS_METRIC_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* rises when a definition changes: numbers of before then do not compare */
#define METRICS_VERSION 1

enum metric_better {
    METRIC_NEUTRAL = 0, /* describes the run, is neither good nor bad */
    METRIC_LOWER = 1,
    METRIC_HIGHER = 2,
};

struct metric_row {
    const char *name;    /* "fairness.jain" */
    const char *unit;    /* "s", "GPU-h", "ratio", "count", ... */
    const char *summary; /* the definition, one or two sentences, in ASCII */
    enum metric_better better;
};

/* All rows, grouped as in summary.json. Static; never freed. */
const struct metric_row *metric_rows(size_t *count);

/* The row of a dotted path such as "by_class.train.wait_s.p95", the longest match; NULL when there
 * is none. */
const struct metric_row *metric_find(const char *path);

/* True if a name as above, or its beginning, covers the path: "wait_s" and "by_class.*" cover all
 * paths below. */
bool metric_covers(const char *name, const char *path);

const char *metric_better_name(enum metric_better); /* "lower", "higher" or "" */

#endif
