/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows with errors, left out of a trace as long as they are few. */
#ifndef TRACES_REJECTS_H
#define TRACES_REJECTS_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct rejects {
    uint64_t count;
    struct err first;
    char *words; /* set by rejects_end() */
};

void rejects_take(struct rejects *, const struct err *row);

/*
 * Called after the last of `rows` rows, rejected ones included. Returns false with err set to the
 * first error and their number if more than `ppm` parts per million were rejected. Else sets
 * `words` to a note about them, NULL if there are none. Call rejects_fini() in any case.
 */
bool rejects_end(struct rejects *, uint64_t rows, int64_t ppm, struct err *err);

void rejects_fini(struct rejects *);

#endif
