/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows with errors that are left out of a trace, as long as they are few. */
#ifndef TRACES_REJECTS_H
#define TRACES_REJECTS_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct rejects {
    uint64_t count;
    struct err first;
    char *words; /* of rejects_end() */
};

void rejects_take(struct rejects *, const struct err *row);

/*
 * After the last of `rows` rows, rejected ones included: false with err set, the first row's error
 * and how many there were, if more than `ppm` millionths were rejected. Else `words` is what a note
 * says of them, NULL without any. rejects_fini() in any case.
 */
bool rejects_end(struct rejects *, uint64_t rows, int64_t ppm, struct err *err);

void rejects_fini(struct rejects *);

#endif
