/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Independent pieces of work, numbered 0, 1, 2, ..., done on several threads. Each thread takes the
 * next free number; pieces share nothing except data that the caller locks, so results do not
 * depend on the number of threads.
 *
 *     struct work work = {.count = 20, .threads = 4, .piece = simulate, .self = &run};
 *     bool ok = workers_run(&work, &err);
 *
 * When a piece fails no further ones are taken, and the error is that of the failed one with the
 * lowest number: since all before it had been taken by then, that is the same one whatever the
 * threads do.
 */
#ifndef SIM_BASE_WORKERS_H
#define SIM_BASE_WORKERS_H

#include "sim/base/err.h"

#include <stddef.h>

struct work {
    size_t count;
    int threads; /* at most so many; less than 2: the caller's alone */
    bool (*piece)(void *self, size_t number, struct err *err); /* on any thread */
    bool (*stop)(void *self); /* asked before each piece: true ends all in good order; NULL never */
    void *self;
};

/* Returns when all pieces that were taken have ended. False with err set when one of them failed.
 */
bool workers_run(const struct work *, struct err *err);

#endif
