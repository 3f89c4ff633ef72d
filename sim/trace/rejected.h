/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a trace that cannot be read, kept in a CSV file with the columns line, column and reason,
 * while the others are used.
 *
 *     struct rejected rejected = {.path = "rejected.csv", .name = "sacct.txt"};
 *     rejected_begin(&rejected, &err);          as often as the trace is read from its start
 *     rejected_row(&rejected, &row_err);
 *     ok = rejected_end(&rejected, ok, &err);
 */
#ifndef SIM_TRACE_REJECTED_H
#define SIM_TRACE_REJECTED_H

#include "sim/base/err.h"
#include "sim/base/out.h"

#include <stdbool.h>
#include <stdint.h>

struct rejected {
    const char *path; /* NULL: nothing is kept, and all functions do nothing */
    const char *name; /* of the trace, as its errors have it */
    bool names;       /* which is a column, too */
    struct out *out;
    uint64_t rows;
};

/* Discards the rows of an earlier reading. Returns false with err set if the file cannot be
 * created. */
bool rejected_begin(struct rejected *, struct err *err);

/* Instead of rejected_begin(): in memory, as text of `out`, which is the caller's. */
void rejected_keep(struct rejected *, bool names);

/* `row` is "NAME:LINE:COLUMN: reason"; another message is a reason without a place. */
void rejected_row(struct rejected *, const struct err *row);

/* Completes the file, or removes it unless `ok`; returns whether both are well. */
bool rejected_end(struct rejected *, bool ok, struct err *err);

#endif
