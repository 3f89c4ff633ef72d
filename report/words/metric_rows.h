/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every family of keys in summary.json with its unit, definition and direction of improvement.
 * `list metrics` and the appendix of the report print them; verdicts take the direction from here.
 *
 * A name is the dotted path in summary.json. An object of statistics (mean, p50, ... max) is one
 * family: `wait_s` stands for `wait_s.p95` too. `*` stands for any one key: `by_class.*.wait_s`.
 */
#ifndef REPORT_WORDS_METRIC_ROWS_H
#define REPORT_WORDS_METRIC_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* increased when a definition changes, which makes older numbers incomparable */
#define METRICS_VERSION 1

enum metric_better {
    METRIC_NEUTRAL = 0, /* describes the run; neither good nor bad */
    METRIC_LOWER = 1,
    METRIC_HIGHER = 2,
};

struct metric_row {
    const char *name;    /* "fairness.jain" */
    const char *unit;    /* "s", "GPU-h", "ratio", "count", ... */
    const char *summary; /* the definition, one or two sentences, in ASCII */
    enum metric_better better;
};

/* Returns the i-th row, in the order of summary.json; NULL after the last. Rows are static. */
const struct metric_row *metric_row_at(size_t i);

/* Returns the names of all rows, *count of them, for suggestions. The caller frees the array. */
const char **metric_names(size_t *count);

/*
 * Returns the row with the longest match of a dotted path such as "by_class.train.wait_s.p95"; NULL
 * if there is none.
 */
const struct metric_row *metric_find(const char *path);

/*
 * Returns true if a name as above, or the start of one, covers the path: "wait_s" and "by_class.*"
 * cover all paths below them.
 */
bool metric_covers(const char *name, const char *path);

const char *metric_better_name(enum metric_better); /* "lower", "higher" or "" */

#endif
